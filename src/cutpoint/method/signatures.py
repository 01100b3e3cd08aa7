"""The parameters of the functions that a method names."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.method.functions import resolve

# Arguments that a method passes to its functions; rows do not set them.
HANDED = frozenset({"search", "start", "after_move", "initial", "arcs", "ordered"})


def options_of(function: Callable | str) -> dict[str, Parameter]:
    """Return the keyword-only parameters of a function, or of that of a path: the options that a row may set."""
    return {k: p for k, p in _parameters(function).items() if p.kind is p.KEYWORD_ONLY}


def parameters_of(*functions: Callable | str) -> dict[str, Parameter]:
    """Return the options of several functions together, without what a method hands to them."""
    return {k: p for each in map(options_of, functions) for k, p in each.items() if k not in handed(each)}


def handed(names: Iterable[str]) -> frozenset[str]:
    """Return what a method hands to a function with these parameters: first thresholds go with a search."""
    return HANDED if "search" in names else HANDED - {"initial"}


def accepted(function: Callable | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the options that a function takes."""
    taken = options_of(function)
    return {k: v for k, v in options.items() if k in taken}


def takes_data(learner: str) -> bool:
    """Return whether a learner takes two arrays, and returns a `Learned`; others take a score."""
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is p.empty for p in _parameters(learner).values()) == 2


def _parameters(function: Callable | str) -> Mapping[str, Parameter]:
    return _signature(resolve(function) if isinstance(function, str) else function)


@cache
def _signature(function: Callable) -> Mapping[str, Parameter]:
    try:
        return signature(function, eval_str=True).parameters
    except Exception as problem:  # anything may stand in a user's own annotation
        name = getattr(function, "__name__", repr(function))
        text = " ".join(f"{type(problem).__name__}: {problem}".split())
        raise InputError(f"{name}: its options cannot be read ({text})") from None

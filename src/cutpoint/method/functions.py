"""The functions that a method names by their paths, and their options; a user's own cannot write to the data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from inspect import Parameter, signature
from typing import Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError

HANDED = frozenset({"search", "start", "after_move", "initial", "arcs", "ordered"})  # by methods, not by rows


def is_shipped(path: str) -> bool:
    """Return whether a function belongs to this package."""
    return path.startswith("cutpoint.")


def resolve(path: str) -> Callable:
    """Return the function that ``module:function`` or ``file.py:function`` names (see `find`), or raise InputError."""
    module_name, _, name = path.rpartition(":")
    try:
        function = getattr(user_code.module_of(module_name), name)
        if not callable(function) and not is_shipped(path):
            raise InputError(f"{name} is not a function")
        return function
    except InputError as problem:
        text = str(problem)
    except Exception as problem:  # anything may happen in a user's own file
        text = " ".join(f"{type(problem).__name__}: {problem}{user_code.place_of(problem)}".split())
    raise InputError(f"{path}: cannot be imported ({text}); write module:function or file.py:function")


def protected(path: str, *arrays: np.ndarray) -> Sequence[np.ndarray]:
    """Return data for a function: a user's own gets views that it cannot write to, since later steps read them."""
    if is_shipped(path):  # kernels are compiled anew for read-only arrays
        return arrays
    views = [np.asarray(array).view() for array in arrays]
    for view in views:
        view.flags.writeable = False
    return views


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

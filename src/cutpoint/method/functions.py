"""The functions that a method names: imported when they are used, their options read from their signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError


def is_shipped(path: str) -> bool:
    """Return whether a function belongs to this package."""
    return path.startswith("cutpoint.")


def resolve(path: str) -> Callable:
    """Return the function that ``module:function`` or ``file.py:function`` names.

    A relative file is looked up in the working directory and then in the root of the clone.

    Raises:
        InputError: when there is no such file, module or function.
    """
    module_name, _, name = path.rpartition(":")
    try:
        function = getattr(user_code.module_of(module_name), name)
        if not callable(function) and not is_shipped(path):
            raise InputError(f"{name} is no function")
        return function
    except InputError as problem:
        text = str(problem)
    except Exception as problem:  # anything may happen in a user's own file
        text = " ".join(f"{type(problem).__name__}: {problem}{user_code.place_of(problem)}".split())
    raise InputError(f"{path}: cannot be imported ({text}); write module:function or file.py:function")


def parameters_of(function: Callable | str) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function, or of that of a path, by name.

    Raises:
        InputError: for something that is no function, or an annotation that cannot be evaluated.
    """
    return _parameters(resolve(function) if isinstance(function, str) else function)


@cache
def _parameters(function: Callable) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function, eval_str=True).parameters)
    except Exception as problem:  # anything may stand in a user's own annotation
        name = getattr(function, "__name__", repr(function))
        text = " ".join(f"{type(problem).__name__}: {problem}".split())
        raise InputError(f"{name}: no function whose options can be read ({text})") from None


def options_of(function: Callable | str) -> dict[str, inspect.Parameter]:
    """Return the keyword-only parameters of a function: the options that a row may set."""
    return {k: p for k, p in parameters_of(function).items() if p.kind is p.KEYWORD_ONLY}


def takes_data(path: str) -> bool:
    """Return whether a learner takes two arrays, and returns a `Learned`; others take a score."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is p.empty for p in parameters_of(path).values()) == 2


def accepted(function: Callable | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the options that a function takes."""
    known = options_of(function)
    return {k: v for k, v in options.items() if k in known}


def protected(path: str, *arrays: np.ndarray) -> Sequence[np.ndarray]:
    """Return data for a function: a user's own gets views that it cannot write to.

    What a function changes in place would change what is learned from afterwards. Shipped functions get the arrays
    themselves, since kernels are compiled anew for read-only ones.
    """
    if is_shipped(path):
        return arrays
    views = [np.asarray(array).view() for array in arrays]
    for view in views:
        view.flags.writeable = False
    return views

"""The functions that a method names by their paths: imported when called; a user's cannot write to the data."""

from collections.abc import Callable, Sequence

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError


def is_shipped(path: str) -> bool:
    """Return whether a function belongs to this package."""
    return path.startswith("cutpoint.")


def resolve(path: str) -> Callable:
    """Return the function that ``module:function`` or ``file.py:function`` names, or raise an InputError.

    A relative file is looked up in the working directory and then in the root of the clone.
    """
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
    """Return data for a function: a user's own gets views that it cannot write to.

    A change in place would change the data of later steps. Shipped functions get the arrays themselves, since kernels
    are compiled anew for read-only ones.
    """
    if is_shipped(path):
        return arrays
    views = [np.asarray(array).view() for array in arrays]
    for view in views:
        view.flags.writeable = False
    return views

"""Kernels: functions that Numba compiles. Numba is imported at the first call of one, and not before."""

import logging
from collections.abc import Callable
from functools import cache, cached_property, partial, update_wrapper
from threading import RLock
from types import FunctionType
from typing import Any


class Deferred:
    """A name of a file of kernels whose value needs Numba: made by a function at the first call of a kernel there."""

    def __init__(self, function: Callable) -> None:
        self.function = function

    @cached_property
    def value(self) -> Any:
        """The value."""
        return self.function()


deferred: Any = Deferred  # a decorator, whose result is called in kernels


class Kernel(Deferred):
    """A kernel, which Numba compiles at its first call with some types.

    Where another kernel calls it, it is a part of that one: what calls it from Python alone is made ready for this.
    """

    def __init__(self, function: Callable, options: dict[str, Any]) -> None:
        super().__init__(function)
        self.options = options
        update_wrapper(self, function)

    @cached_property
    def call(self) -> Any:
        """Numba's dispatcher for calls from Python."""
        try:
            from cutpoint.kernels.compiling import whole
        except (ImportError, AttributeError) as problem:  # another Numba, whose inside has changed
            warn(f"this version of Numba is not known ({problem}): kernels compile slowly")
            return _plain(self)
        return whole(self.function, self.options)

    def __call__(self, *arguments: Any) -> Any:
        """Return what the kernel returns."""
        return self.call(*arguments)


def jit(function: Callable | None = None, **options: Any) -> Any:
    """Make a kernel of a function, by options of `numba.njit` beside ours.

    It calls kernels of its own file alone, whose text names its cache.
    """
    return partial(jit, **options) if function is None else Kernel(function, options)


_NAMES: dict[str, dict[str, Any]] = {}  # by file, what its kernels see
_NAMING = RLock()


def among_parts(function: Callable, part: Callable[[Kernel], Any]) -> Callable:
    """Return a function that sees, in place of kernels and deferred values of its file, what Numba takes for them.

    part: makes of a kernel what stands for it in others.
    """
    with _NAMING:
        file, names = function.__code__.co_filename, function.__globals__
        if file not in _NAMES:
            seen = _NAMES[file] = dict(names)
            for name, value in names.items():
                if isinstance(value, Deferred):
                    seen[name] = part(value) if isinstance(value, Kernel) else value.value
    copy = FunctionType(function.__code__, _NAMES[file], function.__name__, function.__defaults__)
    return update_wrapper(copy, function)


def _plain(kernel: Kernel) -> Any:
    """Return a kernel that Numba compiles in its own way, into its own cache."""
    from numba import njit

    compiled = njit(cache=True, nogil=True, error_model="numpy", **kernel.options)
    return compiled(among_parts(kernel.function, _plain))


@cache
def warn(line: str) -> None:
    """Say a line once in a process."""
    logging.getLogger("cutpoint").warning(line)

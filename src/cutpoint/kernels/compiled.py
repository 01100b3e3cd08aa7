"""Kernels: functions that Numba compiles. Numba is imported at the first call of one, and not before."""

from collections.abc import Callable
from functools import cached_property, partial, update_wrapper
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
        from cutpoint.kernels.compiling import whole

        return whole(self.function, self.options)

    def __call__(self, *arguments: Any) -> Any:
        """Return what the kernel returns."""
        return self.call(*arguments)


def jit(function: Callable | None = None, **options: Any) -> Any:
    """Make a kernel of a function, by options of `numba.njit` beside ours.

    It calls kernels of its own file alone, whose text names its cache.
    """
    return partial(jit, **options) if function is None else Kernel(function, options)

"""Kernels: functions that Numba compiles. Numba is imported at the first call of one, and not before."""

from collections.abc import Callable
from functools import cached_property, partial, update_wrapper
from typing import Any


class Deferred:
    """A name of a file of kernels whose value needs Numba: made by a function at the first call of a kernel there."""

    def __init__(self, function: Callable) -> None:
        self.function = function

    @cached_property
    def made(self) -> Any:
        """The value."""
        return self.function()


deferred: Any = Deferred  # a decorator, whose result is called in kernels


class Kernel(Deferred):
    """A kernel before its first call, which puts Numba's dispatchers in its place and in that of its neighbours.

    Who imported the kernel by its name keeps this one: a call of it costs little more than one of the dispatcher.
    """

    def __init__(self, function: Callable, options: dict[str, Any]) -> None:
        super().__init__(function)
        self.options = options
        update_wrapper(self, function)

    @cached_property
    def made(self) -> Any:
        """Numba's dispatcher."""
        from cutpoint.kernels.compiling import dispatcher

        return dispatcher(self.function, self.options)

    @cached_property
    def call(self) -> Callable:
        """The dispatcher, when the names that its code may use are ready."""
        from cutpoint.kernels.compiling import make_all

        make_all(self.function.__globals__)
        return self.made

    def __call__(self, *arguments: Any) -> Any:
        """Return what the kernel returns."""
        return self.call(*arguments)


def jit(function: Callable | None = None, **options: Any) -> Any:
    """Make a kernel of a function, by options of `numba.njit` beside ours.

    It calls kernels of its own file alone, whose text names its cache.
    """
    return partial(jit, **options) if function is None else Kernel(function, options)

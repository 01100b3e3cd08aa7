"""How kernels are compiled, and where their machine code is kept: one cache for each user.

A kernel is found there by the text of its file, whichever clone, wheel or run folder asks, and by the versions of
Python and Numba and the processor, which Numba sees to.
"""

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
from numba import config, njit
from numba.core.caching import UserProvidedCacheLocator
from numba.core.event import Event, Listener, register

try:
    import fcntl
except ImportError:  # no locks on this system: some kernels are compiled twice
    fcntl = None  # type: ignore[assignment]

# Nobody takes kernels for callbacks of C: these are not compiled.
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


@cache
def folder() -> Path:
    """Return the folder of compiled kernels: NUMBA_CACHE_DIR, that of the user, or one among temporary files."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    owner = getattr(os, "getuid", int)()  # 0 where files have no owners
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    for place in user / "cutpoint", Path(tempfile.gettempdir(), f"cutpoint-{owner}"):
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place, os.W_OK) and place.stat().st_uid == owner:  # what others write must not be run
            return place / f"numba-{numba.__version__}"
    return Path(tempfile.mkdtemp(prefix="cutpoint-"))


class ByContent(UserProvidedCacheLocator):
    """Names the folder of a file by its text, not by its place."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return a name such as sweep-0123456789ab."""
        return _name(py_file)


@cache
def _name(file: str) -> str:
    return f"{Path(file).stem}-{hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]}"


class _Alone:
    """Lets one process at a time compile kernels of a file; the others wait and find them in the cache.

    A kernel calls kernels of its own file alone, so that nobody holds one lock and waits for another.
    """

    def __init__(self, file: str) -> None:
        self.path, self.depth = folder() / f"{_name(file)}.lock", 0

    def __call__(self, compile_: Callable) -> Callable:
        """Return a function of a dispatcher that compiles, under the lock of its file."""

        def locked(signature: Any) -> Any:
            with ExitStack() as stack:
                if self.depth == 0 and fcntl:  # not for a kernel that another one calls
                    with suppress(OSError):  # no locks on this file system: some kernels are compiled twice
                        fcntl.flock(stack.enter_context(open(self.path, "w")), fcntl.LOCK_EX)
                self.depth += 1
                try:
                    return compile_(signature)
                finally:
                    self.depth -= 1

        return locked


_alone = cache(_Alone)


def jit(function: Callable | None = None, **options) -> Any:
    """Have Numba compile a function at its first call with arguments of some types, unless the cache has it.

    Args:
        function: a kernel; None for a decorator with options.
        options: of `numba.njit` beside ours.
    """
    if function is None:
        return partial(jit, **options)
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES  # type: ignore[attr-defined]
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder()), f"{__name__}.{ByContent.__name__}"  # type: ignore[attr-defined]
    try:
        kernel: Any = njit(**OPTIONS, **options)(function)
        if not config.DISABLE_JIT:  # type: ignore[attr-defined]
            kernel.compile = _alone(function.__code__.co_filename)(kernel.compile)
        return kernel
    finally:  # a user's own functions stay where they are
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before  # type: ignore[attr-defined]


class _Tell(Listener):
    """Says once in a process why it takes seconds."""

    told = False

    def on_start(self, event: Event) -> None:
        """Take the start of a compilation."""
        if not self.told and event.data["dispatcher"].py_func.__module__.startswith("cutpoint."):
            self.told = True
            logging.getLogger("cutpoint").warning("compiling kernels, once for each version: %s", folder())

    def on_end(self, event: Event) -> None:
        """Take its end."""


register("numba:compile", _Tell())

"""How kernels are compiled, and where their machine code is kept: one cache for each user.

A kernel is found there by the text of its file, whichever clone, wheel or run folder asks, and by the versions of
Python and Numba and the processor, which Numba sees to.
"""

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
from numba import config, njit
from numba.core.caching import UserProvidedCacheLocator
from numba.core.event import Event, Listener, register


@cache
def folder() -> Path:
    """Return the folder of compiled kernels: NUMBA_CACHE_DIR, that of the user, or one among temporary files."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    for place in user / "cutpoint", Path(tempfile.gettempdir(), f"cutpoint-{os.getuid()}"):
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place, os.W_OK) and place.stat().st_uid == os.getuid():  # what others write must not be run
            return place / f"numba-{numba.__version__}"
    return Path(tempfile.mkdtemp(prefix="cutpoint-"))


class ByContent(UserProvidedCacheLocator):
    """Names the folder of a file by its text, not by its place."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return a name such as sweep-0123456789ab."""
        return f"{Path(py_file).stem}-{hashlib.sha256(Path(py_file).read_bytes()).hexdigest()[:12]}"


def jit(function: Callable | None = None, **options) -> Any:
    """Have Numba compile a function at its first call with arguments of some types, unless the cache has it.

    Args:
        function: a kernel; None for a decorator with options.
        options: of `numba.njit` beside ours. Nobody takes kernels for callbacks of C, so that these are not made.
    """
    if function is None:
        return partial(jit, **options)
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES  # type: ignore[attr-defined]
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder()), f"{__name__}.{ByContent.__name__}"  # type: ignore[attr-defined]
    try:
        return njit(cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)(function)
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

"""How Numba compiles kernels, and where their machine code is kept; imported at the first call of a kernel.

A kernel is found by the text of its file, whichever clone, wheel or run folder asks, and by the versions of Python and
Numba: among those that the build of the package compiled for common processors, or else in one cache for each user,
for the user's own processor.
"""

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any

import numba
from numba import config, njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, InTreeCacheLocator
from numba.core.event import Event, Listener, register

from cutpoint.kernels.compiled import Deferred

try:
    import fcntl
except ImportError:  # no locks on this system: some kernels are compiled twice
    fcntl = None  # type: ignore[assignment]

# Nobody takes kernels for callbacks of C: these are not compiled.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

# What the build of the package compiles, for processors of this level or above.
BUILT = Path(__file__).parent / "built"
LEVEL = "x86-64-v3"
# Its instructions as LLVM calls them (System V ABI for AMD64, table 3.1).
_FEATURES = frozenset(
    "+cx16 +sahf +popcnt +sse3 +ssse3 +sse4.1 +sse4.2 +avx +avx2 +bmi +bmi2 +f16c +fma +lzcnt +movbe +xsave".split()
)


def fits(features: str) -> bool:
    """Tell whether a processor runs what the build compiles; features: as Numba lists them, such as ``+avx2,-amx``."""
    return _FEATURES.issubset(features.split(","))


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


@cache
def name(file: str) -> str:
    """Return a name such as sweep-0123456789ab."""
    return f"{Path(file).stem}-{hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]}"


class _ByContent(InTreeCacheLocator):
    """Keeps the kernels of a file in a folder that is named by its text."""

    def get_cache_path(self) -> str:
        return str(folder() / name(self._py_file))

    def ensure_cache_path(self) -> None:
        os.makedirs(self.get_cache_path(), exist_ok=True)


class _Files(CompileResultCacheImpl):
    _locator_classes = [_ByContent]  # noqa: RUF012


class _Cache(FunctionCache):
    """What the build compiled of a kernel, unless the user names a folder, or else what was compiled for this user."""

    _impl_class = _Files

    def __init__(self, kernel: Callable) -> None:
        super().__init__(kernel)
        place = BUILT / Path(self.cache_path).name
        self._built = IndexDataCacheFile(str(place), self._impl.filename_base, self._impl.locator.get_source_stamp())

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        signature, (system, _, features), code = self._index_key(sig, target_context.codegen())
        if fits(features) and not os.environ.get("NUMBA_CACHE_DIR"):
            data = self._built.load((signature, (system, LEVEL, ""), code))
            if data is not None:
                return self._impl.rebuild(target_context, data)
        return super()._load_overload(sig, target_context)


class _Alone:
    """Lets one process at a time compile kernels of a file; the others wait and find them in the cache.

    A kernel calls kernels of its own file alone, so that nobody holds one lock and waits for another.
    """

    def __init__(self, file: str) -> None:
        self.path, self.depth = folder() / f"{name(file)}.lock", 0

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


def dispatcher(function: Callable, options: dict[str, Any]) -> Any:
    """Return what Numba calls for a kernel: it compiles at the first call with some types, unless the cache has it."""
    kernel: Any = njit(**OPTIONS, **options)(function)
    if not config.DISABLE_JIT:  # type: ignore[attr-defined]
        kernel._cache = _Cache(function)
        kernel.compile = _alone(function.__code__.co_filename)(kernel.compile)
    return kernel


_MAKING = RLock()


def make_all(names: dict[str, Any]) -> None:
    """Put what Numba needs in place of what the names of a file, its globals, stand for until then."""
    with _MAKING:
        for name, value in list(names.items()):
            if isinstance(value, Deferred) and value.function.__globals__ is names:
                names[name] = value.made


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

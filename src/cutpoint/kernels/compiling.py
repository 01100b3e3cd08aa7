"""How Numba compiles kernels, and where their machine code is kept; imported at the first call of a kernel.

A kernel is found by the text of its file, whichever clone, wheel or run folder asks, and by the versions of Python and
Numba: among those that the build of the package compiled for common processors, or else in one cache for each user,
for the user's own processor.
"""

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import numba
from numba import config, njit
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.environment import Environment
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from cutpoint.kernels.compiled import Kernel, among_parts, warn

# Names of Numba's inside that are used below: where one is gone, kernels are compiled in Numba's own way.
attrgetter("_rebuild", "_reduce")(CompileResult)
attrgetter("_index_key", "load_overload", "save_overload")(FunctionCache)

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
def folders() -> list[Path]:
    """Return the folders of compiled kernels: NUMBA_CACHE_DIR or that of the user, then one among temporary files."""
    owner = getattr(os, "getuid", int)()  # 0 where files have no owners
    user = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    places = [Path(os.environ.get("NUMBA_CACHE_DIR") or Path(user, "cutpoint"))]
    with suppress(OSError):  # no folder for temporary files
        places.append(Path(tempfile.gettempdir(), f"cutpoint-{owner}"))
    return [place for place in places if _usable(place, owner)]


def _usable(place: Path, owner: int) -> bool:
    """Make a folder, and tell whether it belongs to the user and nobody else may write what is run from there."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = place.stat()
    except OSError as problem:
        warn(f"{place}: no compiled kernels are kept there ({problem.strerror})")
        return False
    if os.name == "posix" and (status.st_uid != owner or status.st_mode & 0o022):
        warn(f"{place}: no compiled kernels are read from there, as others may write them; chmod go-w what is yours")
        return False
    return True


@cache
def name(file: str) -> str:
    """Return a name such as sweep-0123456789ab."""
    return f"{Path(file).stem}-{hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]}"


class _Cache(FunctionCache):
    """What the build compiled of a kernel, unless the user names a folder, or else what was compiled for this user.

    A file for each signature, processor and way to compile: the SHA-256 of its content, then the content. What cannot
    be read, or is damaged, is compiled and written anew.
    """

    def __init__(self, kernel: Callable) -> None:
        self._py_func, self._folder = kernel, name(kernel.__code__.co_filename)

    @property
    def cache_path(self) -> str:
        return str(Path(*folders()[:1], self._folder))

    def _file(self, key: tuple) -> str:
        modes = numba.__version__, sys.implementation.cache_tag, sys.flags.optimize, config.BOUNDSCHECK  # type: ignore[attr-defined]
        code = self._py_func.__code__
        digest = hashlib.sha256(repr((modes, code.co_firstlineno, key)).encode()).hexdigest()
        return f"{code.co_name}-{digest[:16]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # what is compiled needs it, and not what a compilation needs
        key = signature, (system, _, features), code = self._index_key(sig, target_context.codegen())
        paths = [place / self._folder / self._file(key) for place in folders()]
        if fits(features) and not os.environ.get("NUMBA_CACHE_DIR"):
            paths.insert(0, BUILT / self._folder / self._file((signature, (system, LEVEL, ""), code)))
        for path in paths:
            with suppress(Exception):
                content = path.read_bytes()
                if content[:32] == hashlib.sha256(content[32:]).digest():
                    return CompileResult._rebuild(target_context, *pickle.loads(content[32:]))
        warn("compiling kernels, " + (f"once for each version: {folders()[0]}" if folders() else "in every process"))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.library.has_dynamic_globals:  # good for this process alone
            return
        *parts, environments = data._reduce()
        content = dumps((*parts, tuple(map(_without_module, environments))))
        for place in folders():
            path = place / self._folder / self._file(self._index_key(sig, data.codegen))
            aside = path.with_name(f"{path.name}.{os.getpid()}")
            try:
                path.parent.mkdir(mode=0o700, exist_ok=True)
                aside.write_bytes(hashlib.sha256(content).digest() + content)
                aside.replace(path)
                return
            except OSError as problem:
                warn(f"{place}: no compiled kernels are kept there ({problem.strerror})")
                with suppress(OSError):
                    aside.unlink()


def _without_module(environment: Any) -> Any:
    """Return the constants of a function without the module of Numba's that it is from.

    Whoever loads machine code would import it, with half of Numba and SciPy's linear algebra, and never look at it.
    """
    plain = Environment(vars(numba))
    plain.consts[:], plain.env_name = environment.consts, environment.env_name
    return plain if environment.globals["__name__"].startswith("numba.") else environment


def _alone(compile: Callable, file: str) -> Callable:
    """Let one process at a time compile kernels of a file; the others wait and find them in the cache."""

    def locked(signature: Any) -> Any:
        with ExitStack() as stack:
            if fcntl and folders():
                with suppress(OSError):  # no locks on this file system: some kernels are compiled twice
                    fcntl.flock(stack.enter_context(open(Path(folders()[0], f"{name(file)}.lock"), "w")), fcntl.LOCK_EX)
            return compile(signature)

    return locked


def whole(function: Callable, options: dict[str, Any]) -> Any:
    """Return what Python calls for a kernel: it compiles at the first call with some types, unless the cache has it."""
    kernel: Any = njit(**OPTIONS, **options)(among_parts(function, _part))
    if not config.DISABLE_JIT:  # type: ignore[attr-defined]
        kernel._cache = _Cache(function)
        kernel.compile = _alone(kernel.compile, function.__code__.co_filename)
    return kernel


def _part(kernel: Kernel) -> Any:
    """Return what stands for a kernel in others. Python does not call it by this name, and needs no way to do so."""
    options: dict[str, Any] = OPTIONS | kernel.options | {"no_cpython_wrapper": True}
    return njit(**options)(among_parts(kernel.function, _part))

"""Users' code: where its files and programs are looked for, how they are imported, and which of their lines failed."""

import hashlib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType

from cutpoint.base.errors import InputError

PACKAGE = Path(__file__).parents[1]
# The root of the clone; an installed package has what stands there in a folder of its own.
ROOT = PACKAGE / "root" if (PACKAGE / "root").is_dir() else PACKAGE.parents[1]
_IMPORTED: dict[str, str] = {}  # the names of imported files in tracebacks -> those that the user gave
_BESIDE: dict[str, dict[str, ModuleType]] = {}  # by the folder of an imported file the modules that it took from there


def find(path: str) -> Path:
    """Return a user's file: a relative path is looked up in the working directory, then in the root of the clone."""
    places = list(dict.fromkeys(folder / path for folder in (Path.cwd(), ROOT)))
    for place in places:
        if place.is_file():
            return place
    raise InputError(f"no such file, neither {' nor '.join(map(str, places))}" if len(places) > 1 else "no such file")


def module_of(name: str) -> ModuleType:
    """Return a module of the user from its dotted name or its file; modules beside it are those that it imported."""
    if name.endswith(".py"):
        path = find(name)
        module = _load(str(path), name)
        sys.modules.update(_BESIDE[str(path.parent)])
        return module
    module = importlib.import_module(name)
    file = getattr(module, "__file__", None)
    if file and PACKAGE not in Path(file).parents:
        _IMPORTED[file] = name
    return module


@cache
def _load(file: str, name: str) -> ModuleType:
    _IMPORTED[file] = name  # before the import, which may fail
    path, own_name = Path(file), hashlib.sha256(file.encode()).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"{path.stem}_{own_name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _beside(str(path.parent)):
        sys.modules[spec.name] = module  # where dataclasses and pickle look for it
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[spec.name]
            raise
    return module


@contextmanager
def _beside(folder: str) -> Iterator[None]:
    """Let imports find modules of a folder too, behind installed ones, and none of another file's folder."""
    own = _BESIDE.setdefault(folder, {})
    for name in {name for modules in _BESIDE.values() for name in modules} - {*own}:
        sys.modules.pop(name, None)
    sys.modules.update(own)
    before = {*sys.modules}
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        for name in {*sys.modules} - before:
            start = os.path.join(folder, name.partition(".")[0])
            if (getattr(sys.modules[name], "__file__", None) or "").startswith((f"{start}.", f"{start}{os.sep}")):
                own[name] = sys.modules[name]


def place_of(problem: BaseException) -> str:
    """Return the innermost line of user code in a traceback, such as " (my/method.py, line 12)", or ""."""
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if frame.filename in _IMPORTED:
            return f" ({_IMPORTED[frame.filename]}, line {frame.lineno})"
    return ""

"""Users' code: where its files are looked for, how they are imported, and which of their lines failed."""

from __future__ import annotations

import importlib
import importlib.util
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType

from cutpoint.base.errors import InputError

PACKAGE = Path(__file__).parents[1]
# The root of the clone; an installed package has what stands there in a folder of its own.
ROOT = PACKAGE / "root" if (PACKAGE / "root").is_dir() else PACKAGE.parents[1]
# The imported files: the name in tracebacks -> the name that the user gave.
_IMPORTED: dict[str, str] = {}


def find(path: str) -> Path:
    """Return a user's file: a relative path is looked up in the working directory, then in the root of the clone.

    Raises:
        InputError: naming both places.
    """
    places = list(dict.fromkeys(folder / path for folder in (Path.cwd(), ROOT)))
    for place in places:
        if place.is_file():
            return place
    raise InputError(f"no such file, neither {' nor '.join(map(str, places))}" if len(places) > 1 else "no such file")


def module_of(name: str) -> ModuleType:
    """Return a module of the user from its dotted name or its file.

    Raises:
        InputError: no such file.
        Exception: whatever the import of the module raises.
    """
    if name.endswith(".py"):
        return _load(str(find(name)), name)
    module = importlib.import_module(name)
    file = getattr(module, "__file__", None)
    if file and PACKAGE not in Path(file).parents:
        _IMPORTED[file] = name
    return module


@cache
def _load(file: str, name: str) -> ModuleType:
    _IMPORTED[file] = name  # before the import, which may fail
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def place_of(problem: BaseException) -> str:
    """Return the innermost line of user code in a traceback, such as " (my/method.py, line 12)", or ""."""
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if frame.filename in _IMPORTED:
            return f" ({_IMPORTED[frame.filename]}, line {frame.lineno})"
    return ""

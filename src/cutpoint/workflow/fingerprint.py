"""Which files of the package a function depends on, found by walking imports, and their fingerprint.

Snakemake does not see edits in an imported package; rules take this as a parameter instead. Functions
that the registry names by text are not imports: name them beside the script.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from cutpoint.base import user_code
from cutpoint.base.errors import InputError

SOURCE = Path(__file__).parents[1]


def fingerprint(*entries: str | Path) -> str:
    """Return 12 hexadecimal digits for the package files that entries depend on.

    Args:
        entries: files, or functions written ``module:function`` or ``file.py:function``.
    """
    digest = hashlib.sha256()
    for path in sorted(closure(entries)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def closure(entries: Iterable[str | Path]) -> set[Path]:
    """Return the files of entries and the package files that they import, directly or not."""
    waiting = [_file(entry) for entry in entries]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imports(path)
    return found


def _file(entry: str | Path) -> Path:
    module = str(entry).split(":")[0]
    if module.endswith(".py"):
        return user_code.find(module)
    path = _module_file(module)
    if path is None and module.split(".")[0] != SOURCE.name:
        spec = importlib.util.find_spec(module)  # a user's own module
        path = Path(spec.origin) if spec and spec.has_location and spec.origin else None
    if path is None:
        raise InputError(f"{entry}: no such module")
    return path


def _module_file(module: str) -> Path | None:
    """Return the file of a module of this package, None for another one."""
    parts = module.split(".")
    if parts[0] != SOURCE.name:
        return None
    base = SOURCE.joinpath(*parts[1:])
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.exists():
            return path
    return None


def _imports(path: Path) -> Iterable[Path]:
    if SOURCE not in path.parents:
        return _walk(path)
    stat = path.stat()
    return _of_the_package(path, stat.st_mtime_ns, stat.st_size)


@cache
def _of_the_package(path: Path, changed: int, size: int) -> tuple[Path, ...]:
    """Return what a file of the package imports; most are behind many methods, and every job of a cluster asks anew."""
    return tuple(_walk(path))


def _walk(path: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            # `from cutpoint import tables` needs tables, not all that the package's front door re-exports.
            found = _module_file(name) if name != SOURCE.name else None
            beside = path.with_name(f"{name.split('.')[0]}.py")  # of a user's own file
            if found:
                yield found
            elif SOURCE not in path.parents and beside.exists():
                yield beside

"""What a job computes, as a fingerprint: the text of its code and of all modules that this imports, directly or not.

Snakemake does not see edits in an imported package; rules take this as a parameter instead. Comments, layout and
docstrings do not count, all else does, whether a job calls it or not; so does the table that a module has beside it,
under its own name. Functions that are named by text, as those of
methods, are not followed: name them beside the script. The names of `import cutpoint` lead to the modules where they
stand.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from cutpoint.base import user_code
from cutpoint.base.errors import InputError

Part = tuple[bytes, list[Path]]  # the digest of a file, and the files that it imports


class Code:
    """The source of a package in a folder, and of the scripts and studies beside it."""

    def __init__(self, package: Path) -> None:
        root = package.parents[1]
        self.package = package
        self._folders = package, root / "scripts", root / "workflow" / "studies"
        self._studies = root / "workflow", package / "root" / "workflow", Path.cwd()
        self._part = cache(self._read)
        self._file = cache(self._find)

    def fingerprint(self, *entries: str | Path) -> str:
        """Return 12 hexadecimal digits for entries: files, ``module:function`` or ``file.py:function``."""
        return _hash(*sorted(self.part(file)[0] for file in self.closure(entries))).hex()[:12]

    def closure(self, entries: Iterable[str | Path]) -> set[Path]:
        """Return the files that entries stand in, with those that they import, directly or not."""
        reached: set[Path] = set()
        waiting = [self._entry(str(entry)) for entry in entries]
        while waiting:
            file = waiting.pop()
            if file not in reached:
                reached.add(file)
                waiting += self.part(file)[1]
        return reached

    def part(self, file: Path) -> Part:
        """Return the digest and the imports of a file; files of users are read anew each time."""
        return self._part(file) if any(folder in file.parents for folder in self._folders) else self._read(file)

    def _find(self, module: str) -> Path | None:
        """Return the file of a module, None if the module is not part of the package."""
        first, *parts = module.split(".")
        if first != self.package.name:
            return None
        bases = [self.package.joinpath(*parts)]
        if parts[:2] == ["bench", "studies"]:  # their folders stand beside the package, or where the run starts
            bases += [folder.joinpath("studies", *parts[2:]) for folder in self._studies]
        paths = [path for base in bases for path in (base.with_suffix(".py"), base / "__init__.py")]
        return next((path for path in paths if path.is_file()), None)

    def _entry(self, entry: str) -> Path:
        module = entry.partition(":")[0]
        if module.endswith(".py"):
            return user_code.find(module)
        ours = module.split(".")[0] == self.package.name
        spec = None if ours else importlib.util.find_spec(module)  # of a user
        if file := self._file(module) if ours else spec and spec.has_location and spec.origin:
            return Path(file)
        raise InputError(f"{entry}: no such module")

    def _read(self, file: Path) -> Part:
        ours = next((folder for folder in self._folders if folder in file.parents), None)
        label = file.relative_to(ours).as_posix() if ours else file.name
        beside = [table for table in map(file.with_suffix, (".csv", ".mplstyle")) if ours and table.exists()]
        values = b"".join(table.read_bytes() for table in beside)
        digest, modules = _parsed(label.encode(), file.read_bytes(), values, ours is not None)
        files = {path for module in modules for path in self._files_of(module, None if ours else file)}
        return digest, sorted(files - {file})

    def _files_of(self, module: str, own: Path | None) -> Iterator[Path]:
        """Yield the files that an import stands for: of the package, or beside a user's own file that has it."""
        first, _, name = module.partition(".")
        if first == self.package.name and "." not in name and not self._file(module):
            yield from self._homes(name)
        elif path := self._file(module):
            if module != self.package.name:
                yield path
        elif own and (beside := _beside(own, module.removesuffix(".*"))):
            yield beside

    def _homes(self, name: str) -> Iterator[Path]:
        """Yield the file of a name of the package itself, as its ``{module: names}`` says."""
        front = self.package / "__init__.py"
        for node in ast.walk(ast.parse(front.read_bytes())) if front.is_file() else ():
            for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
                home = self._file(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
                names = {child.value for child in ast.walk(value) if isinstance(child, ast.Constant)}
                if home and (name in names or name == "*"):
                    yield home


def _parsed(label: bytes, content: bytes, values: bytes, ours: bool) -> tuple[bytes, list[str]]:
    """Return the digest of a file and the modules that it imports, kept in the user's cache, as parsing takes long."""
    user = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    kept = Path(user, "cutpoint", "code", _hash(READER, label, content, values, bytes([ours])).hex())
    with suppress(OSError, ValueError):  # none yet, or damaged; what another process has written in part is no JSON
        digest, modules = json.loads(kept.read_bytes())
        return bytes.fromhex(digest), modules
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):  # a user's, of another Python
        return _hash(content), []
    modules = list(_imported(tree))
    digest = _hash(label, _without_docstrings(tree) if ours else content, values)  # a user's own counts as it stands
    with suppress(OSError):  # no place to keep it
        kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept.write_text(json.dumps([digest.hex(), modules]))
    return digest, modules


def _imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that code imports anywhere, and "MODULE.NAME" for each name; a point leads for each level."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name if "." in alias.name else f"{alias.name}.*" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (module, *(f"{module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            waiting += node.orelse  # the rest does not run
        else:
            waiting += _statements(node)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a node, which are few beside all that it holds."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(node, block, ())


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"\0".join(parts)).digest()


def _without_docstrings(tree: ast.AST) -> bytes:
    waiting = [tree]
    for node in waiting:  # grows as it goes
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            texts = (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant) for child in node.body)
            node.body = [child for child, is_text in zip(node.body, texts, strict=True) if not is_text]
        waiting += _statements(node)
    return ast.dump(tree).encode()


def _beside(path: Path, module: str) -> Path | None:
    """Return the file of a module that stands beside a user's own."""
    parts = [part for part in module.split(".") if part] or ["__init__"]
    base = path.parents[max(len(module) - len(module.lstrip(".")) - 1, 0)].joinpath(*parts)
    places = (base.with_suffix(".py"), base / "__init__.py", path.with_name(f"{parts[0]}.py"))
    return next((place for place in places if place.is_file()), None)


READER = _hash(Path(__file__).read_bytes(), sys.version.encode())  # what else decides how a file is read
CODE = Code(user_code.PACKAGE)
fingerprint, closure = CODE.fingerprint, CODE.closure

"""What a job computes, as a fingerprint: the definitions that its code uses, followed through the package.

Snakemake does not see edits in an imported package; rules take this as a parameter instead. A script or a function
depends on each function, class and constant whose name it uses, and these on theirs. What computes nothing does not
count: comments, layout, docstrings, types, the text of errors and of logs. Functions that are named by text, as those
of the registry, are not followed: name them beside the script.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib.util
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.base.source import Origin, Source, chain, imported, is_for_types, is_text, module_file

LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
# Marks of a dataclass's types that change what it does; it does not look at others.
MARKS = frozenset({"ClassVar", "InitVar", "KW_ONLY"})


class Definition(NamedTuple):
    """A name of a file; "" is the whole of it, "*" what it does when it is imported."""

    file: str
    name: str


class Part(NamedTuple):
    """A digest of a definition and of its place, and the definitions that it uses."""

    digest: bytes
    uses: tuple[Definition, ...]


class Code:
    """The source of a package and of the scripts beside it.

    Args:
        package: its folder.
    """

    def __init__(self, package: Path) -> None:
        """Read nothing yet."""
        self.package = package
        root = package.parents[1]
        self._folders = package, root / "scripts", root / "workflow" / "studies"
        self.source = cache(lambda file: Source(Path(file)))
        self._part = cache(self._read)
        self._is_ours = cache(lambda file: any(folder in Path(file).parents for folder in self._folders))
        self._module = cache(self._find)

    def fingerprint(self, *entries: str | Path) -> str:
        """Return 12 hexadecimal digits for what entries compute.

        Args:
            entries: files, or functions written ``module:function`` or ``file.py:function``.
        """
        digests = sorted(self.part(definition).digest for definition in self.closure(entries))
        return hashlib.sha256(b"".join(digests)).hexdigest()[:12]

    def closure(self, entries: Iterable[str | Path]) -> set[Definition]:
        """Return the definitions that entries use, directly or not."""
        reached: set[Definition] = set()
        with _without_collector():
            waiting = [definition for entry in entries for definition in self._entry(str(entry))]
            while waiting:
                definition = waiting.pop()
                if definition not in reached:
                    reached.add(definition)
                    waiting += self.part(definition).uses
        return reached

    def part(self, definition: Definition) -> Part:
        """Return the digest and the uses of a definition; files of users are read anew each time."""
        return self._part(definition) if self._is_ours(definition.file) else self._read(definition)

    def _find(self, module: str) -> str | None:
        path = module_file(self.package, module)
        return str(path) if path else None

    def _label(self, definition: Definition) -> str:
        path = Path(definition.file)
        inside = next(folder for folder in self._folders if folder in path.parents)
        return f"{path.relative_to(inside).as_posix()}:{definition.name}"

    def _entry(self, entry: str) -> Iterable[Definition]:
        module, _, name = entry.partition(":")
        if module.endswith(".py"):
            return [Definition(str(user_code.find(module)), "")]
        if self._module(module):
            return self._target(module, (name,) if name else ())
        if module.split(".")[0] != self.package.name:
            spec = importlib.util.find_spec(module)  # a user's own module
            if spec and spec.has_location and spec.origin:
                return [Definition(spec.origin, "")]
        raise InputError(f"{entry}: no such module")

    def _target(self, module: str, names: tuple[str, ...]) -> list[Definition]:
        """Return the definitions that ``names[0].names[1]...`` of a module stands for; none of another package."""
        file = self._module(module)
        if file is None:
            return []
        if not names:
            return [Definition(file, "")]
        source = self.source(file)
        first, *rest = names
        if first in source.definitions:
            return [Definition(file, first)]
        origin = source.imports.get(first)
        if origin and origin != (module, first):
            return self._origin(origin, rest)
        if self._module(f"{module}.{first}"):
            return self._target(f"{module}.{first}", tuple(rest))
        if "__getattr__" in source.definitions and (room := _lazy_home(source, first)):
            return [Definition(file, "__getattr__"), *self._target(room, names)]
        return [Definition(file, "")]

    def _origin(self, origin: Origin, names: Iterable[str]) -> list[Definition]:
        """Return the definitions that an imported name with some attributes stands for."""
        module, attribute = origin
        return self._target(module, (*([attribute] if attribute else []), *names))

    def _read(self, definition: Definition) -> Part:
        if not self._is_ours(definition.file):
            return self._read_users(Path(definition.file))
        source = self.source(definition.file)
        if definition.name == "":
            statements = source.tree.body
        elif definition.name == "*":
            statements = source.effects
        else:
            statements = source.definitions[definition.name]
        reading = _Reading(statements)
        uses = list(self._uses(reading, source))
        if definition.name not in ("", "*") and source.effects:
            uses.append(Definition(definition.file, "*"))
        imports = source.imports | reading.imports
        names = sorted({first for first, *_ in reading.chains} & imports.keys())
        content = "\0".join([self._label(definition), *reading.words, *(f"{name}={imports[name]}" for name in names)])
        return Part(hashlib.sha256(content.encode()).digest(), tuple(dict.fromkeys(uses)))

    def _uses(self, reading: _Reading, source: Source) -> Iterator[Definition]:
        """Yield the definitions that names of a file stand for; some are imported inside of what uses them."""
        for first, *rest in reading.chains:
            if first in source.definitions:
                yield Definition(str(source.path), first)
            for imports in (reading.imports, source.imports):
                if first in imports:
                    yield from self._origin(imports[first], rest)

    def _read_users(self, path: Path) -> Part:
        """Return a user's own file as it stands, with all that it imports of the package or from beside it."""
        content = path.read_bytes()
        digest = hashlib.sha256(path.name.encode() + b"\0" + content).digest()
        try:
            source = Source(path)
        except (SyntaxError, ValueError):  # of another Python
            return Part(digest, ())
        reading = _Reading(source.tree.body)
        uses = list(self._uses(reading, source))
        for module, attribute in (source.imports | reading.imports).values():
            if attribute:
                uses += self._target(module, (attribute,))
            names = [module, *([f"{module}.{attribute}"] if attribute else [])]
            uses += [Definition(str(file), "") for name in names if (file := _beside(path, name))]
        return Part(digest, tuple(dict.fromkeys(use for use in uses if use.file != str(path))))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep the garbage collector from walking through syntax trees, now and later, which takes longer than all else."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if running:
            gc.enable()


def _beside(path: Path, module: str) -> Path | None:
    """Return the file of a module that stands beside a user's own."""
    parts = [part for part in module.split(".") if part]
    level = len(module) - len(module.lstrip("."))
    if not parts:
        return None
    base = path.parents[max(level - 1, 0)].joinpath(*parts)
    places = (base.with_suffix(".py"), base / "__init__.py", path.with_name(f"{parts[0]}.py"))
    return next((place for place in places if place.is_file()), None)


def _lazy_home(source: Source, name: str) -> str | None:
    """Return the module that a table of a front door gives for a name: ``{module: names}``."""
    for node in ast.walk(source.tree):
        for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant) and any(
                isinstance(child, ast.Constant) and child.value == name for child in ast.walk(value)
            ):
                return str(key.value)
    return None


class _Reading:
    """What statements compute, read in one pass without what computes nothing.

    Attributes:
        words: the statements as a list of words, the same for any layout.
        chains: the names that they use from outside, with the attributes that follow: (a, b, c) of a.b.c. Names of
            comprehensions count as well: it may be more than Python looks up outside, never less.
        imports: what they import inside.
    """

    def __init__(self, statements: Iterable[ast.stmt]) -> None:
        """Read the statements."""
        self.words: list[str] = []
        self.chains: set[tuple[str, ...]] = set()
        self.imports: dict[str, Origin] = {}
        self._bound: set[str] = set()  # names of the function that is read, which hide those of its module
        self._shared: set[str] = set()  # names that it takes from outside although it binds them
        self._typed = False  # whether the types of fields count, as pydantic reads them
        self._read(list(statements))

    def _read(self, value: object) -> None:
        if isinstance(value, ast.AST):
            kind = type(value).__name__
            getattr(self, f"_read_{kind}", self._whole)(value)
        elif isinstance(value, list):
            self.words.append("[")
            for one in value:
                self._read(one)
            self.words.append("]")
        else:
            self.words.append(repr(value))

    def _whole(self, node: ast.AST) -> None:
        self._parts(node, *(getattr(node, field) for field in node._fields if field != "ctx"))

    def _parts(self, node: ast.AST, *parts: object) -> None:
        self.words.append(f"({type(node).__name__}")
        for part in parts:
            self._read(part)

    def _read_Name(self, node: ast.Name) -> None:
        self.words.append(node.id)
        if isinstance(node.ctx, ast.Store):
            self._bound.add(node.id)
        else:
            self.chains.add((node.id,))

    def _read_Attribute(self, node: ast.Attribute) -> None:
        if names := chain(node):
            self.words.append(".".join(names))
            self.chains.add(tuple(names))
        else:
            self._whole(node)

    def _read_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self._whole(node)
        self._bound.update([node.name] if node.name else [])

    _read_MatchStar = _read_MatchAs

    def _read_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self._whole(node)
        self._shared.update(node.names)
        self.chains.update((name,) for name in node.names)

    _read_Nonlocal = _read_Global

    def _read_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self._whole(node)
        self._shared.update(imported(node))
        self.imports.update(imported(node))

    _read_ImportFrom = _read_Import

    def _read_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        self._parts(node, getattr(node, "name", ""), getattr(node, "decorator_list", []), node.args)
        outside = self.chains, self._bound, self._shared, self._typed
        bound = {child.arg for child in ast.walk(node.args) if isinstance(child, ast.arg)}
        self.chains, self._bound, self._shared, self._typed = set(), bound, set(), False
        self._read(node.body)
        used = {names for names in self.chains if names[0] not in self._bound - self._shared}
        self.chains, self._bound, self._shared, self._typed = outside
        self.chains |= used

    _read_AsyncFunctionDef = _read_Lambda = _read_FunctionDef

    def _read_arg(self, node: ast.arg) -> None:
        self.words.append(node.arg)

    def _read_ListComp(self, node: ast.AST) -> None:
        outside, self._bound = self._bound, set()  # its names are not those of the function around it
        self._whole(node)
        self._bound = outside

    _read_SetComp = _read_DictComp = _read_GeneratorExp = _read_ListComp

    def _read_ClassDef(self, node: ast.ClassDef) -> None:
        outside, self._typed = self._typed, not any(map(_is_dataclass, node.decorator_list))
        self._read_ListComp(node)
        self._typed = outside

    def _read_AnnAssign(self, node: ast.AnnAssign) -> None:
        marks = sorted({_last(child) for child in ast.walk(node.annotation)} & MARKS)
        self._parts(node, node.target, node.annotation if self._typed else marks, node.value)

    def _read_Expr(self, node: ast.Expr) -> None:
        if not is_text(node) and not _is_log(node.value):
            self._whole(node)

    def _read_If(self, node: ast.If) -> None:
        if not is_for_types(node):
            self._whole(node)

    def _read_Raise(self, node: ast.Raise) -> None:
        if isinstance(node.exc, ast.Call) and _last(node.exc.func).lower().endswith("error"):
            self._parts(node, node.exc.func)
        else:
            self._whole(node)

    def _read_Assert(self, node: ast.Assert) -> None:
        self._parts(node, node.test)

    def _read_Dict(self, node: ast.Dict) -> None:
        kept = [pair for pair in zip(node.keys, node.values, strict=True) if not _is_path(pair[1])]
        self._parts(node, *(part for pair in kept for part in pair), [])


def _is_dataclass(decorator: ast.expr) -> bool:
    return _last(decorator.func if isinstance(decorator, ast.Call) else decorator) == "dataclass"


def _last(node: ast.AST) -> str:
    """Return the name of a function, a class or an attribute, "" for what has none."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_log(node: ast.expr) -> bool:
    """Return whether an expression writes a line of a log."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LEVELS):
        return False
    logger = node.func.value
    return _last(logger.func) == "getLogger" if isinstance(logger, ast.Call) else _last(logger) in ("log", "logger")


def _is_path(node: ast.expr) -> bool:
    """Return whether an expression is the path of a function, as text."""
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and re.fullmatch(r"\w+(\.\w+)+:\w+", value) is not None


CODE = Code(user_code.PACKAGE)
fingerprint, closure = CODE.fingerprint, CODE.closure

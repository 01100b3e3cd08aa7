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
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.base.source import Origin, Source, chain, imported, is_for_types, is_text, module_file

LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
# Marks of a dataclass's types that change what it does; it does not look at others.
# Nodes with names of their own.
SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
MARKS = frozenset({"ClassVar", "InitVar", "KW_ONLY"})


class Definition(NamedTuple):
    """A name of a file; "" is the whole of it, "*" what it does when it is imported."""

    file: str
    name: str


class Part(NamedTuple):
    """A digest of a definition and of where it stands, and the definitions that it uses."""

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
        self.scripts = package.parents[1] / "scripts"
        self.source = cache(lambda file: Source(Path(file)))
        self._part = cache(self._read)
        self._is_ours = cache(lambda file: package in Path(file).parents or Path(file).parent == self.scripts)
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
        found: set[Definition] = set()
        with _without_collector():
            waiting = [definition for entry in entries for definition in self._entry(str(entry))]
            while waiting:
                definition = waiting.pop()
                if definition not in found:
                    found.add(definition)
                    waiting += self.part(definition).uses
        return found

    def part(self, definition: Definition) -> Part:
        """Return the digest and the uses of a definition; files of users are read anew each time."""
        return self._part(definition) if self._is_ours(definition.file) else self._read(definition)

    def _find(self, module: str) -> str | None:
        path = module_file(self.package, module)
        return str(path) if path else None

    def _label(self, definition: Definition) -> str:
        path = Path(definition.file)
        inside = self.package in path.parents
        return f"{path.relative_to(self.package).as_posix() if inside else path.name}:{definition.name}"

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
        text, chains, inside = _computed(statements)
        uses = list(self._uses(chains, source, inside))
        if definition.name not in ("", "*") and source.effects:
            uses.append(Definition(definition.file, "*"))
        imports = source.imports | inside
        origins = [f"{name}={imports[name]}" for name in sorted({first for first, *_ in chains} & imports.keys())]
        content = "\0".join([self._label(definition), text, *origins])
        return Part(hashlib.sha256(content.encode()).digest(), tuple(dict.fromkeys(uses)))

    def _uses(
        self, chains: Iterable[tuple[str, ...]], source: Source, inside: dict[str, Origin]
    ) -> Iterator[Definition]:
        """Yield the definitions that names of a file stand for; some are imported inside of what uses them."""
        for first, *rest in chains:
            if first in source.definitions:
                yield Definition(str(source.path), first)
            for imports in (inside, source.imports):
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
        _, chains, inside = _computed(source.tree.body)
        found = list(self._uses(chains, source, inside))
        for module, attribute in (source.imports | inside).values():
            if attribute:
                found += self._target(module, (attribute,))
            names = [module, *([f"{module}.{attribute}"] if attribute else [])]
            found += [Definition(str(file), "") for name in names if (file := _beside(path, name))]
        return Part(digest, tuple(dict.fromkeys(use for use in found if use.file != str(path))))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep the garbage collector from walking through syntax trees as they grow, which takes longer than all else."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
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


class _Computing(ast.NodeTransformer):
    """Takes out of a syntax tree what computes nothing: docstrings, types, the text of errors and of logs."""

    def __init__(self) -> None:
        """Start outside of classes."""
        self._typed = False  # whether the types of fields count, as pydantic reads them

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if is_text(node) or _is_log(node.value) else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if is_for_types(node) else self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if isinstance(node.exc, ast.Call) and _last(node.exc.func).lower().endswith("error"):
            return ast.Raise(node.exc.func, None)
        return self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.msg = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        typed, self._typed, node.returns = self._typed, False, None
        self.generic_visit(node)
        self._typed = typed
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        typed, self._typed = self._typed, not any(map(_is_dataclass, node.decorator_list))
        self.generic_visit(node)
        self._typed = typed
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if not self._typed:
            marks = sorted({_last(child) for child in ast.walk(node.annotation)} & MARKS)
            node.annotation = ast.Constant(" ".join(marks))
        return self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        kept = [(k, v) for k, v in zip(node.keys, node.values, strict=True) if not _is_path(v)]
        node.keys, node.values = [key for key, _ in kept], [value for _, value in kept]
        return self.generic_visit(node)


def _computed(statements: Iterable[ast.stmt]) -> tuple[str, set[tuple[str, ...]], dict[str, Origin]]:
    """Return statements as text without what computes nothing, the names that they use, and what they import inside."""
    kept = [node for statement in statements if (node := _Computing().visit(statement))]
    imports: dict[str, Origin] = {}
    for node in (child for statement in kept for child in ast.walk(statement)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.update(imported(node))
    chains = {chain for node in kept for chain in _names(node, imports.keys(), frozenset())}
    return "\n".join(ast.dump(node, annotate_fields=False) for node in kept), chains, imports


def _names(node: ast.AST, imports: Set[str], hidden: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield the names that a node uses from outside, with the attributes that follow: (a, b, c) of a.b.c.

    Names of comprehensions count as well: it may be more than Python looks up outside, never less.
    """
    if isinstance(node, ast.Name | ast.Attribute) and (names := chain(node)):
        if names[0] not in hidden and not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
            yield tuple(names)
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from ((name,) for name in node.names)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        inside = hidden | (_locals(node) - imports)
        for part in (*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults)):
            yield from _names(part, imports, hidden)
        for part in node.body if isinstance(node.body, list) else [node.body]:
            yield from _names(part, imports, inside)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _names(child, imports, hidden)


def _locals(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """Return the names that a function binds, which hide those of its module: its arguments and what it assigns."""
    bound = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    shared: set[str] = set()
    waiting: list[ast.AST] = list(function.body) if isinstance(function.body, list) else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            shared.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            bound.add(node.name)
        if not isinstance(node, SCOPES):
            waiting += ast.iter_child_nodes(node)
    return bound - shared


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
    """Return whether an expression is where a function stands, as text."""
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and re.fullmatch(r"\w+(\.\w+)+:\w+", value) is not None


CODE = Code(Path(__file__).parents[1])
fingerprint, closure = CODE.fingerprint, CODE.closure

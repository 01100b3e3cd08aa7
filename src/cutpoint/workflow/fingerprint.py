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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.base.source import Origin, Source, chain, imported, is_for_types, is_text, module_file

LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
# Marks of a dataclass's types that change what it does; it does not look at others.
MARKS = ("ClassVar", "InitVar", "KW_ONLY")


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
        reading = Reading()
        for statement in statements:
            reading.read(statement)
        imports = source.imports | reading.imports
        found = list(self._uses(reading.free(), source, reading.imports))
        if definition.name not in ("", "*") and source.effects:
            found.append(Definition(definition.file, "*"))
        homes = (f"{name}={imports[name]}" for name in sorted({first for first, *_ in reading.free()} & imports.keys()))
        text = "\0".join([self._label(definition), *reading.words, *homes])
        return Part(hashlib.sha256(text.encode()).digest(), tuple(dict.fromkeys(found)))

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
        reading = Reading()
        for statement in source.tree.body:
            reading.read(statement)
        imports = source.imports | reading.imports
        found = list(self._uses(reading.free(), source, reading.imports))
        for module, attribute in imports.values():
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


class Reading:
    """Statements as words that stand for what they compute, and the names that they use from outside.

    Attributes:
        words: the types and values of the nodes of the syntax tree, in order.
        imports: the names that are imported inside functions.
    """

    def __init__(self) -> None:
        """Read nothing yet."""
        self.words: list[str] = []
        self.imports: dict[str, Origin] = {}
        self._used: set[tuple[str, ...]] = set()
        self._stored: set[str] = set()
        self._shared: set[str] = set()  # the names of ``global`` and ``nonlocal``
        self._depth = 0  # of functions
        self._fields = False  # whether the types of fields count

    def free(self) -> set[tuple[str, ...]]:
        """Return the names that were used and not bound inside, with the attributes that follow: (a, b, c) of a.b.c."""
        return self._used

    def read(self, node: ast.AST | None) -> None:
        """Take in a node."""
        if node is None:
            self.words.append("-")
            return
        kind = type(node).__name__
        special = _SPECIAL.get(kind)
        if special is None:
            self._generic(node, kind)
        else:
            special(self, node)

    def _generic(self, node: ast.AST, kind: str) -> None:
        words = self.words
        words.append(kind)
        for name in node._fields:
            value = getattr(node, name)
            if isinstance(value, ast.expr_context):
                continue
            if isinstance(value, list):
                words.append("[")
                for item in value:
                    if isinstance(item, ast.AST):
                        self.read(item)
                    else:
                        words.append(repr(item))
                words.append("]")
            elif isinstance(value, ast.AST):
                self.read(value)
            else:
                words.append(repr(value))

    def _name(self, node: ast.Name) -> None:
        self.words.append(node.id)
        if isinstance(node.ctx, ast.Load):
            self._used.add((node.id,))
        else:
            self._stored.add(node.id)

    def _attribute(self, node: ast.Attribute) -> None:
        names = chain(node)
        if names:
            self.words.append(".".join(names))
            self._used.add(tuple(names))
        else:
            self.words += ("Attribute", node.attr)
            self.read(node.value)

    def _constant(self, node: ast.Constant) -> None:
        self.words.append(repr(node.value))

    def _statement(self, node: ast.Expr) -> None:
        if not is_text(node) and not _is_log(node.value):
            self._generic(node, "Expr")

    def _if(self, node: ast.If) -> None:
        if not is_for_types(node):
            self._generic(node, "If")

    def _raise(self, node: ast.Raise) -> None:
        self.words.append("Raise")
        error = node.exc
        if isinstance(error, ast.Call) and _last(error.func).lower().endswith("error"):
            self.read(error.func)
        else:
            self.read(error)

    def _assert(self, node: ast.Assert) -> None:
        self.words.append("Assert")
        self.read(node.test)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if self._depth:
            self.imports.update(imported(node))
        self.words += map(repr, imported(node).items())

    def _annotated(self, node: ast.AnnAssign) -> None:
        self.words.append("AnnAssign")
        if self._fields:
            self.read(node.annotation)
        else:
            self.words += [name for child in ast.walk(node.annotation) if (name := _last(child)) in MARKS]
        self.read(node.target)
        self.read(node.value)

    def _dict(self, node: ast.Dict) -> None:
        self.words.append("Dict")
        for key, value in zip(node.keys, node.values, strict=True):
            if not _is_path(value):
                self.read(key)
                self.read(value)
        self.words.append("]")

    def _elsewhere(self, node: ast.Global | ast.Nonlocal) -> None:
        self.words += (type(node).__name__, *node.names)
        self._shared.update(node.names)
        self._used.update((name,) for name in node.names)

    def _class(self, node: ast.ClassDef) -> None:
        self.words += ("ClassDef", node.name)
        self._stored.add(node.name)
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.read(part)
        stored, fields = self._stored, self._fields
        self._stored, self._fields = set(), not any(map(_is_dataclass, node.decorator_list))
        for statement in node.body:
            self.read(statement)
        self._stored, self._fields = stored, fields  # names of a class are not seen inside its functions
        self.words.append("]")

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.words += (type(node).__name__, node.name)
        self._stored.add(node.name)
        for decorator in node.decorator_list:
            self.read(decorator)
        self._scope(node.args, node.body)

    def _lambda(self, node: ast.Lambda) -> None:
        self.words.append("Lambda")
        self._scope(node.args, [node.body])

    def _scope(self, args: ast.arguments, body: Iterable[ast.AST]) -> None:
        for default in (*args.defaults, *args.kw_defaults):
            self.read(default)
        names: list[str] = []
        for kind in (args.posonlyargs, args.args, [args.vararg], args.kwonlyargs, [args.kwarg]):
            names += [*(arg.arg for arg in kind if arg), "|"]
        self.words += names
        self._inside(body, set(names))

    def _inside(self, body: Iterable[ast.AST], bound: set[str]) -> None:
        """Read what has names of its own."""
        used, stored, fields = self._used, self._stored, self._fields
        self._used, self._stored, self._fields, self._depth = set(), bound, False, self._depth + 1
        for node in body:
            self.read(node)
        bound = self._stored - self._shared - self.imports.keys()
        used |= {names for names in self._used if names[0] not in bound}
        self._used, self._stored, self._fields, self._depth = used, stored, fields, self._depth - 1
        self.words.append("]")

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        self.words.append(type(node).__name__)
        first, *others = node.generators
        self.read(first.iter)
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        rest = [part for other in others for part in (other.target, other.iter, *other.ifs)]
        self._inside([first.target, *first.ifs, *rest, *results], set())

    def _handler(self, node: ast.ExceptHandler) -> None:
        self._stored |= {node.name} if node.name else set()
        self._generic(node, "ExceptHandler")

    def _capture(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping) -> None:
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        self._stored |= {name} if name else set()
        self._generic(node, type(node).__name__)


_SPECIAL: dict[str, Callable] = {
    "Name": Reading._name,
    "Attribute": Reading._attribute,
    "Constant": Reading._constant,
    "Expr": Reading._statement,
    "If": Reading._if,
    "Raise": Reading._raise,
    "Assert": Reading._assert,
    "Import": Reading._import,
    "ImportFrom": Reading._import,
    "AnnAssign": Reading._annotated,
    "Dict": Reading._dict,
    "Global": Reading._elsewhere,
    "Nonlocal": Reading._elsewhere,
    "ClassDef": Reading._class,
    "FunctionDef": Reading._function,
    "AsyncFunctionDef": Reading._function,
    "Lambda": Reading._lambda,
    "ListComp": Reading._comprehension,
    "SetComp": Reading._comprehension,
    "DictComp": Reading._comprehension,
    "GeneratorExp": Reading._comprehension,
    "ExceptHandler": Reading._handler,
    "MatchAs": Reading._capture,
    "MatchStar": Reading._capture,
    "MatchMapping": Reading._capture,
}


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

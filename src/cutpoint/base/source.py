"""Python files as tables of the names they define, read without importing them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

# The module of an imported name and its attribute, None for the module itself.
Origin = tuple[str, str | None]


class Source:
    """What a file defines at its top level.

    Attributes:
        path: the file.
        tree: its syntax tree.
        definitions: the statements that make up each name, imports apart.
        imports: what each imported name stands for.
        effects: statements that belong to no name, such as calls.
    """

    def __init__(self, path: Path) -> None:
        """Read a file.

        Raises:
            SyntaxError: when it is not Python.
        """
        self.path = path
        self.tree = ast.parse(path.read_bytes())
        self.definitions: dict[str, list[ast.stmt]] = {}
        self.imports: dict[str, Origin] = {}
        self.effects: list[ast.stmt] = []
        others = [node for node in self.tree.body if not self._define(node)]
        for node in others:
            names = set() if is_main(node) else {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            changed = names & self.definitions.keys()
            for name in changed:
                self.definitions[name].append(node)
            if not changed:
                self.effects.append(node)

    def _define(self, node: ast.stmt) -> bool:
        """Enter a statement under the names that it binds; return whether it does no more."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            self.imports.update(imported(node))
            return True
        if is_text(node) or is_for_types(node):
            for child in ast.walk(node):
                if isinstance(child, ast.Import | ast.ImportFrom):
                    self.imports.update(imported(child))
            return True
        names = list(_bound(node))
        for name in names:
            self.definitions.setdefault(name, []).append(node)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self._enter_decorated(node)
        return bool(names)

    def _enter_decorated(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        """Make a function part of the names that its decorator may change: ``@RULES.add``, ``@register(RULES)``."""
        for decorator in node.decorator_list:
            names = {child.id for child in ast.walk(decorator) if isinstance(child, ast.Name)} - {node.name}
            for name in names & self.definitions.keys() if not isinstance(decorator, ast.Name) else ():
                self.definitions[name].append(node)
            call = decorator.func if isinstance(decorator, ast.Call) else None
            if (
                isinstance(call, ast.Name) and call.id in self.definitions
            ):  # the decorator may register the function anywhere
                self.effects.append(node)


def imported(node: ast.Import | ast.ImportFrom) -> dict[str, Origin]:
    """Return the module and the attribute that each name of an import stands for; a leading point for each level."""
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        return {alias.asname or alias.name: (module, alias.name) for alias in node.names}
    bound = {alias.asname or alias.name.partition(".")[0]: alias for alias in node.names}
    return {name: (alias.name if alias.asname else name, None) for name, alias in bound.items()}


def is_text(node: ast.AST) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_for_types(node: ast.AST) -> bool:
    """Return whether a statement is ``if TYPE_CHECKING:``, which does not run."""
    return isinstance(node, ast.If) and list(chain(node.test))[-1:] == ["TYPE_CHECKING"]


def is_main(node: ast.AST) -> bool:
    """Return whether a statement is ``if __name__ == "__main__":``."""
    return isinstance(node, ast.If) and any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(node.test))


def _bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of the top level binds, also inside ``if`` and ``try``."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from imported(node)
    elif not isinstance(node, ast.AugAssign) and not is_main(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                yield from _bound(child)  # type: ignore[arg-type]
            else:
                yield from _stored(child)


def _stored(node: ast.AST) -> Iterator[str]:
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id


def module_file(package: Path, module: str) -> Path | None:
    """Return the file of a module, None if the module is not part of the package."""
    first, *parts = module.split(".")
    if first != package.name:
        return None
    bases = [package.joinpath(*parts)]
    if parts[:2] == ["bench", "studies"]:  # their folders stand beside the package, or where the run starts
        roots = package.parents[1] / "workflow", package / "root" / "workflow", Path.cwd()
        bases += [root.joinpath("studies", *parts[2:]) for root in roots]
    paths = [path for base in bases for path in (base.with_suffix(".py"), base / "__init__.py")]
    return next((path for path in paths if path.is_file()), None)


def chain(node: ast.expr) -> Sequence[str]:
    """Return the names of ``a.b.c``, empty for an expression that starts with no name."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []

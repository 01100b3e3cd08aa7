"""The parameters of functions; those of shipped ones are read from their source, so that checking imports no arrays."""

from __future__ import annotations

import ast
import builtins
import sys
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.source import Source, module_file
from cutpoint.base.user_code import PACKAGE
from cutpoint.method.functions import resolve

# Arguments that a method passes to its functions; rows do not set them, and their types would need arrays.
HANDED = frozenset({"search", "start", "after_move", "initial", "arcs"})
LIGHT = ("cutpoint.options", "annotated_types", *sorted(sys.stdlib_module_names))


def options_of(function: Callable | str) -> dict[str, Parameter]:
    """Return the keyword-only parameters of a function, or of that of a path: the options that a row may set.

    Raises:
        InputError: if it is not a function, or an annotation cannot be evaluated.
    """
    return {k: p for k, p in _parameters_of(function).items() if p.kind is p.KEYWORD_ONLY}


def handed(names: Iterable[str]) -> frozenset[str]:
    """Return what a method hands to a function with these parameters: first thresholds go with a search."""
    return HANDED if "search" in names else HANDED - {"initial"}


def accepted(function: Callable | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the options that a function takes."""
    known = options_of(function)
    return {k: v for k, v in options.items() if k in known}


def takes_data(learner: str) -> bool:
    """Return whether a learner takes two arrays, and returns a `Learned`; others take a score."""
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is p.empty for p in _parameters_of(learner).values()) == 2


def _parameters_of(function: Callable | str) -> dict[str, Parameter]:
    if isinstance(function, str):
        return shipped_parameters(function) or _imported_parameters(resolve(function))
    return _imported_parameters(function)


@cache
def _imported_parameters(function: Callable) -> dict[str, Parameter]:
    try:
        return dict(signature(function, eval_str=True).parameters)
    except Exception as problem:  # anything may stand in a user's own annotation
        name = getattr(function, "__name__", repr(function))
        text = " ".join(f"{type(problem).__name__}: {problem}".split())
        raise InputError(f"{name}: its options cannot be read ({text})") from None


@cache
def shipped_parameters(path: str) -> dict[str, Parameter] | None:
    """Return the parameters of a function of this package by name, as `inspect.signature` does.

    Types are those of the options of rows; others are classes that have their names and nothing else. Defaults are
    placeholders.

    Args:
        path: ``module:function``.

    Returns:
        None for a function whose parameters only an import can tell, and for one that is not shipped.
    """
    module, _, name = path.partition(":")
    file = module_file(PACKAGE, module)
    if file is None:
        return None
    source = _source(file)
    statements = source.definitions.get(name, [])
    if not statements and name in source.imports:
        home, attribute = source.imports[name]
        return shipped_parameters(f"{home}:{attribute}")
    if len(statements) != 1 or not isinstance(statements[0], ast.FunctionDef) or statements[0].decorator_list:
        return None
    try:
        return {parameter.name: parameter for parameter in _parameters(statements[0].args, source)}
    except Exception:  # a type may raise anything
        return None


_source = cache(Source)


def _parameters(args: ast.arguments, source: Source) -> Iterator[Parameter]:
    plain = [*args.posonlyargs, *args.args]
    required = len(plain) - len(args.defaults)
    for i, arg in enumerate(plain):
        yield Parameter(arg.arg, Parameter.POSITIONAL_OR_KEYWORD, default=Parameter.empty if i < required else ...)
    if args.vararg:
        yield Parameter(args.vararg.arg, Parameter.VAR_POSITIONAL)
    given = handed([arg.arg for arg in args.kwonlyargs])
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        text = ast.unparse(arg.annotation) if arg.annotation else ""
        kind = type(text, (), {}) if arg.arg in given else eval(text, {}, _Names(source)) if text else Parameter.empty
        yield Parameter(arg.arg, Parameter.KEYWORD_ONLY, default=... if default else Parameter.empty, annotation=kind)
    if args.kwarg:
        yield Parameter(args.kwarg.arg, Parameter.VAR_KEYWORD)


class _Module:
    """A module of the package in a type, such as in ``Interval(le=toy.MOST)``."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def __getattr__(self, name: str) -> Any:
        return self._names[name]


class _Names(Mapping[str, Any]):
    """The names of a file by what they stand for, where that is a type of an option or of the standard library."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __getitem__(self, name: str) -> Any:
        if name in self.source.imports:
            home, attribute = self.source.imports[name]
            if home in LIGHT or home.partition(".")[0] in LIGHT:
                module = import_module(home)
                return getattr(module, attribute) if attribute else module
            if inner := module_file(PACKAGE, f"{home}.{attribute}"):
                return _Module(_Names(_source(inner)))
            file = module_file(PACKAGE, home)
            return _Names(_source(file))[str(attribute)] if file else self._refuse(name)
        # functions that the name decorates do not change it
        statements = [n for n in self.source.definitions.get(name, []) if not isinstance(n, ast.FunctionDef)]
        if len(statements) == 1 and isinstance(statements[0], ast.Assign | ast.AnnAssign):
            scope: ChainMap[str, Any] = ChainMap({}, self)  # type: ignore[arg-type]
            exec(ast.unparse(statements[0]), {}, scope)
            return scope[name]
        return self._refuse(name) if name in self.source.definitions else getattr(builtins, name)

    def _refuse(self, name: str) -> Any:
        raise ImportError(f"{name} needs an import")

    def __iter__(self) -> Iterator[str]:
        return iter((*self.source.imports, *self.source.definitions))

    def __len__(self) -> int:
        return len(self.source.imports) + len(self.source.definitions)

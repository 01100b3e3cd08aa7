"""The names that a declaration may use: what it declares itself, printed tables, and functions with their options.

Functions are read from their source, since planning imports no science: in an annotation WORDS are known, any
other name counts as `Any`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from annotated_types import Len
from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest

READY = Path(__file__).with_name("ready.py")


@dataclass(frozen=True)
class Refers:
    """Marks a text that names something declared elsewhere; where the names are known, an unknown one is refused."""

    to: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the text, with the look-up behind it."""
        return core_schema.with_info_after_validator_function(self.known, handler(source))

    def known(self, text: str, info: ValidationInfo) -> str:
        """Return a text whose name is known."""
        name = split(text)[0]
        if name and info.context and name not in info.context[self.to]:
            raise InputError(f"unknown {self.to} {name!r}{suggest(name, info.context[self.to])}")
        return text


FunctionName = Annotated[str, Refers("function")]
MethodName = Annotated[str, Refers("method")]
MeasureName = Annotated[str, Len(1), Refers("measure")]
ContestName = Annotated[str, Len(1), Refers("contest")]
TableName = Annotated[str, Refers("table")]
ArtefactName = Annotated[str, Len(1), Refers("artefact")]
ExperimentName = Annotated[str, Refers("experiment")]
PrintedName = Annotated[str, Refers("printed table")]
Reduction = Annotated[dict[Literal["mean", "share", "largest"], str], Len(1, 1)]  # of a column of an experiment
WORDS = {**globals(), "Sequence": Sequence}  # of annotations that are known


def split(text: str) -> tuple[str, Any]:
    """Return the name and the column of a text such as "shd[500]" or "shd[child, 500]", None without a column."""
    name, _, rest = text.rstrip("]").partition("[")
    parts = tuple(int(part) if part.isdigit() else part for part in rest.split(", "))
    return name, (parts if len(parts) > 1 else parts[0]) if rest else None


def own_functions(folder: Path) -> dict[str, Mapping[str, Parameter]]:
    """Return the options of the functions of a study by the name that they have in its declaration."""
    functions: dict[str, Mapping[str, Parameter]] = {}
    for path in sorted(folder.glob("*.py")):
        prefix = "" if path.stem == "study" else f"{path.stem}."
        functions |= {prefix + name: options for name, options in _functions(path, path.stat().st_mtime_ns).items()}
    return functions


def ready_made() -> dict[str, Mapping[str, Parameter]]:
    """Return the options of the ready-made functions by name."""
    return _functions(READY, 0)


@cache
def _functions(path: Path, changed: int) -> dict[str, Mapping[str, Parameter]]:
    nodes = [node for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef)]
    return {node.name: dict(_options(node)) for node in nodes if not node.name.startswith("_")}


def _options(node: ast.FunctionDef) -> Iterator[tuple[str, Parameter]]:
    """Yield the keyword-only parameters of a function; of a default it counts only that there is one."""
    for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        kind, known = Parameter.KEYWORD_ONLY, Parameter.empty if default is None else None
        yield each.arg, Parameter(each.arg, kind, default=known, annotation=_type(each.annotation))


def _type(annotation: ast.expr | None) -> Any:
    def marked() -> None: ...

    marked.__annotations__ = {"it": ast.unparse(annotation) if annotation else "Any"}
    try:
        return get_type_hints(marked, WORDS, include_extras=True)["it"]
    except Exception:  # anything may stand in an annotation of a user
        return Any

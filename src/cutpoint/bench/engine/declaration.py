"""What a study declares: its numbers, tables, figures and claims, as study.yaml holds them.

Light to import, since the Snakefile reads it: what makes tables and figures of a declaration is in `tables`, `figures`
and `inequalities`. Functions of studies are read from their source, since planning imports no science: in an annotation
WORDS are known, any other name counts as `Any`.
"""

import ast
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_type_hints

from annotated_types import Len
from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, ValidationInfo, model_validator
from pydantic_core import CoreSchema, core_schema

from cutpoint.base.checking import Closed, FileName, check, check_options, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.bench import studies


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
    return _functions(Path(__file__).with_name("ready.py"), 0)


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


MEAN = "mean"  # the column that means over the others
NEED = re.compile(r"(?P<condition>.+) in (?P<number>[^ []+(\[[^]]+\])?)")
ORDER = re.compile(r"(?P<each>each of )?(?P<left>.+?) (?P<sign><=?|>=?) (?P<every>each of )?(?P<right>.+)")
RANGE = re.compile(r"(?P<each>each of )?(?P<left>.+?) from (?P<low>[-\d.]+) to (?P<high>[-\d.]+)")
LOWEST = re.compile(r"lowest of (?P<group>.+) is (?P<names>.+)")
OF = "function of study.py from the inputs to those whose runs and methods count"
READY = "cutpoint.bench.engine.ready"  # the module of the ready-made functions


class Made(Closed):
    """What a function makes of the inputs, with options that are its keyword-only parameters."""

    make: FunctionName = Field("", description="function of study.py, or a ready-made one, from the inputs")
    options: dict[str, Any] = Field({}, description="keyword arguments of that function")
    handed: ClassVar[frozenset[str]] = frozenset()  # arguments that it gets beside them, if it takes them

    @model_validator(mode="before")
    @classmethod
    def _no_kind(cls, row: Any, info: ValidationInfo):
        if isinstance(row, dict) and "kind" in row:
            near = suggest(str(row["kind"]), info.context["function"]) if info.context else ""
            raise InputError(f"kind: leave it out, or make: FUNCTION in its place{near}")
        return row

    @model_validator(mode="after")
    def _known_options(self, info: ValidationInfo):
        if self.options and not self.make:
            raise ValueError("give make, whose options these are")
        if info.context and self.make:
            parameters = info.context["function"][self.make]
            parameters = {key: one for key, one in parameters.items() if key not in self.handed}
            check_options(parameters, self.options, names=info.context)
            required = [key for key, one in parameters.items() if one.default is one.empty]
            if lacking := [key for key in required if key not in self.options]:
                raise InputError(f"options: missing {listed(lacking)}, without which {self.make} cannot be called")
        return self


class Note(Made):
    """Sentences that a function of the study returns."""

    make: FunctionName


class Measure(Made):
    """A number of every method: the mean of a metric over the runs of a cell, then over the cells of a column."""

    of: FunctionName = Field("", description=OF)
    metric: str = Field("", description="column of the metrics")
    grid: str = Field("", description="whose runs")
    cells: list[str] = Field([], description="columns of the metrics that tell the cells of the grid apart")
    by: list[str] = Field([], description="those of them that a column stands for")
    over: str | None = Field(None, description="the method by which every cell is divided first")
    better: Literal["lower", "higher", "neither"] = Field("lower", description="what is marked as the best of a column")
    columns: list[int | tuple[int | str, ...]] = Field(
        [], description="columns of the paper, shown also where they were not run; [child, 500] where `by` has two keys"
    )
    head: str = Field("{}", description="heading of a column; {} is its name, {!c} its name with a capital")
    mean: str = Field("", description="heading of the mean over the columns, which is left out without one")
    printed: str = Field("{}", description="how a printed table calls a column")
    digits: int = 2
    handed = frozenset({"metric", "grid", "cells", "by", "over"})


class ContestSpec(Closed):
    """What methods are compared by in tests, ranks and differences."""

    of: FunctionName = Field("", description=OF)
    metric: str = ""
    title: str = Field("", description="what a reader calls the metric")
    grid: str = ""
    cells: list[str] = []
    better: Literal["lower", "higher"] = "lower"
    digits: int = 2
    apart: bool = Field(False, description="whether each replicate has a network of its own")

    @property
    def lower_is_better(self) -> bool:
        """Which of two values is the better one."""
        return self.better == "lower"


class ColumnSpec(Closed):
    """Columns of a table: all of a measure, or one of them, with what the paper prints."""

    measure: MeasureName = Field(description="name of a measure, with [column] if it is one of its columns only")
    head: str | None = None
    mean: str | None = None
    printed: PrintedName = Field("", description="printed table without ending, with [column] if it is one column only")
    digits: int | None = None


class Artefact(Made):
    """What every table and figure has."""

    title: str = ""
    requires: list[str] = Field([], description="grids and experiments without which it says that it is not available")
    replicates: list[str] | None = Field(None, description="whose replicates it names; those of `requires`, else all")


class TableSpec(Artefact):
    """A table with a row per method, or one of which a function makes the rows."""

    title: str
    caption: str = ""
    decides: str = Field(min_length=1, description="one short sentence on what a reader decides with it")
    notes: list[str | Note] = Field([], description="sentences, or functions that return them")
    of: FunctionName = Field("", description=OF)
    category: str = Field("", description="the methods that have a row; all")
    without: list[str] = Field([], description="methods that have no row")
    columns: list[ColumnSpec] = []
    panels: dict[str, list[ColumnSpec]] = Field(
        {}, description="columns by the title above them; {} in it is the name of a column, so that each has its panel"
    )

    @model_validator(mode="after")
    def _one_form(self):
        if bool(self.make) + bool(self.columns) + bool(self.panels) != 1:
            raise ValueError("give columns, panels or make")
        return self

    @property
    def bodies(self) -> Mapping[str, list[ColumnSpec]]:
        """The columns by the title above them."""
        return self.panels or {"": self.columns}


class FigureSpec(Artefact):
    """A figure that a function draws."""

    make: FunctionName
    look: str = Field("", description="what to look at; the alternative text")
    handed = frozenset({"title", "scale"})


def _inequality(need: str, info: ValidationInfo) -> str:
    """Return an inequality, whose measure is looked up."""
    match = NEED.fullmatch(need)
    if not match or not any(form.fullmatch(match["condition"]) for form in (LOWEST, RANGE, ORDER)):
        raise InputError(
            f"{need!r}: write NAMES < NAMES, NAMES from LOW to HIGH, or lowest of NAMES is NAMES, and then: "
            "in MEASURE[COLUMN]"
        )
    Refers("measure").known(match["number"], info)
    return need


class ClaimSpec(Made):
    """What a paper says, where to look, and the inequalities that decide it."""

    says: str
    look: ArtefactName = Field(description="the table or figure that shows it")
    needs: dict[str, Annotated[str, AfterValidator(_inequality)]] = Field(
        {}, description="inequalities by what they say; {name} and {label} are the method"
    )
    margin: Annotated[str, Field(pattern=r"^\d+(\.\d+)? ?%$")] | float = Field(
        "2.5 %", description="up to which two methods are as good as each other, of the number or absolute"
    )
    implementation: bool = Field(False, description="whether it rests on run time or calls of other programs")

    @model_validator(mode="after")
    def _one_way(self):
        if bool(self.needs) == bool(self.make):
            raise ValueError("give needs or make")
        return self


def _like(rows: Any) -> Any:
    """Return measures or contests in which a row that is like another one has its keys."""
    if not isinstance(rows, dict):
        return rows
    expanded: dict[str, Any] = {}
    for name, row in rows.items():
        if isinstance(row, dict) and "like" in row:
            if not isinstance(row["like"], str) or not isinstance(expanded.get(row["like"]), dict):
                raise ValueError(f"{name} is like {row['like']!r}, which does not stand above it")
            row = expanded[row["like"]] | {key: value for key, value in row.items() if key != "like"}
        expanded[name] = row
    return expanded


class Declaration(Closed):
    """The part of study.yaml that says what is measured, shown, claimed and answered."""

    blocks: list[str] = Field(["network", "n"], description="cells that agree in them have their replicates in common")
    explored: FunctionName = Field("", description="function from the runs to those of the explorer, and their unit")
    basis: FunctionName = Field("", description="function that returns the scale of an artefact from its `replicates`")
    texts: dict[str, str] = Field({}, description="texts that captions and notes refer to as {name}")
    groups: dict[str, list[str]] = Field({}, description="methods and other groups by a name for them")
    measures: Annotated[dict[str, Measure], BeforeValidator(_like)] = {}
    contests: Annotated[dict[str, ContestSpec], BeforeValidator(_like)] = {}
    tables: dict[FileName, TableSpec] = Field({}, description="by name, in the order of the report")
    figures: dict[FileName, FigureSpec] = Field({}, description="by name, in the order of the report")
    ours: bool = Field(False, description="whether the claims are what we expect, and not what a paper says")
    claims: dict[FileName, ClaimSpec] = {}

    def members(self, text: str, without: Iterable[str] = ()) -> list[str]:
        """Return the methods that a text such as "bach, steck" or "others of printed" stands for."""
        names = text.removeprefix("others of ").split(", ")
        methods = [
            m for name in names for m in (self.members(", ".join(self.groups[name])) if name in self.groups else [name])
        ]
        return [name for name in methods if name not in without] if text.startswith("others of ") else methods


def folder_of(study: str) -> Path:
    """Return the folder of a study."""
    folders = [Path(root) / study for root in studies.__path__]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


def study_file(study: str) -> Path:
    """Return the file that declares a study."""
    return folder_of(study) / "study.yaml"


def study_names() -> list[str]:
    """Return the names of all studies, sorted."""
    return sorted({path.parent.name for root in studies.__path__ for path in Path(root).glob("*/study.yaml")})


def printed_files(study: str) -> list[Path]:
    """Return the printed tables of a study, sorted."""
    return sorted(folder_of(study).glob("printed/*.csv"))


def modules_of(study: str) -> list[str]:
    """Return the modules that make what a study shows, as a fingerprint of code takes them."""
    names = sorted(path.stem for path in folder_of(study).glob("*.py") if path.stem != "experiments")
    return ["cutpoint.bench.engine.show", READY, *(f"cutpoint.bench.studies.{study}.{name}" for name in names)]


def digest(declaration: Declaration) -> str:
    """Return 12 hexadecimal digits for what a study declares beside its code."""
    content = declaration.model_dump_json(include=set(Declaration.model_fields))
    return hashlib.sha256(content.encode()).hexdigest()[:12]


class DeclaredStudy(Declaration):
    """What a study declares, with its name, by which its functions are found, and its experiments."""

    name: str
    experiments: list[str] = []

    def function(self, name: str) -> Callable[..., Any]:
        """Return a function: one of ready.py, "name" of study.py, or "module.name" of the folder of the study."""
        module, _, own = name.rpartition(".")
        place = f"cutpoint.bench.studies.{self.name}.{module or 'study'}"
        if name in ready_made() and name not in own_functions(folder_of(self.name)):
            place = READY
        return getattr(import_module(place), own)

    def made(self, inputs: Any, row: Made, **handed: Any) -> Any:
        """Return what the function of a row makes of the inputs, its options and what it takes of other arguments."""
        function = self.function(row.make)
        taken = signature(function).parameters
        return function(inputs, **{key: value for key, value in handed.items() if key in taken}, **row.options)


@cache
def declared(study: str) -> DeclaredStudy:
    """Return what a study declares, whose references are looked up where the whole file is checked."""
    file = study_file(study)
    content = {key: value for key, value in read_yaml(file).items() if key in DeclaredStudy.model_fields}
    return check(DeclaredStudy, {"name": study, **content}, str(file))


def check_references(declaration: Declaration, file: Path, experiments: Iterable[str], methods: Iterable[str]) -> None:
    """Look up everything that a declaration refers to by name, experiments too, and the options of functions."""
    names: dict[str, Iterable[str]] = {
        "measure": declaration.measures,
        "contest": declaration.contests,
        "experiment": experiments,
        "method": methods,
        "table": declaration.tables,
        "artefact": [*declaration.tables, *declaration.figures],
        "function": ready_made() | own_functions(file.parent),
        "printed table": sorted(path.stem for path in file.parent.glob("printed/*.csv")),
    }
    content = declaration.model_dump(include=set(Declaration.model_fields), exclude_unset=True)
    check(Declaration, content, str(file), names)

"""What a study declares: its numbers, tables, figures and claims, as study.yaml holds them.

Light to import, since the Snakefile reads it: what makes tables and figures of a declaration is in `tables`, `figures`
and `inequalities`.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Len
from pydantic import BaseModel, BeforeValidator, Field, model_validator

from cutpoint.base.checking import Closed, check, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.names import FileName
from cutpoint.base.text import suggest
from cutpoint.bench import studies

MEAN = "mean"  # the column that means over the others
AGREEMENT = (
    "Published against reproduced numbers, table {}: points on the diagonal agree, and the rank correlation says "
    "whether the order comes back where the numbers do not."
)
NEED = re.compile(r"(?P<condition>.+) in (?P<number>[^ []+(\[[^]]+\])?)")
ORDER = re.compile(r"(?P<each>each of )?(?P<left>.+?) (?P<sign><=?|>=?) (?P<every>each of )?(?P<right>.+)")
RANGE = re.compile(r"(?P<each>each of )?(?P<left>.+?) from (?P<low>[-\d.]+) to (?P<high>[-\d.]+)")
LOWEST = re.compile(r"lowest of (?P<group>.+) is (?P<names>.+)")


@dataclass(frozen=True)
class Refers:
    """Marks a key that names something declared elsewhere: a measure, contest, table, artefact or function."""

    to: str


Function = Annotated[str, Refers("function")]
MeasureName = Annotated[str, Refers("measure"), Len(1)]
ContestName = Annotated[str, Refers("contest"), Len(1)]
PrintedName = Annotated[str, Refers("printed table")]
Reduction = Annotated[dict[Literal["mean", "share", "largest"], str], Len(1, 1)]  # of a column of an experiment
OF = "function of study.py from the inputs to those whose runs and methods count"


class Note(Closed):
    """Sentences that a function of the study returns."""

    make: Function


class Measure(Closed):
    """A number of every method: the mean of a metric over the runs of a cell, then over the cells of a column."""

    of: Function = Field("", description=OF)
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
    make: Function = Field("", description="function of study.py that makes the columns from the inputs and this entry")


class Contest(Closed):
    """What methods are compared by in tests, ranks and differences."""

    of: Function = Field("", description=OF)
    metric: str = ""
    title: str = Field("", description="what a reader calls the metric")
    grid: str = ""
    cells: list[str] = []
    better: Literal["lower", "higher"] = "lower"
    digits: int = 2
    apart: bool = Field(False, description="whether each replicate has a network of its own")
    make: Function = Field("", description="function of study.py that returns a Contest, or a Friedman test or None")

    @property
    def lower_is_better(self) -> bool:
        """Which of two values is the better one."""
        return self.better == "lower"


class Column(Closed):
    """Columns of a table: all of a measure, or one of them, with what the paper prints."""

    measure: MeasureName = Field(description="name of a measure, with [column] if it is one of its columns only")
    head: str | None = None
    mean: str | None = None
    printed: PrintedName = Field("", description="printed table without ending, with [column] if it is one column only")
    digits: int | None = None


class Artefact(Closed):
    """What every table and figure has."""

    title: str = ""
    requires: list[str] = Field([], description="grids and experiments without which it says that it is not available")
    replicates: list[str] | None = Field(None, description="grids and experiments whose replicates it names; all")


class Table(Artefact):
    """What every table has."""

    title: str
    caption: str = ""
    decides: str = Field(min_length=1, description="one short sentence on what a reader decides with it")
    notes: list[str | Note] = Field([], description="sentences, or functions that return them")


class Panelled(Table):
    """A table whose columns may stand in panels."""

    columns: Any
    panels: Any

    @model_validator(mode="after")
    def _one_form(self):
        if bool(self.columns) == bool(self.panels):
            raise ValueError("give columns or panels")
        return self

    @property
    def bodies(self) -> Mapping[str, Any]:
        """The columns by the title above them."""
        return self.panels or {"": self.columns}


class MethodTable(Panelled):
    """A table with a row per method."""

    kind: Literal["methods"]
    of: Function = Field("", description=OF)
    category: str = Field("", description="the methods that have a row; all")
    without: list[str] = Field([], description="methods that have no row")
    columns: list[Column] = []
    panels: dict[str, list[Column]] = Field(
        {}, description="columns by the title above them; {} in it is the name of a column, so that each has its panel"
    )


class AgreementTable(Table):
    """Rank correlations of published and reproduced numbers."""

    kind: Literal["agreement"]
    tables: Annotated[list[str], Refers("table")]
    count: str = Field("Rows compared", description="heading of the number of pairs")
    together: Annotated[dict[str, str], Refers("function")] = Field(
        {}, description="by table: function that returns the columns compared together"
    )
    without: Annotated[dict[str, str], Refers("function")] = Field(
        {}, description="by table: function that says why the inputs are not those of print, or nothing"
    )


class DifferencesTable(Table):
    """Every method against one of them."""

    kind: Literal["differences"]
    contest: ContestName
    control: str | None = Field(None, description="the method chosen beforehand; that with the best mean")


class StabilityTable(Table):
    """How far a ranking would change with other replicates."""

    kind: Literal["stability"]
    contest: ContestName


class ExperimentTable(Panelled):
    """A table of an experiment: a row for all its rows that agree in some columns, of which others are reduced."""

    kind: Literal["experiment"]
    experiment: Annotated[str, Refers("experiment")]
    of: Function = Field("", description="function of study.py from the inputs to the rows; those of the experiment")
    key: str = Field(description="what the rows of the table are")
    rows: list[str] = Field(description="columns of the experiment; a row of the table for all that agree in them")
    label: str = Field("{}", description="what a row is called; {} are its values")
    category: str = Field("", description="column that says of what kind a row is")
    across: str = Field("", description="a heading with {} makes a column for each value of this one")
    columns: dict[str, Reduction] = Field({}, description="by heading")
    panels: dict[str, dict[str, Reduction]] = Field({}, description="columns by the title above them")

    @model_validator(mode="before")
    @classmethod
    def _usual(cls, row: dict[str, Any]) -> dict[str, Any]:
        """Let a table rest on the samples of its experiment."""
        one = [row.get("experiment")]
        return {"requires": one, "replicates": one} | row

    @model_validator(mode="after")
    def _spread(self):
        if not self.across and any("{" in head for body in self.bodies.values() for head in body):
            raise ValueError("give across, which a heading with {} stands for")
        return self


class MadeTable(Table):
    """A table whose rows a function of study.py makes."""

    kind: Literal["made"]
    make: Function
    options: dict[str, Any] = {}


class Figure(Artefact):
    """What every figure has."""

    look: str = Field("", description="what to look at; the alternative text")


class Axis(Closed):
    """A number of each method."""

    measure: MeasureName
    printed: PrintedName = Field("", description="column of a printed table, as in table_1[n500]; none without")
    label: str


class TradeoffFigure(Figure):
    """Two numbers of each method, quality and cost, and what the paper prints; the best on the left."""

    kind: Literal["tradeoff"]
    x: Axis
    y: Axis
    flip: bool = Field(False, description="whether more of y is better, so that its axis points to the left")
    notes: list[Note] = Field(
        [], description="functions that return sentences, shown below the title where there are runs"
    )


class Lines(Closed):
    """A panel of lines, a point for each number of records in thousands."""

    measure: MeasureName
    title: str
    label: str = Field(description="what the horizontal axis says")


class LinesFigure(Figure):
    """A line per method against the number of records, in panels beside each other."""

    kind: Literal["lines"]
    panels: list[Lines]
    ylabel: str
    options: dict[str, Any] = Field({}, description="of `cutpoint.bench.plots.lines.rows_of_lines`")


class RanksFigure(Figure):
    """A critical-difference diagram."""

    kind: Literal["ranks"]
    contest: ContestName
    blocks: str = Field(description="what a block of the tests is, in the plural")


class AgreementFigure(Figure):
    """Published against reproduced numbers of one table."""

    kind: Literal["agreement"]
    table: Annotated[str, Refers("table")]
    number: str = Field("", description="what the table is called in the title, such as V-4; from its name")

    @model_validator(mode="before")
    @classmethod
    def _usual(cls, row: dict[str, Any]) -> dict[str, Any]:
        """Fill in what agreement figures have in common."""
        number = row.get("number") or str(row.get("table", "")).removeprefix("table_")
        usual = {"title": f"Table {number}: published against reproduced", "look": AGREEMENT.format(number)}
        return usual | row | {"number": number}


class MadeFigure(Figure):
    """A figure that a function of study.py draws."""

    kind: Literal["made"]
    make: Function
    options: dict[str, Any] = {}


class Claim(Closed):
    """What a paper says, where to look, and the inequalities that decide it."""

    says: str
    look: Annotated[str, Refers("artefact"), Len(1)] = Field(description="the table or figure that shows it")
    needs: Annotated[dict[str, str], Refers("need")] = Field(
        {}, description="inequalities by what they say; {name} and {label} are the method"
    )
    make: Function = Field("", description="function of study.py that returns the inequalities")
    options: dict[str, Any] = Field({}, description="keyword arguments of that function")
    margin: Annotated[str, Field(pattern=r"^\d+(\.\d+)? ?%$")] | float = Field(
        "2.5 %", description="up to which two methods are as good as each other, of the number or absolute"
    )
    implementation: bool = Field(False, description="whether it rests on run time or calls of other programs")

    @model_validator(mode="after")
    def _one_way(self):
        if bool(self.needs) == bool(self.make):
            raise ValueError("give needs or make")
        return self


def _with_kind(row: Any) -> Any:
    """Return a row with the kind of those that a function makes."""
    return {"kind": "made", **row} if isinstance(row, dict) and "make" in row else row


AnyTable = Annotated[
    Annotated[
        MethodTable | AgreementTable | DifferencesTable | StabilityTable | ExperimentTable | MadeTable,
        Field(discriminator="kind"),
    ],
    BeforeValidator(_with_kind),
]
AnyFigure = Annotated[
    Annotated[TradeoffFigure | LinesFigure | RanksFigure | AgreementFigure | MadeFigure, Field(discriminator="kind")],
    BeforeValidator(_with_kind),
]


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


class Explored(Closed):
    """What the explorer of the report shows of the study."""

    make: Function = Field("", description="function from the runs, a table of Arrow, to those that are shown")
    unit: str = Field("replicates", description="what the replicates of these are, over which intervals are")


class Declaration(Closed):
    """The part of study.yaml that says what is measured, shown, claimed and answered."""

    blocks: list[str] = Field(["network", "n"], description="cells that agree in them have their replicates in common")
    explored: Explored = Explored.model_validate({})
    basis: Function = Field("", description="function that returns the scale of an artefact from its `replicates`")
    texts: dict[str, str] = Field({}, description="texts that captions and notes refer to as {name}")
    groups: dict[str, list[str]] = Field({}, description="methods and other groups by a name for them")
    measures: Annotated[dict[str, Measure], BeforeValidator(_like)] = {}
    contests: Annotated[dict[str, Contest], BeforeValidator(_like)] = {}
    tables: dict[FileName, AnyTable] = Field({}, description="by name, in the order of the report")
    figures: dict[FileName, AnyFigure] = Field({}, description="by name, in the order of the report")
    ours: bool = Field(False, description="whether the claims are what we expect, and not what a paper says")
    claims: dict[FileName, Claim] = {}
    experiments: list[str] = Field([], description="computations of the study's package that are no grid")

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
    return ["cutpoint.bench.engine.show", *(f"cutpoint.bench.studies.{study}.{name}" for name in names)]


def digest(declaration: Declaration) -> str:
    """Return 12 hexadecimal digits for what a study declares beside its code."""
    content = declaration.model_dump_json(include=set(Declaration.model_fields))
    return hashlib.sha256(content.encode()).hexdigest()[:12]


class DeclaredStudy(Declaration):
    """What a study declares, with its name, by which its functions are found."""

    name: str

    def function(self, name: str) -> Callable[..., Any]:
        """Return a function of the study: "name" of its study.py, "module.name" of another module of its folder."""
        module, _, own = name.rpartition(".")
        return getattr(import_module(f"cutpoint.bench.studies.{self.name}.{module or 'study'}"), own)


@cache
def declared(study: str) -> DeclaredStudy:
    """Return what a study declares, whose references are looked up where the whole file is checked."""
    file = study_file(study)
    content = {key: value for key, value in read_yaml(file).items() if key in Declaration.model_fields}
    return check(DeclaredStudy, {"name": study, **content}, str(file))


def check_references(declaration: Declaration, file: Path, experiments: Iterable[str]) -> None:
    """Look up everything that a declaration refers to by name; experiments: those of its file."""
    names: dict[str, Iterable[str]] = {
        "measure": declaration.measures,
        "contest": declaration.contests,
        "experiment": experiments,
        "table": declaration.tables,
        "artefact": [*declaration.tables, *declaration.figures],
        "function": [*functions_in(file.parent)],
        "printed table": sorted(path.stem for path in file.parent.glob("printed/*.csv")),
    }
    for key, what, text in _references(declaration):
        if what == "need":
            what, text = "measure", _number_of(text, f"{file}: {key}")
        name = text if what == "function" else split(text)[0]
        if name not in names[what]:
            raise InputError(f"{file}: {key}: unknown {what} {name!r}{suggest(name, names[what])}")


def _number_of(need: str, where: str) -> str:
    """Return the number that an inequality is about, such as "shd[500]"."""
    match = NEED.fullmatch(need)
    if not match or not any(form.fullmatch(match["condition"]) for form in (LOWEST, RANGE, ORDER)):
        raise InputError(
            f"{where}: {need!r}: write NAMES < NAMES, NAMES from LOW to HIGH, or lowest of NAMES is NAMES, and then: "
            "in MEASURE[COLUMN]"
        )
    return match["number"]


def _references(model: BaseModel, place: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the key, the kind and the name of everything that a model refers to."""
    for key, field in type(model).model_fields.items():
        kinds = [extra.to for extra in field.metadata if isinstance(extra, Refers)]
        for where, value in leaves(getattr(model, key), f"{place}{key}"):
            if isinstance(value, BaseModel):
                yield from _references(value, f"{where}.")
            elif value:
                yield from ((where, kind, value) for kind in kinds)


def leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield what lists and mappings hold with its place, or a value that is neither."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, f"{place}.{key}")
    else:
        yield place, value


def split(text: str) -> tuple[str, Any]:
    """Return the name and the column of a text such as "shd[500]" or "shd[child, 500]", None without a column."""
    name, _, rest = text.rstrip("]").partition("[")
    parts = tuple(int(part) if part.isdigit() else part for part in rest.split(", "))
    return name, (parts if len(parts) > 1 else parts[0]) if rest else None


def functions_in(folder: Path) -> Iterable[str]:
    """Yield the names under which a declaration may call the functions of its study, without importing them."""
    for path in sorted(folder.glob("*.py")):
        prefix = "" if path.stem == "study" else f"{path.stem}."
        yield from (prefix + name for name in _functions(path, path.stat().st_mtime_ns))


@cache
def _functions(path: Path, changed: int) -> list[str]:
    return [node.name for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef)]

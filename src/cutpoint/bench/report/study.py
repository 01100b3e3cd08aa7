"""What the report shows of one study."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cutpoint.bench.artefacts.closeness import DIFFERENCE, INSIDE, RANK, WHOLE, held
from cutpoint.bench.artefacts.table import ArtefactTable, absent, interval_text, number
from cutpoint.bench.data.schemas import NO_EDGES
from cutpoint.bench.data.status import OK, UNAVAILABLE
from cutpoint.bench.statistics import verdicts
from cutpoint.method import DEFAULT

if TYPE_CHECKING:
    from cutpoint.bench.workflow.settings import Study

ABSENT = "not available: "
FIRST = ("table_network", "table_methods", "table_worries")  # of a user's own data, stand on the first page
IN_PART = "in part"  # k of n
MOST_ROWS = 60  # methods in a list of the report
GRADES = (
    *(verdicts.REPRODUCED, verdicts.DIRECTION, IN_PART, verdicts.INCONCLUSIVE, verdicts.CONTRADICTED),
    *(verdicts.NOT_COMPARABLE, verdicts.PREVIEW, verdicts.NO_DATA),
)
CLOSE = (
    f"{{Numbers}} published numbers: {{{INSIDE}}} lie in our 95 % interval, the median relative difference is "
    f"{{{DIFFERENCE}}}, and the rank correlation is {{{RANK}}}."
)
COMPARED = f"{{Numbers}} published numbers: the median relative difference is {{{DIFFERENCE}}}."
ENLARGED = 1.4 * 96 / 72  # pixels of a point of a drawing


@dataclass(frozen=True)
class OwnFile:
    """A user's file: its name, the records that were used, rows left out for a missing cell, and cells filled in."""

    source: str
    records: int
    dropped_rows: int = 0
    imputed_cells: int = 0
    command: str = ""  # which makes the report again
    weights: str | None = None  # the column that says how often each row counts

    @property
    def whole(self) -> str:
        """The command that runs all samples, folds and methods."""
        return re.sub(r"--scale \w+", "--scale published", self.command)

    @property
    def title(self) -> str:
        """The heading of the report."""
        return f"What {self.source} says: graphs, thresholds and how sure they are"

    @property
    def line(self) -> str:
        """The records that the numbers are based on."""
        counted = f", each row as often as {self.weights} says" if self.weights else ""
        return (
            f"{self.source}: {self.records} records used{counted}. "
            f"Records left out for missing cells: {self.dropped_rows}. Missing cells imputed: {self.imputed_cells}."
        )


@dataclass(frozen=True)
class OwnNetwork:
    """The network that a user's own data recommend, and how sure that is."""

    label: str  # its method
    page: str  # the network as HTML
    gain: str  # how much likelier a held-out record is than without edges, in nats, with its interval
    default: bool  # whether it is that of the default method, than which none predicts significantly better
    alike: int  # how many methods do not predict significantly worse than any other
    methods: int  # how many there are
    edgeless: bool  # whether the model without edges does not predict significantly worse either
    folds: int  # on which the gain rests
    leader: str = ""  # the method with the highest gain of all, where that has no page and is not shown
    worse: bool = False  # whether another method predicts significantly better than the one that is shown

    @classmethod
    def of(cls, table: ArtefactTable, pages: Mapping[str, str], folds: int) -> OwnNetwork | None:
        """Return the network of the default, or where others predict better that of the best; None without a page.

        table: of all methods, the highest gain first.
        """
        gain, mark = (table.columns.index(name) for name in ("Held-out gain", "Not significantly worse"))
        alike = [row.key for row in table.rows if row.cells[mark].reproduced == "yes"]
        paged = [row for row in table.rows if row.key in pages]
        best = next((row for row in paged if row.key == DEFAULT and row.key in alike), next(iter(paged), None))
        if best is None:
            return None
        first = next(row for row in table.rows if row.key != NO_EDGES)
        default = best.key == DEFAULT and best.key in alike
        leader = "" if default or first is best else first.label
        edgeless, cell = NO_EDGES in alike, best.cells[gain]
        text = f"{number(cell.reproduced, cell.digits)} {interval_text(cell)}".strip()
        counts = len(alike) - edgeless, sum(row.key != NO_EDGES for row in table.rows)
        return cls(best.label, pages[best.key], text, default, *counts, edgeless, folds, leader, best.key not in alike)


@dataclass(frozen=True)
class Picture:
    """A figure."""

    name: str  # of its files
    svg: str  # the drawing
    title: str = ""  # what it shows, in a line
    text: str = ""  # the same in words, for those who cannot see it
    look: str = ""  # what to look at
    png: bytes = field(default=b"", repr=False)  # the same as pixels, of a drawing that may be too large for the page
    endings: Sequence[str] = ("svg",)  # of its files
    background: bool = False  # whether it rests on no run

    @property
    def missing(self) -> str:
        """Why nothing is drawn, or ""."""
        return self.text.removeprefix(ABSENT) if self.text.startswith(ABSENT) else ""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of the page: larger than on paper, where the smallest letters have six points."""
        match = re.search(r'<svg[^>]* width="([0-9.]+)pt" height="([0-9.]+)pt"', self.svg)
        return (round(float(match[1]) * ENLARGED), round(float(match[2]) * ENLARGED)) if match else (0, 0)


@dataclass(frozen=True)
class StudyReport:
    """What the report shows of one study.

    Models are of a study of a user's own data: texts of files by their name, by the label of a method; None of a page,
    which stays beside the report.
    """

    name: str
    title: str
    citation: str
    scale: str
    seed: int
    methods: Sequence[Mapping[str, Any]]  # label, category and settings of every row, in order
    runs: Sequence[Mapping[str, Any]]  # status and message of every run, with its grid, cell and method
    claims: Sequence[Mapping[str, str]]  # rows of claims.csv
    tables: Sequence[ArtefactTable]  # in order
    figures: Sequence[Picture]  # in order
    grids: Sequence[Mapping[str, str]] = ()  # of `grid_rows`
    limits: Sequence[float] = ()  # CPU seconds and megabytes of a run
    references: Sequence[str] = ()  # what the methods and data are cited by
    costs: Sequence[Mapping[str, Any]] = ()  # of `cutpoint.bench.report.provenance.by_method`
    rules: Sequence[Mapping[str, Any]] = ()  # of `cutpoint.bench.report.provenance.by_rule`
    command: str = ""  # the command that makes the results again
    file: OwnFile | None = None  # what it runs on, of a study of a user's own data
    models: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    posterior: bool = False  # whether its probabilities stand on a page beside the report
    network: OwnNetwork | None = None  # what to take of the same study, None where no method has levels
    closeness: Sequence[Mapping[str, str]] = ()  # to published numbers, of `cutpoint.bench.artefacts.closeness`
    agreement: str = ""  # the drawing of them, of `cutpoint.bench.artefacts.closeness`

    @property
    def parts(self) -> list[str]:
        """Which parts have anything to show, in their order."""
        held = {
            "closeness": self.closeness,
            "tables": self.shown_tables,
            "figures": self.shown_figures,
            "claims": self.claims,
            "background": self.background,
            "failures": self.runs,
            "methods": self.methods or self.grids,
            "cost": self.costs if len(self.costs) <= MOST_ROWS else (),
            "reproduce": self.command,
        }
        return [name for name, content in held.items() if content]

    @property
    def whole(self) -> Mapping[str, str] | None:
        """How close all published numbers are but costs, None where there are none."""
        return next((row for row in self.closeness if row["Table"] == WHOLE), None)

    @property
    def close(self) -> str:
        """How close all published numbers are but costs, in a sentence."""
        whole = self.whole
        if whole is None:
            return ""
        return (CLOSE if whole.get(INSIDE) and whole.get(RANK) else COMPARED).format_map(whole)

    @property
    def held(self) -> str:
        """How many judged claims hold, in a sentence."""
        return held(self.claims)

    @property
    def statuses(self) -> dict[str, int]:
        """How many runs ended how, the good ones first."""
        counts = Counter(run["status"] for run in self.runs)
        return dict(sorted(counts.items(), key=lambda item: (item[0] != OK, item[0])))

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Runs without a result by grid, status and message: how many they are, of which methods and cells."""
        groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
        for run in self.runs:
            if run["status"] != OK:
                groups.setdefault((run["grid"], run["status"], run["message"] or ""), []).append(run)
        return [
            {"grid": grid, "status": status, "message": message, "runs": len(runs)}
            | {name: ", ".join(sorted({run[name[:-1]] for run in runs})) for name in ("methods", "cells")}
            for (grid, status, message), runs in sorted(groups.items())
        ]

    @property
    def without_data(self) -> int:
        """How many runs had no data, or no program."""
        return self.statuses.get(UNAVAILABLE, 0)

    @property
    def failed(self) -> int:
        """How many runs had both, and no result."""
        return len(self.runs) - self.statuses.get(OK, 0) - self.without_data

    @property
    def source(self) -> str:
        """Who makes the claims, as in `cutpoint.bench.artefacts.claims`; "" without any."""
        return self.claims[0]["source"] if self.claims else ""

    @property
    def names(self) -> set[str]:
        """Names of the tables and figures that are shown, to which claims may link."""
        figures = [*self.shown_figures, *self.background]
        return {table.name for table in self.shown_tables} | {figure.name for figure in figures}

    @property
    def shown_tables(self) -> list[ArtefactTable]:
        """The tables that hold anything and do not stand on the first page."""
        return [table for table in self.tables if table.name not in FIRST and not why_empty(table)]

    @property
    def shown_figures(self) -> list[Picture]:
        """The figures that are drawn from runs."""
        return [figure for figure in self.figures if not figure.missing and not figure.background]

    @property
    def background(self) -> list[Picture]:
        """The figures that no run changes."""
        return [figure for figure in self.figures if not figure.missing and figure.background]

    @property
    def not_made(self) -> list[tuple[str, str]]:
        """Title and reason of each table and figure without a single number."""
        tables = [(table.title, reason) for table in self.tables if (reason := why_empty(table))]
        return tables + [(figure.title, figure.missing) for figure in self.figures if figure.missing]

    def command_of(self, kind: str) -> str:
        """Return the command that makes the tables or figures again, with the settings of the run; "" of own data."""
        cores = "--cores all"
        return self.command.replace(cores, f"{cores} results/{self.name}/{kind}", 1) if cores in self.command else ""

    @property
    def answers(self) -> list[ArtefactTable]:
        """The tables of the first page."""
        return [table for table in self.tables if table.name in FIRST and not why_empty(table)]

    @property
    def artefacts(self) -> tuple[int, int]:
        """How many tables and figures hold anything, and how many there are."""
        count = len(self.tables) + len(self.figures)
        return count - len(self.not_made), count

    @property
    def score(self) -> dict[str, int]:
        """How many claims got which grade, in the order of GRADES."""
        counts = Counter(claim["grade"] for claim in self.judged)
        return {grade: counts[grade] for grade in GRADES if counts[grade]}

    @property
    def judged(self) -> list[dict[str, Any]]:
        """The claims, each with its grade, one of GRADES, and its inequalities."""
        rows: list[dict[str, Any]] = []
        for row in self.claims:
            if row["part"]:
                rows[-1]["parts"].append(row)
            else:
                grade = row["verdict"] if row["verdict"] in GRADES else IN_PART
                rows.append({**row, "grade": grade, "parts": []})
        return rows


def grid_rows(study: Study, scale: str) -> list[dict[str, str]]:
    """Return the declared keys of grids at a scale, of families of random networks and of experiments, a row each."""
    size, rows = study.scales[scale], []
    for name, grid in study.grids.items():
        made_by = [*(study.noises[each] for each in grid.noises), *(study.resamples[each] for each in grid.resamples)]
        cells = [
            name,
            ", ".join(grid.datasets or size.of("networks", name) or grid.networks),
            ", ".join(map(str, size.of("n", name) or grid.n)),
            str(size.of("replicates", name) or ""),
            "; ".join(map(_keys, made_by)),
        ]
        rows.append(cells)
    rows += [[name, "random networks", "", "", _keys(family)] for name, family in study.random_networks.items()]
    rows += [[name, "experiment", "", "", _keys(size.experiments.get(name, {}))] for name in study.experiments]
    return [dict(zip(("grid", "data", "records", "replicates", "made by"), cells, strict=True)) for cells in rows]


def _keys(declared: Mapping[str, Any]) -> str:
    """Return "key=value" of all that is set, the kind first."""
    parts = sorted(((key, value) for key, value in declared.items() if value), key=lambda part: part[0] != "kind")
    return ", ".join(f"{key}=({_keys(v)})" if isinstance(v, dict) else f"{key}={v}" for key, v in parts)


def why_empty(table: ArtefactTable) -> str:
    """Return why a table has not a single number of ours and nothing that was printed, or ""."""
    cells = [cell for row in table.rows for cell in row.cells]
    if any(not absent(cell) for cell in cells):
        return ""
    reasons = Counter(cell.reason for cell in cells if cell.reason)
    return table.missing or (reasons.most_common(1)[0][0] if reasons else "no rows")

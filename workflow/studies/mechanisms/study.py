"""What is special in comparing mechanisms: SHD over that of Bach by mechanism, and sortability of the data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.data.tiers import TIERS, Tier
from cutpoint.bench.engine import firsts, samples
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.declaration import MEAN
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Grid, Inputs, grid
from cutpoint.bench.engine.numbers import measure
from cutpoint.bench.engine.sentences import shortened
from cutpoint.bench.plots import dots
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.bench.statistics.winners import winners
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import jackknife

MECHANISMS = {"codes": "noisy codes", "linear": "linear equations", "additive": "additive equations"}


class Kind(NamedTuple):
    """Data of one mechanism and size, and its place among the cells of the runs."""

    cell: int
    mechanism: str
    n: int

    @property
    def label(self) -> str:
        """What tables call it."""
        return f"{self.mechanism.capitalize()}, N = {self.n}"

    def row(self, cells: Iterable[Cell]) -> Row:
        """Return the row of a table."""
        return Row(f"{self.mechanism}_{self.n}", self.label, "", tuple(cells))


def runs_of(inputs: Inputs) -> Grid:
    """Return the runs, cells (mechanism, N); their replicates are networks."""
    return grid(inputs, "simulated", "noise", "n")


def kinds_of(inputs: Inputs) -> list[Kind]:
    """Return the kinds of data that were run, in the order of `MECHANISMS`, those of a user last."""
    known = list(MECHANISMS)
    found = [Kind(c, str(mechanism), int(n)) for c, (mechanism, n) in enumerate(runs_of(inputs).cells)]
    return sorted(found, key=lambda kind: known.index(kind.mechanism) if kind.mechanism in known else len(known))


def sortability_table(inputs: Inputs) -> Content:
    """Return the sortabilities of the data sets, a row for each mechanism and N."""
    heads = [f"{name}, {end}" for name in ("Variance", "R2") for end in ("mean", "least", "greatest")]
    return Content("mechanism", heads, [kind.row(_sortabilities(inputs, kind)) for kind in kinds_of(inputs)])


def _sortabilities(inputs: Inputs, kind: Kind) -> Iterator[Cell]:
    """Yield mean, least and greatest of both sortabilities over the data sets of a kind."""
    rows = runs_of(inputs).rows[:, kind.cell].max(0)  # any run on a data set
    for metric in ("var_sortability", "r2_sortability"):
        values = np.asarray(inputs.metrics[metric], float)[rows[rows >= 0]]
        mean = jackknife(values[None])[0].estimate()
        yield Cell(float(mean.value), low=float(mean.low), high=float(mean.high))
        yield from (Cell(float(end(values))) for end in (np.min, np.max))


def tiers_broken(inputs: Inputs) -> list[dict[str, Any]]:
    """Return, by method and data set, the share of the arcs that break tiers and of the edges without direction.

    `coin` is the share of all edges between tiers that would break them if a coin directed those without direction.
    Arcs and edges of all samples of a data set are taken together; where there are none the share is NaN.
    """
    rows = [row for row in samples.rows_of(inputs, "tiers") if row["status"] == "ok"]
    kinds = {method.name: method for method in inputs.methods}
    made = []
    for name in dict.fromkeys(row["method"] for row in rows):
        for dataset in dict.fromkeys(row["dataset"] for row in rows):
            mine = [row for row in rows if (row["method"], row["dataset"]) == (name, dataset)]
            edges, arcs, breaks = (sum(row[key] for row in mine) for key in ("edges", "arcs", "breaks"))
            made.append({
                "method": kinds[name].label if name in kinds else name, "dataset": dataset, "sample": dataset,
                "category": kinds[name].category if name in kinds else "",
                "broken": breaks / arcs if arcs else np.nan, "undirected": 1 - arcs / edges if edges else np.nan,
                "coin": (breaks + (edges - arcs) / 2) / edges if edges else np.nan,
                "edges": edges / len(mine) if mine else np.nan,
            })  # fmt: skip
    return made


def tiers_table(inputs: Inputs) -> Content:
    """Return means over data sets, a row for each method; of the shares with a coin those that no other one beats."""
    rows, found = tiers_broken(inputs), _Tiers.of(inputs)
    about = {row["method"]: row["category"] for row in rows}
    heads = {
        "broken": "arcs that break tiers", "coin": "the same with a coin for the rest",
        "undirected": "edges without direction", "edges": "edges between tiers",
    }  # fmt: skip

    def cells(name: str) -> Iterator[Cell]:
        for head in heads:
            mean = samples.means(np.array([row[head] for row in rows if row["method"] == name]))
            cell = samples.cell(mean, within=(0.0, np.inf if head == "edges" else 1.0))
            yield replace(cell, best=head == "coin" and name in found.fewest)

    said = tiers_answer(inputs)
    made = [Row(name, name, about[name], tuple(cells(name))) for name in found.methods]
    return Content("method", [*heads.values()], made, notes=[said] if said else [])


class _Tiers(NamedTuple):
    """What directions are worth on real data, with a coin for the edges without one.

    Attributes:
        methods: their labels.
        datasets: how many there are.
        directed: float64 [M], share of the edges between tiers that have a direction, mean over data sets.
        fewest: those that no other one beats; none below three data sets.
        better, worse: those that break surely less, and surely more, than a coin alone, all of them together.
        least: the method with the lowest mean, that mean and its interval, adjusted for all of them.
    """

    methods: list[str]
    datasets: int
    directed: np.ndarray
    fewest: list[str]
    better: list[str]
    worse: list[str]
    least: tuple[str, float, float, float] = ("", np.nan, np.nan, np.nan)

    @classmethod
    def of(cls, inputs: Inputs) -> _Tiers:
        """Return those of the experiment."""
        rows = tiers_broken(inputs)
        if not rows:
            return cls([], 0, np.empty(0), [], [], [])
        (methods, datasets), shares = samples.cube(rows, "method", "dataset", value="coin")
        directed = 1 - jackknife(samples.cube(rows, "method", "dataset", value="undirected")[1]).rows[0]
        if len(datasets) < FEWEST:
            return cls(methods, len(datasets), directed, [], [], [])
        found = jackknife(shares)
        low, high = np.clip(found.estimate().interval(comparisons=len(methods)), 0.0, 1.0)
        chosen = (winners(found), high < 0.5, low > 0.5)
        named = [[name for name, there in zip(methods, each, strict=True) if there] for each in chosen]
        i = int(np.nanargmin(found.rows[0]))
        least = methods[i], float(found.rows[0][i]), float(low[i]), float(high[i])
        return cls(methods, len(datasets), directed, named[0], named[1], named[2], least)


def tiers_answer(inputs: Inputs) -> str | None:
    """Say whose directions beat a coin on real data, which methods are tied, and how many edges they direct."""
    found = _Tiers.of(inputs)
    if not found.fewest:
        return None
    better = (
        f"{listed(found.better)} {'break' if found.better[1:] else 'breaks'}" if found.better else "no method breaks"
    )
    name, mean, low, high = found.least
    worse = f", {listed(found.worse)} surely more" if found.worse else ""
    ends = f" [{low:.2f}, {high:.2f}]" if np.isfinite(low) else ""
    lowest = (
        f" The lowest share is that of {name}, {mean:.2f}{ends}: a coin alone has 0.50, and intervals are for all "
        f"{len(found.methods)} together."
    )
    tied = "is the best" if len(found.fewest) == 1 else "are tied for the best"
    names = "all methods" if len(found.fewest) == len(found.methods) > 1 else shortened(found.fewest)
    return (
        f"Directions between tiers of {found.datasets} real data sets, edges without one by a coin: {better} surely "
        f"fewer tiers than a coin alone{worse}; {names} {tied}.{lowest}{_directing(found)}"
    )


def _directing(found: _Tiers) -> str:
    """Say which method directs most of its edges, and how many of theirs the others do."""
    name, share = max(zip(found.methods, found.directed, strict=True), key=lambda one: np.nan_to_num(one[1]))
    rest = [other for label, other in zip(found.methods, found.directed, strict=True) if label != name and other >= 0]
    ends = dict.fromkeys(f"{end(rest):.0%}" for end in (min, max)) if rest else ()
    return f" {name} directs {share:.0%} of its edges, the others {' to '.join(ends)}." if ends else ""


def tiers_said(inputs: Inputs) -> list[str]:
    """Return a sentence for each data set that was to be had: its tiers with their reasons."""
    used = {row["dataset"] for row in samples.rows_of(inputs, "tiers") if row["status"] == "ok"}
    return [f"Tiers of {name}: {_in_order(TIERS[name])}." for name in sorted(used)]


def tiers_lost(inputs: Inputs) -> list[str]:
    """Return a sentence on the data sets that could not be had and one on the runs that failed, where there are any."""
    rows = samples.rows_of(inputs, "tiers")
    lost = sorted({row["dataset"] for row in rows if row["sample"] is None})
    failed = sum(row["status"] != "ok" for row in rows if row["sample"] is not None)
    texts = [f"Not to be had: {', '.join(lost)}; config key mirror names a folder with the files."] if lost else []
    return texts + ([f"{failed} runs failed and are left out."] if failed else [])


def _in_order(tiers: Sequence[Tier]) -> str:
    return "; then ".join(f"{', '.join(tier.columns)} ({tier.why})" for tier in tiers)


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the SHD of every method over that of Bach, a column for each N and mechanism."""
    source = measure(inputs, "relative")
    sizes = sorted({name[1] for name in source.names if name != MEAN})
    shown = [(mechanism, n) for n in sizes for mechanism in MECHANISMS if (mechanism, n) in source.names]
    if not shown:
        raise Absent("no simulated runs")
    return dots.rows_of_dots(
        [dots.Row(method.label, method.category) for method in inputs.methods],
        [
            dots.Column(
                f"{mechanism}\nN = {n:g}",
                [dots.Dot(*source.spread(i, source.names.index((mechanism, n)))) for i in range(len(inputs.methods))],
                (1,),
                log=True,
            )
            for mechanism, n in shown
        ],
        alike=True,
        title=title,
        scale=scale,
    )


def data_answer(inputs: Inputs) -> str | None:
    """Say which methods are unbeaten by all measures on each kind of data, and where the measures disagree."""
    said = firsts.agreement(inputs, "table_firsts")
    return f"Kind of data, noisy codes or linear or additive equations on random networks. {said}" if said else None

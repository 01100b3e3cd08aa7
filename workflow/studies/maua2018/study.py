"""What is special in Mauá 2018: scores against the exact search, and the entropy of a binary variable."""

from __future__ import annotations

import math

import numpy as np

from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.declaration import MEAN, Measure, declared
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns, grouped, measure, strict_mean
from cutpoint.bench.plots import lines
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.learners.information import entropy
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import Statistic

CROSSED, BEST = "search.", "exact"
MEASURES = {"SHD (standard)": "shd_standard", "F1 of the pattern": "f1", "AID (parents)": "parent_aid"}  # beside SHD
FACTORS = {"discretizations": 1, "searches": 3, "scores": 2}  # and which part of the name of a method has it
SINGLE = {"discretizations": "discretization", "searches": "search", "scores": "score"}


def below_the_exact_search(inputs: Inputs, row: Measure) -> Columns:
    """Return how much the score of every row is below that of the exact search on the same codes."""
    widened = inputs.with_metrics(inputs.metrics.assign(score_gap=score_gap(inputs)))
    return grouped(widened, row.grid, tuple(row.cells), "score_gap", tuple(row.by))


def score_gap(inputs: Inputs) -> np.ndarray:
    """Return how much each run's score is below that of the exact search on the same codes, NaN where there is none."""
    table = inputs.metrics
    identity = list(zip(table["method"], table["cell"], table["replicate"], strict=True))
    good = {key: float(s) for key, s, ok in zip(identity, table["score"], table["status"], strict=True) if ok == "ok"}
    gaps = []
    for method, cell, replicate in identity:
        best = good.get((f"{method.rpartition('.')[0]}.{BEST}", cell, replicate), np.nan)
        gaps.append(best - good.get((method, cell, replicate), np.nan))
    return np.array(gaps, float)


def bits(p: float) -> float:
    """Return the entropy in bits of a binary variable with probability p of one value (Mauá 2018, 2.2)."""
    return entropy(np.array([p, 1 - p])) / math.log(2)


def entropy_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the entropy of a binary variable."""
    x = np.linspace(0, 1, 401)
    return lines.curve(
        x,
        np.array([bits(p) for p in x]),
        marked=[(0.5, bits(0.5), "uniform: 1 bit")],
        xlabel="P(X = a)",
        ylabel="H(X) in bits",
        title=title,
        scale=scale,
    )


def effects(inputs: Inputs) -> Content:
    """Return the means of each discretization, score and search over all else that is crossed with it."""
    names = {"SHD": "shd", **MEASURES}
    rows = []
    for what, place in FACTORS.items():
        levels = {title: _levels(inputs, measure(inputs, name), place) for title, name in names.items()}
        for level in levels["SHD"]:
            cells = [_mean(of.get(level), declared(inputs.study).measures[names[t]].digits) for t, of in levels.items()]
            rows.append(Row(f"{what}.{level}", _text(level), SINGLE[what], tuple(cells)))
    return Content("level", list(names), rows)


def _mean(number: Statistic | None, digits: int) -> Cell:
    if number is None:
        return Cell(reason="runs are missing")
    estimate = number.estimate()
    return Cell(float(estimate.value), low=float(estimate.low), high=float(estimate.high), digits=digits)


def _known(inputs: Inputs, columns: Columns) -> dict[str, int]:
    """Return the rows of the crossed methods whose mean is known, by name."""
    means = columns.strict.rows[0][:, columns.names.index(MEAN)]
    there = ((i, method.name) for i, method in enumerate(inputs.methods) if np.isfinite(means[i]))
    return {name: i for i, name in there if name.startswith(CROSSED)}


def _levels(inputs: Inputs, columns: Columns, place: int) -> dict[str, Statistic]:
    """Return the mean of a number by the discretization, score or search of the methods, over the two others."""
    rows: dict[str, list[int]] = {}
    for name, row in _known(inputs, columns).items():
        rows.setdefault(name.split(".")[place], []).append(row)
    means = columns.strict[:, columns.names.index(MEAN)]
    most = max(map(len, rows.values()), default=0)  # of a level with fewer the mean would be of other runs
    return {level: strict_mean(means[each], 0) for level, each in rows.items() if len(each) == most}


def _text(name: str) -> str:
    return name.replace("_", " ")

"""What is special in Mauá 2018: scores against the exact search, and the entropy of a binary variable."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.engine import sentences
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.declaration import MEAN, Measure, declared
from cutpoint.bench.engine.figures import Absent, dot_of
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns, grouped, measure, stack, strict_mean
from cutpoint.bench.plots import dots, heat, lines
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.bench.statistics.winners import winners
from cutpoint.learners.information import entropy
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import Statistic

CROSSED, BEST = "search.", "exact"
MEASURES = {"SHD (standard)": "shd_standard", "F1 of the pattern": "f1", "AID (parents)": "parent_aid"}  # beside SHD
SHOWN = (1, 2)  # of these in the figure
FACTORS = {"discretizations": 1, "searches": 3, "scores": 2}  # and which part of the name of a method has it
SINGLE = {"discretizations": "discretization", "searches": "search", "scores": "score"}


def below_the_exact_search(inputs: Inputs, row: Measure) -> Columns:
    """Return how much the score of every row is below that of the exact search on the same codes."""
    widened = inputs.with_metrics({**inputs.metrics, "score_gap": score_gap(inputs)})
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


def effects_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the mean of each discretization, score and search over all else that is crossed with it."""
    rows = effects(inputs).rows
    kept = [row for row in rows if row.cells[0].reproduced is not None]
    if not kept:
        raise Absent("runs are missing")
    return dots.rows_of_dots(
        [dots.Row(f"{row.category}: {row.label}", "") for row in kept],
        [dots.Column(name, [dot_of(row.cells[k]) for row in kept]) for k, name in enumerate(MEASURES, 1) if k in SHOWN],
        title=title,
        scale=scale,
    )


def crossed_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the mean of each discretization and score, by search."""
    names = [name.split(".")[1:] for name in _known(inputs, measure(inputs, "shd"))]
    if not names:
        raise Absent("runs are missing")
    rows, searches = ([*dict.fromkeys(each)] for each in zip(*((f"{a}.{b}", c) for a, b, c in names), strict=True))
    return heat.heat_maps(
        [_text(row).replace(".", ", ") for row in rows],
        [_text(search) for search in searches],
        [_map(inputs, name, rows, searches) for place, name in enumerate(MEASURES, 1) if place in SHOWN],
        title=title,
        ends=None,
        xlabel="search",
        scale=scale,
    )


def _map(inputs: Inputs, title: str, rows: Sequence[str], searches: Sequence[str]) -> heat.Map:
    columns, digits = measure(inputs, MEASURES[title]), declared(inputs.study).measures[MEASURES[title]].digits
    known, means = _known(inputs, columns), columns.strict[:, columns.names.index(MEAN)]
    values, texts = np.full((len(rows), len(searches)), np.nan), [[""] * len(searches) for _ in rows]
    for (i, row), (j, search) in product(enumerate(rows), enumerate(searches)):
        if (name := f"{CROSSED}{row}.{search}") in known:
            estimate = means[known[name]].estimate()
            values[i, j] = estimate.value
            texts[i][j] = heat.with_interval(float(estimate.value), float(estimate.low), float(estimate.high), digits)
    return heat.Map(title, values, texts)


def learner_answer(inputs: Inputs) -> str | None:
    """Say how discretizations, searches and scores differ in structure, and what a better search gains."""
    gap, shd = measure(inputs, "gap"), measure(inputs, "shd")
    if not any(name.endswith(f".{BEST}") for name in _known(inputs, shd)):
        return None
    if text := sentences.preview("Learner", shd.units[shd.names.index(MEAN)]):
        return text
    parts = [_compared(what, _levels(inputs, shd, place)) for what, place in FACTORS.items()]
    behind = [
        f"{_text(name)} {abs(number.rows[0]):.1f}"
        for name, number in _levels(inputs, gap, FACTORS["searches"]).items()
        if name != BEST
    ]
    less = f" Nats below the best graph on average: {listed(behind)}." if behind else ""
    said = "; ".join(part for part in parts if part)
    return f"Learner, by SHD (Fu), mean over networks and N: {said}.{_otherwise(inputs)}{less}"


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


def _otherwise(inputs: Inputs) -> str:
    """Return where other measures than SHD have other winners, "" where they have the same."""
    said = []
    for what, place in FACTORS.items():
        usual = _verdict(_levels(inputs, measure(inputs, "shd"), place))
        for called, name in MEASURES.items():
            means = _levels(inputs, measure(inputs, name), place)
            verdict = _verdict(means, lower=declared(inputs.study).measures[name].better == "lower")
            if len(means) > 1 and verdict != usual:
                said.append(f"of {what} {verdict} by {called}")
    return f" Other measures disagree: {'; '.join(said)}." if said else ""


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


def _compared(what: str, means: Mapping[str, Statistic]) -> str:
    """Return the mean SHD of each, and which is the best or tied for it; "" of one."""
    if len(means) < 2:
        return ""
    found = {name: float(each.rows[0]) for name, each in means.items()}
    shown = listed([f"{_text(name)} {found[name]:.1f}" for name in sorted(found, key=found.__getitem__)])
    return f"{what} ({shown}): {_verdict(means)}"


def _verdict(means: Mapping[str, Statistic], *, lower: bool = True) -> str:
    if not means:
        return ""
    good = winners(stack([*means.values()]), lower_is_better=lower)
    best = [_text(name) for name, won in zip(means, good, strict=True) if won]
    return f"{best[0]} is the best" if len(best) == 1 else f"{listed(best)} are tied for the best"


def _text(name: str) -> str:
    return name.replace("_", " ")

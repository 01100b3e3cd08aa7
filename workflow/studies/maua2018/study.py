"""What is special in Mauá 2018: scores against the exact search, and the entropy of a binary variable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import entropy

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns, Numbers, grouped, mean_over, number, statistic
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots import lines
from cutpoint.plots.style import Figure

CROSSED, BEST = "search.", "exact"
MEASURES = {"SHD (standard)": "shd_standard", "F1 of the pattern": "f1", "AID (parents)": "parent_aid"}  # beside SHD
FACTORS = {"discretizations": 1, "searches": 3, "scores": 2}  # and which part of the name of a method has it
SINGLE = {"discretizations": "discretization", "searches": "search", "scores": "score"}


def below_the_exact_search(inputs: Inputs, *, grid: str, cells: Sequence[str], by: Sequence[str]) -> Columns:
    """Return how much the score of every row is below that of the exact search on the same codes."""
    widened = inputs.with_metrics(inputs.metrics.assign(score_gap=score_gap(inputs)))
    return grouped(widened, grid, tuple(cells), "score_gap", tuple(by))


def score_gap(inputs: Inputs) -> pd.Series:
    """Return how much each run's score is below that of the exact search on the same codes, NaN where there is none."""
    runs = inputs.metrics.assign(codes=inputs.metrics["method"].str.replace(r"\.[^.]*$", "", regex=True))
    good = runs["score"].where(runs["status"] == OK)
    exact = good.where(runs["method"] == runs["codes"] + f".{BEST}")
    return exact.groupby([runs["codes"], runs["cell"], runs["replicate"]]).transform("max") - good


def entropy_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the entropy in bits of a binary variable by the probability of one of its values (Mauá 2018, 2.2)."""
    x = np.linspace(0, 1, 401)
    return lines.curve(
        x,
        entropy([x, 1 - x], base=2),
        marked=[(0.5, 1.0, "uniform: 1 bit")],
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
        levels = {title: _levels(number(inputs, name), place) for title, name in names.items()}
        for level in levels["SHD"].index:
            cells = [_mean(of, level, inputs.study.measures[names[t]].digits) for t, of in levels.items()]
            rows.append(Row(f"{what}.{level}", level.replace("_", " "), SINGLE[what], tuple(cells)))
    return Content("level", list(names), rows)


def _mean(means: pd.DataFrame, level: str, digits: int) -> Cell:
    if level not in means.index:
        return Cell(reason="runs are missing")
    estimate = statistic(means.loc[[level]])[0].estimate()
    return Cell(float(estimate.value), low=float(estimate.low), high=float(estimate.high), digits=digits)


def _levels(numbers: Numbers, place: int) -> pd.DataFrame:
    """Return the mean of a number by the discretization, score or search of the methods, over the two others."""
    crossed = numbers.rows[numbers.coverage["whole"] & numbers.rows.index.str.startswith(CROSSED)]
    level = crossed.index.str.split(".").str[place].rename("level")
    means = mean_over(crossed.set_index(level, append=True), ["level"])
    size = level.value_counts().reindex(means.index)
    return means[size == size.max()]  # of a level with fewer the mean would be of other runs

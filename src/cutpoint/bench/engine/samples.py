"""What experiments found in several samples, as tables, figures and claims take it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from cutpoint.bench.artefacts.table import Cell, RunScale
from cutpoint.bench.data.metrics import possible
from cutpoint.bench.data.schemas import SAMPLES
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inputs import Inputs, short
from cutpoint.bench.engine.numbers import ANY
from cutpoint.bench.statistics.comparisons import wilson
from cutpoint.bench.statistics.estimates import Statistic, jackknife

SAMPLE = "sample"  # the column of the rows that numbers the samples


def rows_of(inputs: Inputs, experiment: str) -> pd.DataFrame:
    """Return the rows of an experiment, none where it was not run."""
    return inputs.experiments.get(experiment, pd.DataFrame())


def absent(inputs: Inputs, experiment: str) -> str:
    """Return why an experiment has no rows, or none of a run that succeeded, or ""."""
    rows = rows_of(inputs, experiment)
    if "status" in rows and not (rows["status"] == OK).any():
        return short(rows["message"].iloc[0])
    return "" if len(rows) else f"no results of the experiment {experiment}"


def cube(rows: pd.DataFrame, *keys: str, value: str) -> tuple[list[list[Any]], np.ndarray]:
    """Return the values that each key takes, in the order of the rows, and a column as an array over the keys."""
    if rows.empty:
        return [[] for _ in keys], np.empty((0,) * len(keys))
    names = [rows[key].unique().tolist() for key in keys]
    places = pd.MultiIndex.from_product(names, names=keys)
    numbers = rows.set_index([*keys])[value].reindex(places if len(keys) > 1 else names[0])
    return names, numbers.to_numpy(float).reshape([len(each) for each in names])


def means(values: np.ndarray) -> Statistic:
    """Return the means over samples of values [samples, ...], shape [...]; a sample is left out of all together."""
    cells = np.moveaxis(values, 0, -1)
    return jackknife(cells, blocks=np.full(cells.shape[:-1], SAMPLE, object))


def cell(
    number: Statistic,
    *,
    published: float | None = None,
    reason: str = "",
    digits: int = 2,
    within: tuple[float, float] = ANY,
) -> Cell:
    """Return a number as the cell of a table, with its interval within what it can be; the reason stands for NaN."""
    estimate = number.estimate()
    if np.isnan(number.rows[0]):
        return Cell(published=published, reason=reason, digits=digits)
    low, high = (float(end) for end in np.clip(estimate.interval(), *within))
    return Cell(float(estimate.value), published, low, high, digits=digits)


def mean_cell(values: np.ndarray, digits: int = 2) -> Cell:
    """Return the mean over samples, values float64 [samples], as the cell of a table."""
    return cell(means(values), digits=digits)


def share_cell(rows: pd.DataFrame, column: str) -> Cell:
    """Return the share of the samples for which a column is true, or that it counts, with Wilson's interval."""
    return share_of(int(rows[column].sum()), int(rows[SAMPLES].sum()) if SAMPLES in rows else len(rows))


def share_of(successes: int, total: int) -> Cell:
    """Return a share of samples with Wilson's interval."""
    share, low, high = wilson(successes, total)
    return Cell(share, low=low, high=high)


def _mean_of(rows: pd.DataFrame, column: str) -> Cell:
    """Return the mean of a column; of what is true or false it is a share."""
    if rows[column].dtype == bool:
        return share_cell(rows, column)
    return cell(means(rows[column].to_numpy(float)), within=possible(column))


# What a table shows of a column in some rows, by its name in study.yaml
REDUCTIONS: Mapping[str, Callable[[pd.DataFrame, str], Cell]] = {
    "mean": _mean_of,
    "share": share_cell,
    "largest": lambda rows, column: Cell(rows[column].max().item()),
}


def count(inputs: Inputs, experiment: str) -> int:
    """Return the number of samples of an experiment, whose rows may be counts over samples; null is no sample."""
    rows = rows_of(inputs, experiment)
    if SAMPLES in rows:
        return int(rows[SAMPLES].max())
    return rows[SAMPLE].nunique() if len(rows) else 0


def scale_of(inputs: Inputs, experiment: str) -> RunScale:
    """Return the scale with the number of samples of an experiment."""
    return replace(inputs.scale, replicates=count(inputs, experiment))

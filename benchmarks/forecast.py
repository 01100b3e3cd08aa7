"""Measure what methods take by records and columns, and fit what `cutpoint.method.forecast` says before a run.

uv run benchmarks/forecast.py METHOD 1000x20 5000x20  # runs more in data/learn_runs.csv, by records and columns
uv run benchmarks/forecast.py METHOD 2000x30 --unseen # runs that the forecast is tested on, of another graph
uv run benchmarks/forecast.py                         # the fit to all others, in src/cutpoint/method/forecast.csv
"""

import resource
import sys
import time
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import nnls

import cutpoint as cp
from cutpoint.method import forecast
from cutpoint.method.forecast import FITTED, LINE, PACKAGES

RUNS = Path(__file__).parents[1] / "data" / "learn_runs.csv"
FITTED_FILE = Path(forecast.__file__).with_suffix(".csv")
WAYS = {"consensus": (1, 101, 501)}  # columns from which a method goes another way
MOST_RECORDS = {"consensus": 20_000.0}  # that a method looks at


def sparse_lines(records: int, columns: int, seed: int = 0) -> np.ndarray:
    """Return values, float64 [N, n], of a random graph of lines with 1.25 arcs a column."""
    rng, values = np.random.default_rng(seed), np.empty((records, columns), order="F")
    for i in range(columns):
        parents = rng.choice(i, min(i, rng.choice(4, p=[0.25, 0.4, 0.2, 0.15])), replace=False)
        slopes = rng.uniform(0.4, 0.9, len(parents)) * rng.choice([-1, 1], len(parents))
        values[:, i] = values[:, parents] @ slopes + rng.standard_normal(records)
        values[:, i] /= values[:, i].std()
    return values


def measure(method: str, records: int, columns: int) -> None:
    """Run a method once, and keep what it took."""
    unseen = "--unseen" in sys.argv
    values, began, before = sparse_lines(records, columns, seed=int(unseen)), time.process_time(), most_memory()
    cp.learn(values, method)
    seconds, memory = time.process_time() - began, PACKAGES + most_memory() - before + 8e-6 * values.size
    with RUNS.open("a", encoding="utf-8") as file:
        file.write(f"{method},{records},{columns},{seconds:.2f},{memory:.0f},{unseen:d}\n")


def most_memory() -> float:
    """Return the most MB that this process held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def fit(runs: pd.DataFrame) -> list[float]:
    """Return the numbers of a line of forecast.csv; runs of a fifth of a second say nothing of growth."""
    long = runs[runs.seconds > 0.2]
    size = np.column_stack([np.ones(len(long)), np.log(long.records / 1000), np.log(long["columns"] / 100)])
    logs = np.linalg.lstsq(size, np.log(long.seconds), rcond=None)[0]
    cells = 8e-6 * np.column_stack([runs.records * runs["columns"], runs["columns"] ** 2])
    return [np.exp(logs[0]), *logs[1:], *nnls(cells, np.maximum(runs.megabytes - PACKAGES, 0))[0]]


def lines() -> list[dict[str, object]]:
    """Return the lines of forecast.csv: a method, the columns from which it goes a way, and the numbers of the way."""
    runs, fitted = pd.read_csv(RUNS).query("unseen == 0"), []
    for method, own in runs.groupby("method", sort=False):
        ways = WAYS.get(str(method), (1,))
        for first, end in zip(ways, (*ways[1:], np.inf), strict=True):
            numbers = map("{:.4g}".format, fit(own[(own["columns"] >= first) & (own["columns"] < end)]))
            line = dict(zip(LINE, (method, first, MOST_RECORDS.get(str(method), np.inf)), strict=True))
            fitted.append(line | dict(zip(FITTED, numbers, strict=True)))
    return fitted


if len(sys.argv) > 1:
    cp.learn(sparse_lines(200, 6), sys.argv[1])  # compiles it; each run is a child, so that its memory is its own
    for size in (each for each in sys.argv[2:] if each != "--unseen"):
        child = get_context("fork").Process(target=measure, args=(sys.argv[1], *map(int, size.split("x"))))
        child.start()
        child.join()
else:
    pd.DataFrame(lines()).to_csv(FITTED_FILE, index=False, lineterminator="\n")

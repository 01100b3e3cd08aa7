"""What is special in Fu 2005: normalised scores of real data, edges by family, lines of noise, and four claims."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from cutpoint.bench.studies.fu2005.examples import NETWORKS, SIGMA

from cutpoint.bench.artefacts.table import Row
from cutpoint.bench.data.metrics import possible
from cutpoint.bench.engine.declaration import MEAN
from cutpoint.bench.engine.inequalities import TIE, below, ordered, said_of
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import (
    NOTHING,
    Columns,
    Numbers,
    coverage_of,
    fewest,
    frame,
    grouped,
    mean_over,
    means,
    measure,
    number,
    numbers,
    runs_by_data,
    statistic,
    whole,
)
from cutpoint.bench.engine.tables import Absent, Content
from cutpoint.bench.plots import lines
from cutpoint.bench.statistics import verdicts
from cutpoint.bench.statistics.estimates import jackknife
from cutpoint.bench.statistics.verdicts import Statement, all_of, any_of
from cutpoint.plots.style import Figure

SIZES = (500, 1000, 5000)
SIGMAS = (0.30, 0.35, 0.40)
COMPARABLE = 0.1  # of the reference's distance, in claim F6
NOISY = ("eqwidth3", "monti3", "bach")  # what runs with other noise than SIGMA


def per_edge(inputs: Inputs) -> Inputs:
    """Return the inputs with the standard SHD over the number of true edges, 1 for a graph without edges."""
    runs = inputs.metrics
    return inputs.with_metrics(runs.assign(shd_per_edge=runs["shd_standard"] / runs["true_edges"]))


def spread_by_order(inputs: Inputs) -> Columns:
    """Return the largest less the smallest mean SHD that a method has in the orders of the columns."""
    by_order = {**grouped(inputs, "fixed_orders", ("network", "n", "noise"), "shd_fu2005", ("noise",))}
    mean, orders = by_order.pop(MEAN), [each.rows.to_numpy(float) for each in by_order.values()]
    rows = pd.DataFrame(np.ptp(orders, axis=0) if orders else np.nan, mean.rows.index, mean.rows.columns)
    return {MEAN: replace(mean, rows=rows)}


# Extraneous and missing edges by family: Table V-9

FAMILIES = ("eqfreq", "eqwidth", "friedman", "monti", "steck")


def family_of(name: str) -> str:
    """Return the family of a method, whose members differ in the number of levels only."""
    return name[:-1] if name[:-1] in FAMILIES and name[-1] in "23" else name


def family_edges(inputs: Inputs, *, metric: str) -> Columns:
    """Return extraneous or missing edges over true edges by network, averaged over N and the members of a family."""
    runs = inputs.metrics
    share = f"{metric}_per_edge"
    shared = inputs.with_metrics(runs.assign(**{share: runs[metric] / runs["true_edges"]}))
    by_method = grouped(shared, "simulated", ("network", "n"), share, ("network",))
    return {network: of_families(each) for network, each in by_method.items()}


def of_families(by_method: Numbers) -> Numbers:
    """Return the mean of a number over the members of each family."""
    family = by_method.rows.index.map(family_of).rename("family")
    rows = mean_over(by_method.rows.set_index(family, append=True), ["family"])
    members = by_method.coverage.groupby(family, sort=False)
    coverage = members.agg({"runs": "sum", "expected": "sum", "reason": "first", "whole": "all"})
    return replace(by_method, rows=rows, coverage=coverage)


def family_table(inputs: Inputs) -> Content:
    """Return extraneous and missing edges over true edges, a row per family."""
    kinds = {"extraneous": measure(inputs, "extraneous"), "missing": measure(inputs, "lost")}
    published = inputs.printed("table_V-9_edges")
    networks = sorted({*NETWORKS, *(str(name) for name in kinds["missing"] if name != MEAN)})
    rows, seen = [], set()
    for first in inputs.methods:
        if (name := family_of(first.name)) in seen:
            continue
        seen.add(name)
        line = published.get(name, {})
        cells = [
            columns.get(network, NOTHING).cell(name, line.get(f"{network}_{kind}"))
            for network in networks
            for kind, columns in kinds.items()
        ]
        label = first.label if name == first.name else name.capitalize()
        rows.append(Row(name, label, first.category, tuple(cells)))
    heads = [f"{network}, {kind}" for network in networks for kind in kinds]
    panels = [(network.capitalize(), range(2 * i, 2 * i + 2)) for i, network in enumerate(networks)]
    return Content("method", heads, rows, panels)


# Real data: Tables V-11 and V-12, Figure V-11


def pooled(inputs: Inputs, *, metric: str, over: str) -> Columns:
    """Return the mean over data sets of a metric divided by that of a method on the same data set.

    Data sets are the replicates; those without a single successful run do not count.
    """
    values, seconds = (runs_by_data(inputs, "real", name, ("dataset",)) for name in (metric, "seconds"))
    useful = seconds.dropna(axis=1, how="all").columns.unique("dataset")
    by_set = values.T.groupby(level="dataset").mean().reindex(useful).T
    ratio = (by_set / by_set.reindex([over]).iloc[0]).replace([np.inf, -np.inf], np.nan)
    rows = frame(jackknife(ratio.to_numpy(float)[:, None], blocks=["real"], replicates=[*useful]), ratio.index)
    coverage = coverage_of(inputs, inputs.runs("real"), values, over)
    coverage = coverage.assign(runs=ratio.notna().sum(axis=1), expected=len(useful))
    coverage["whole"] = (coverage["runs"] == len(useful)) & (len(useful) > 0)
    log = metric != "kgv_gain"  # which can be below 0; times and calls cannot
    return {MEAN: Numbers(rows, coverage, len(useful), log=log)}


# Noise: Figures V-7 to V-9


def noise(inputs: Inputs, *, n: int, title: str, scale: str) -> Figure:
    """Draw SHD against sigma at one N, not normalized, mean over networks, for what ran with other noise."""
    runs = inputs.runs("sigma")
    if n not in set(runs["n"]):
        raise Absent(f"no runs of the sigma grid with N = {n}")
    by_sigma = [_at_noise(inputs, n, sigma) for sigma in SIGMAS]
    drawn = []
    for method in inputs.methods:
        if method.name not in set(runs["method"]):
            continue
        steps = [each[[method.name]].estimate() for each in by_sigma]
        ends = np.array([(step.value[0], step.low[0], step.high[0]) for step in steps]).T
        numbers = np.clip(ends, *possible("shd_fu2005"))
        drawn.append(lines.Line(method.label, np.array(SIGMAS), *numbers, category=method.category))
    return lines.rows_of_lines(
        [lines.LinePanel("", drawn, "sigma")],
        ylabel="SHD (Fu)",
        title=f"{title}: mean over networks and 95 % interval",
        height=2.2,
        spread=0.0025,
        scale=scale,
    )


# Claims


def comparable(inputs: Inputs) -> list[Statement]:
    """Return F6: binning against integration."""
    shd, rivals = number(inputs, "shd"), inputs.study.members("integrated")
    ours, theirs = shd[["eqwidth3"]], shd[rivals]
    above, below_them = (verdicts.below(each.estimate(), COMPARABLE) for each in (ours - theirs, theirs - ours))
    text = f"Mean SHD of Eqwidth3 differs from the best integrated mean by at most {COMPARABLE}"
    return [said_of(shd, ["eqwidth3", *rivals], text, all_of(above, any_of(below_them)))]


def grows_with_noise(inputs: Inputs) -> list[Statement]:
    """Return F11: raw SHD against noise, averaged over networks."""
    parts = []
    for n in (500, 1000):
        by_sigma = {sigma: _at_noise(inputs, n, sigma) for sigma in SIGMAS}
        low, high = by_sigma[SIGMAS[0]], by_sigma[SIGMAS[-1]]
        for name in NOISY:
            numbers = {f"sigma {sigma:.2f}": each.values_of([name])[name] for sigma, each in by_sigma.items()}
            ends = {f"sigma {sigma:.2f}": each.intervals([name])[name] for sigma, each in by_sigma.items()}
            label = inputs.labels.get(name, name)
            text = f"N = {n}: the slope of the mean SHD of {label} over networks against sigma is above 0"
            test = all_of(below(low[[name]], high[[name]]))  # of three equal steps it is that of the ends
            parts.append(Statement(text, test, numbers, min(low.replicates, high.replicates), intervals=ends))
    return parts


def _at_noise(inputs: Inputs, n: int, sigma: float) -> Numbers:
    """Return the mean raw SHD over networks of every method."""
    if sigma == SIGMA:
        return number(inputs, "shd_by_n", n)
    return number(inputs, "shd_by_noise", (n, sigma))


def nobody_beats_bach(inputs: Inputs) -> list[Statement]:
    """Return F12: nobody beats Bach's method in quality and time; with the ratios of those who do, or come nearest."""
    parts, names = [], inputs.study.members("others of printed", ["bach"])
    for n in SIZES:
        both = {name: number(inputs, name, n) for name in ("shd", "time")}
        kept = [
            any_of(*(below(numbers[["bach"]], numbers[[name]], tie=True) for numbers in both.values()))
            for name in names
        ]
        worse = {name: max(float(each[[name]].rows[0, 0]) for each in both.values()) for name in names}
        compared = [name for name in names if np.isfinite(worse[name])] or ["bach"]
        nearest = min(compared, key=lambda name: worse.get(name, np.inf))
        labelled = [
            (f"{what} of {inputs.labels.get(name, name)}", name, numbers)
            for name in [name for name in names if worse[name] < 1] or [nearest]
            for what, numbers in zip(("SHD", "time"), both.values(), strict=True)
        ]
        values = {text: numbers.values_of([name])[name] for text, name, numbers in labelled}
        ends = {text: numbers.intervals([name])[name] for text, name, numbers in labelled}
        text = f"N = {n}: no method is below Bach in SHD and in time at once"
        parts.append(Statement(text, all_of(*kept), values, both["shd"].replicates, intervals=ends))
    return parts


def bach_is_lowest_most_often(inputs: Inputs) -> list[Statement]:
    """Return F15: Bach has the lowest SHD on more data sets than any other method; a tie counts for all."""
    printed = inputs.study.members("printed")
    names = [method.name for method in inputs.methods if method.name in printed]
    data = runs_by_data(inputs, "simulated", "shd_fu2005", ("network", "n")).loc[names]
    won = (data <= data.min() + TIE).astype(float).where(np.tile(data.notna().all(), (len(data), 1)))
    cells = means(inputs, won)
    shares = mean_over(cells, ["method"])[whole(cells, ["method"])].reindex(names)
    share = numbers(statistic(shares), names, fewest(data), within=(0.0, 1.0))
    text = "Bach has the lowest SHD on more data sets than any other method"
    return [ordered(text, share, ["bach"], [name for name in names if name != "bach"], ">")]

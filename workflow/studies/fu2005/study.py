"""What is special in Fu 2005: normalised scores of real data, edges by family, lines of noise, and four claims."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from cutpoint.bench.studies.fu2005.examples import NETWORKS, SIGMA

from cutpoint.bench.engine.claims import TIE, below, ordered, said_of
from cutpoint.bench.engine.declaration import MEAN, Measure, declared
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Grid, Inputs, grid
from cutpoint.bench.engine.numbers import (
    Columns,
    Numbers,
    grouped,
    measure,
    merge,
    numbers_of,
    over,
    reasons,
    strict_mean,
)
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots import lines
from cutpoint.bench.report.artefacts import Row
from cutpoint.bench.statistics import verdicts
from cutpoint.bench.statistics.verdicts import Statement, all_of, any_of
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import Statistic, jackknife, mean

SIZES = (500, 1000, 5000)
SIGMAS = (0.30, 0.35, 0.40)
COMPARABLE = 0.1  # of the reference's distance, in claim F6
NOISY = ("eqwidth3", "monti3", "bach")  # what runs with other noise than SIGMA


def simulated(inputs: Inputs) -> Grid:
    """Return the simulated grid, cells (network, N)."""
    return grid(inputs, "simulated", "network", "n")


def printed(inputs: Inputs) -> list[str]:
    """Return the methods of the paper."""
    return declared(inputs.study).members("printed")


def per_edge(inputs: Inputs) -> Inputs:
    """Return the inputs with the standard SHD over the number of true edges, 1 for a graph without edges."""
    runs = inputs.metrics
    return inputs.with_metrics(runs.assign(shd_per_edge=runs["shd_standard"] / runs["true_edges"]))


# Extraneous and missing edges by family: Table V-9


def family_of(name: str) -> str:
    """Return the family of a method, whose members differ in the number of levels only."""
    return name[:-1] if name[:-1] in FAMILIES and name[-1] in "23" else name


FAMILIES = ("eqfreq", "eqwidth", "friedman", "monti", "steck")


def families(inputs: Inputs) -> dict[str, list[int]]:
    """Return the places of the methods of each family."""
    rows: dict[str, list[int]] = {}
    for i, method in enumerate(inputs.methods):
        rows.setdefault(family_of(method.name), []).append(i)
    return rows


def family_edges(inputs: Inputs, row: Measure) -> Columns:
    """Return extraneous or missing edges over true edges by network, averaged over N and the members of a family."""
    runs = inputs.metrics
    shared = inputs.with_metrics(runs.assign(**{f"{row.metric}_per_edge": runs[row.metric] / runs["true_edges"]}))
    shares = grouped(shared, "simulated", ("network", "n"), f"{row.metric}_per_edge", ("network",))
    rows = families(inputs)
    return replace(merge(shares, list(rows.values())), rows=tuple(rows))


def family_table(inputs: Inputs) -> Content:
    """Return extraneous and missing edges over true edges, a row per family."""
    kinds = {"extraneous": measure(inputs, "extraneous"), "missing": measure(inputs, "lost")}
    published = inputs.printed("table_V-9_edges")
    networks = sorted({*NETWORKS, *(str(name) for name in kinds["missing"].names if name != MEAN)})
    rows = []
    for i, (name, members) in enumerate(families(inputs).items()):
        line = published.get(name, {})
        cells = [
            columns.cell(i, network, line.get(f"{network}_{kind}"))
            for network in networks
            for kind, columns in kinds.items()
        ]
        first = inputs.methods[members[0]]
        label = first.label if name == first.name else name.capitalize()
        rows.append(Row(name, label, first.category, tuple(cells)))
    heads = [f"{network}, {kind}" for network in networks for kind in kinds]
    panels = [(network.capitalize(), range(2 * i, 2 * i + 2)) for i, network in enumerate(networks)]
    return Content("method", heads, rows, panels)


# Real data: Tables V-11 and V-12, Figure V-11


def pooled(inputs: Inputs, row: Measure) -> Columns:
    """Return the mean over data sets of a metric divided by that of a method on the same data set.

    Data sets are the replicates; those without a single successful run do not count.
    """
    runs, reference = grid(inputs, "real", "dataset"), str(row.over)
    means = mean(runs.cube(row.metric), 2) if runs.cells else np.empty((len(runs.methods), 0))
    ratio = over(Statistic(means[None], ()), runs.index(reference)).rows[0]
    useful = np.flatnonzero(np.asarray(np.isfinite(runs.cube("seconds")).any((0, 2))))
    kept = ratio[:, None, useful]
    values = jackknife(kept, blocks=["real"], replicates=[runs.cells[c] for c in useful])
    whole = np.isfinite(kept).all((1, 2)) & (useful.size > 0)
    return Columns(
        names=(MEAN,),
        values=values,
        strict=values.map(lambda rows: np.where(whole[:, None], rows, np.nan)),
        runs=np.isfinite(kept).sum((1, 2))[:, None],
        expected=np.full((len(means), 1), useful.size),
        reasons=reasons(runs, row.metric, reference, [range(len(runs.cells))]),
        units=(useful.size,),
        log=row.metric != "kgv_gain",  # which can be below 0; times and calls cannot
    )


# Noise: Figures V-7 to V-9


def noise(inputs: Inputs, *, n: int, title: str, scale: str) -> Figure:
    """Draw by how much the SHD rises with sigma at one N, mean over networks, for what ran with other noise."""
    runs = grid(inputs, "sigma", "network", "n", "sigma")
    if not any(cell[1] == n for cell in runs.cells):
        raise Absent(f"no runs of the sigma grid with N = {n}")
    found = [_at_noise(inputs, n, sigma) for sigma in SIGMAS]
    shown = []
    for method, ran in zip(inputs.methods, np.any(runs.rows >= 0, axis=(1, 2)).tolist(), strict=True):
        if not ran:
            continue
        steps = [(each[[method.name]] - found[0][[method.name]]).estimate() for each in found]
        numbers = np.array([(step.value[0], step.low[0], step.high[0]) for step in steps]).T
        shown.append(lines.Line(method.label, np.array(SIGMAS), *numbers, category=method.category))
    return lines.rows_of_lines(
        [lines.Panel("", shown, "sigma")],
        ylabel=f"SHD (Fu) above that at sigma {SIGMAS[0]:.2f}",
        title=f"{title}: mean over networks and 95 % interval",
        height=2.2,
        spread=0.0025,
        scale=scale,
    )


# Claims


def comparable(inputs: Inputs) -> list[Statement]:
    """Return F6: binning against integration."""
    shd, rivals = numbers_of(inputs, measure(inputs, "shd")), declared(inputs.study).members("integrated")
    ours, theirs = shd[["eqwidth3"]], shd[rivals]
    above, below_them = (verdicts.below(each.estimate(), COMPARABLE) for each in (ours - theirs, theirs - ours))
    text = f"Mean SHD of Eqwidth3 differs from the best integrated mean by at most {COMPARABLE}"
    return [said_of(shd, ["eqwidth3", *rivals], text, all_of(above, any_of(below_them)))]


def grows_with_noise(inputs: Inputs) -> list[Statement]:
    """Return F11: raw SHD against noise, averaged over networks."""
    parts = []
    for n in (500, 1000):
        found = {sigma: _at_noise(inputs, n, sigma) for sigma in SIGMAS}
        low, high = found[SIGMAS[0]], found[SIGMAS[-1]]
        for name in NOISY:
            numbers = {f"sigma {sigma:.2f}": each.shown([name])[name] for sigma, each in found.items()}
            ends = {f"sigma {sigma:.2f}": each.intervals([name])[name] for sigma, each in found.items()}
            label = inputs.labels.get(name, name)
            text = f"N = {n}: the slope of the mean SHD of {label} over networks against sigma is above 0"
            test = all_of(below(low[[name]], high[[name]]))  # of three equal steps it is that of the ends
            parts.append(Statement(text, test, numbers, min(low.replicates, high.replicates), intervals=ends))
    return parts


def _at_noise(inputs: Inputs, n: int, sigma: float) -> Numbers:
    """Return the mean raw SHD over networks of every method."""
    if sigma == SIGMA:
        return numbers_of(inputs, measure(inputs, "shd_by_n"), n)
    return numbers_of(inputs, measure(inputs, "shd_by_noise"), (n, sigma))


def nobody_beats_bach(inputs: Inputs) -> list[Statement]:
    """Return F12: nobody beats Bach's method in quality and time; with the ratios of those who do, or come nearest."""
    parts, names = [], declared(inputs.study).members("others of printed", ["bach"])
    for n in SIZES:
        both = {name: numbers_of(inputs, measure(inputs, name), n) for name in ("shd", "time")}
        kept = [
            any_of(*(below(numbers[["bach"]], numbers[[name]], tie=True) for numbers in both.values()))
            for name in names
        ]
        worse = {name: max(float(each[[name]].rows[0, 0]) for each in both.values()) for name in names}
        known = [name for name in names if np.isfinite(worse[name])] or ["bach"]
        nearest = min(known, key=lambda name: worse.get(name, np.inf))
        said = [
            (f"{what} of {inputs.labels.get(name, name)}", name, numbers)
            for name in [name for name in names if worse[name] < 1] or [nearest]
            for what, numbers in zip(("SHD", "time"), both.values(), strict=True)
        ]
        shown = {text: numbers.shown([name])[name] for text, name, numbers in said}
        ends = {text: numbers.intervals([name])[name] for text, name, numbers in said}
        text = f"N = {n}: no method is below Bach in SHD and in time at once"
        parts.append(Statement(text, all_of(*kept), shown, both["shd"].replicates, intervals=ends))
    return parts


def bach_is_lowest_most_often(inputs: Inputs) -> list[Statement]:
    """Return F15: Bach has the lowest SHD on more data sets than any other method; a tie counts for all."""
    runs, names = simulated(inputs), printed(inputs)
    places = [i for i, m in enumerate(inputs.methods) if m.name in names]
    values = runs.cube("shd_fu2005")[places]
    whole = np.isfinite(values).all(0)
    won = np.where(whole, values <= np.where(whole, values, np.inf).min(0, initial=np.inf) + TIE, np.nan)
    shares = strict_mean(runs.means(won), 1)
    numbers = Numbers(
        {inputs.methods[i].name: k for k, i in enumerate(places)}, shares, runs.units(), within=(0.0, 1.0)
    )
    text = "Bach has the lowest SHD on more data sets than any other method"
    return [ordered(text, numbers, ["bach"], [name for name in names if name != "bach"], ">")]

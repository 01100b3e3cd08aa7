"""What is special in the field of 2026: advice and its regret, main effects, and tiers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
from cutpoint.bench.studies.field2026 import advice
from cutpoint.bench.studies.field2026.advice import over_networks
from cutpoint.bench.studies.field2026.losses import FAILED, Losses, by_network, losses_of

from cutpoint.advice import TYPES
from cutpoint.bench.data.status import OK
from cutpoint.bench.data.tiers import TIERS
from cutpoint.bench.engine import samples
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Inputs, Method
from cutpoint.bench.engine.numbers import number
from cutpoint.bench.plots import heat
from cutpoint.bench.report.artefacts import Cell, Row, Scale
from cutpoint.bench.report.explorer import CELL, MEASURES
from cutpoint.bench.statistics.estimates import Estimate
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.plots.style import Figure

CROSSED = re.compile(
    r"field(?P<levels>[235k])(?P<stable>_stable)?\.(?P<discretizer>\w+)\.(?P<score>\w+)(\.(?P<search>\w+))?"
)
CHOICES = ("discretization", "score", "search")
BESIDE = (  # rows of the factorial that are nearest to programs of others
    "field3.equal_frequency.bdeu.hill_climbing",
    "field3.equal_frequency.bic.tabu",
    "field3.equal_frequency.fnml.hill_climbing",
    "field3.hartemink.bdeu.hill_climbing",
    "field_integrated.friedman.bdeu.hill_climbing",
    *("gaussian_bic", "bge", "degenerate_gaussian", "pc_rank"),
)
USUALLY = " / bdeu / hill climbing"  # how the labels of most rows of the figure end
OTHERS = ("others", "densities")  # grids of rows of other programs
DEFAULT = re.compile(r"field([235k]|_integrated)\.\w+\.bdeu\.hill_climbing")


def panel_of(inputs: Inputs) -> Inputs:
    """Return the runs of the sensitivity panel and the rows that it has, networks as replicates."""
    return _of_grid(inputs, "panel")


def additive_of(inputs: Inputs) -> Inputs:
    """Return the runs on additive equations and the rows that were run on them, networks as replicates."""
    return _of_grid(inputs, "additive")


def _of_grid(inputs: Inputs, name: str) -> Inputs:
    inputs = by_network(inputs)
    names = {*inputs.runs(name)["method"]}
    return inputs.with_metrics(inputs.metrics, methods=[method for method in inputs.methods if method.name in names])


def factorial_of(inputs: Inputs) -> Inputs:
    """Return the runs of the factorial and the rows that it has, networks as replicates."""
    inputs = by_network(inputs)
    inside = (method for method in inputs.methods if method.category != "external")  # else of the grid others
    methods = [method for method in inside if not method.name.startswith("panel_")]
    return inputs.with_metrics(inputs.metrics, methods=methods)


def others_of(inputs: Inputs) -> Inputs:
    """Return the runs of other programs, and of rows of the factorial on their data sets, networks as replicates."""
    inputs = by_network(inputs)
    table = inputs.metrics
    theirs = table["grid"].isin(OTHERS)
    beside = (table["grid"] == "factorial") & table["method"].isin(BESIDE)
    kept = theirs | beside & table["cell"].isin(table["cell"][theirs])
    metrics = table[kept].assign(grid="others")
    mine = {*metrics["method"]}
    return inputs.with_metrics(metrics, methods=[method for method in inputs.methods if method.name in mine])


def basis(inputs: Inputs, grids: Sequence[str] | None) -> Scale:
    """Return the scale, with the number of networks of some grids, all for None."""
    runs = inputs.metrics
    counted = runs if grids is None else runs[runs["grid"].isin(grids)]
    of = {*zip(counted["network"], counted["replicate"], strict=True)}
    networks = f"{len(of)} networks; " if of else ""
    about = inputs.scale
    return replace(about, replicates=len(of), text=f"{about.name.capitalize()} scale; {networks}seed {about.seed}.")


def advice_table(inputs: Inputs) -> Content:
    """Return what to use on data of each type and sample size."""
    losses = losses_of(inputs)
    heads = ["Use", "SHD / true edges", "With bins", "SHD with bins", "Bins less no bins", "Rule of thumb"]
    rows = [_advice(losses, kind) for kind in advice.kinds_of(losses)]
    return Content("kind", heads, rows, missing="" if rows else f"fewer than {FEWEST} networks")


def _advice(losses: Losses, kind: advice.Kind) -> Row:
    none = Cell(reason="no such method")
    cells = [Cell(losses.methods[kind.best].label), _loss(kind.loss[kind.best])]
    binned = [] if kind.binned is None else [Cell(losses.methods[kind.binned].label), _loss(kind.loss[kind.binned])]
    difference = none if kind.difference is None else _together(kind.difference, len(losses.mechanisms))
    rule = none if kind.rule is None else _loss(kind.loss[kind.rule])
    key, label = f"{kind.data_type}_{kind.n}", f"{TYPES.get(kind.data_type, kind.data_type)}, N = {kind.n}"
    return Row(key, label, "", (*cells, *(binned or [none, none]), difference, rule))


def _loss(estimate: Estimate, digits: int = 3) -> Cell:
    """Return a loss, which nothing has below 0."""
    return Cell(float(estimate.value), low=max(float(estimate.low), 0.0), high=float(estimate.high), digits=digits)


def _cell(estimate: Estimate, digits: int = 3) -> Cell:
    return Cell(float(estimate.value), low=float(estimate.low), high=float(estimate.high), digits=digits)


def _together(estimate: Estimate, comparisons: int, digits: int = 3) -> Cell:
    """Return a number with an interval that holds together with those of as many others."""
    low, high = estimate.interval(comparisons=comparisons)
    return Cell(float(estimate.value), low=float(low), high=float(high), digits=digits)


def regret_table(inputs: Inputs) -> Content:
    """Return what strategies cost above the best method of each data set."""
    losses = losses_of(inputs)
    regrets = advice.regrets(losses)
    heads = ["All", *(f"N = {n}" for n in losses.sizes), "Less that of the advice"]
    if regrets is None:
        return Content("strategy", heads, (), missing=f"not more than {FEWEST} networks")
    names = regrets.names[:-1]
    rows = [
        Row(
            re.sub(r"\W+", "_", name),
            name.capitalize(),
            "",
            (
                _cell(regrets.regret(name)),
                *(_cell(regrets.regret(name, s)) for s in range(len(losses.sizes))),
                _together(regrets.against(name, advice.ADVISED), len(names) - 1),
            ),
        )
        for name in names
    ]
    count = losses.values[0].size
    note = f"The data type was predicted right in {round(regrets.accuracy * count)} of {count} data sets."
    return Content("strategy", heads, rows, notes=[note])


def _design(losses: Losses) -> tuple[np.ndarray, tuple[list[str], ...]] | None:
    """Return the losses of the full design, float64 [discretization, score, search, N, mechanism, network].

    With the names of the first three factors; None where the runs are no full design of at least two levels each.
    """
    places: dict[tuple[str, str, str], int] = {}
    for i, method in enumerate(losses.methods):
        if match := CROSSED.fullmatch(method.name):
            levels = "" if match["levels"] == "k" else f" {match['levels']}"
            search = "stable" if match["stable"] else str(match["search"])
            places[match["discretizer"] + levels, str(match["score"]), search] = i
    names = tuple(list(dict.fromkeys(key[axis] for key in places)) for axis in range(3))
    full = [(a, b, c) for a in names[0] for b in names[1] for c in names[2]]
    if len(full) != len(places) or min(map(len, names), default=0) < 2:
        return None
    values = losses.values[[places[key] for key in full]]
    values = values.reshape(*map(len, names), *values.shape[1:])
    return np.moveaxis(values, 3, 4), names


def means_table(inputs: Inputs) -> Content:
    """Return the mean loss of each discretization, score and search over all that is crossed with it."""
    losses = losses_of(inputs)
    heads = ["All", *(mechanism.capitalize() for mechanism in losses.mechanisms)]
    design = _design(losses)
    if design is None or len(losses.networks) < FEWEST:
        return Content("level", heads, (), missing="no full design of discretizations, scores and searches")
    values, names = design  # [discretization, score, search, N, mechanism, network]
    rows = []
    for axis, (factor, levels) in enumerate(zip(CHOICES, names, strict=True)):
        crossed = tuple(k for k in range(4) if k != axis)  # and N
        by = values.mean(crossed)  # [levels, mechanisms, networks]
        columns = [over_networks(each).estimate() for each in (by.mean(1), *np.moveaxis(by, 1, 0))]
        for k, level in enumerate(levels):
            rows.append(Row(f"{factor}.{level}", level.replace("_", " "), factor, tuple(_cell(c[k]) for c in columns)))
    return Content("level", heads, rows)


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the loss of each discretization, of what does without and of what is taken, by mechanism and by N."""
    losses = losses_of(inputs)
    if not losses.networks or not losses.methods:
        raise Absent("no runs of the factorial grid")
    by_type = losses.values.mean((2, 3))  # [M, mechanisms]
    taken = {int(losses.values.mean((1, 2, 3)).argmin()), *by_type.argmin(0).tolist()}
    places = [i for i, method in enumerate(losses.methods) if i in taken or _shown(method.name)]
    means = losses.values[places].mean(-1)  # [rows, mechanisms, sizes]
    values = np.column_stack([means.mean((1, 2)), means.mean(2), means.mean(1)])
    categories = list(dict.fromkeys(method.category for method in losses.methods))
    order = sorted(
        range(len(places)), key=lambda k: (categories.index(losses.methods[places[k]].category), values[k, 0])
    )
    columns = ["all", *losses.mechanisms, *(f"N = {n}" for n in losses.sizes)]
    rows = [losses.methods[places[k]].label.removesuffix(USUALLY) for k in order]
    known = [method for method in factorial_of(inputs).methods if not method.competes]
    values = np.vstack([values[order], *(_of_reference(inputs, method, losses) for method in known)])
    texts = [[f"{100 * value:.0f}" if np.isfinite(value) else "" for value in row] for row in values]
    rows += [method.label for method in known]
    return heat.heat_map(rows, columns, values, texts, ends=None, title=title, scale=scale)


def _of_reference(inputs: Inputs, method: Method, losses: Losses) -> np.ndarray:
    """Return the losses of a reference by mechanism, NaN where none has levels, and over mechanisms and for each N."""
    by_type = [number(inputs, "shd", mechanism).sample[method.name] for mechanism in losses.mechanisms]
    return np.array([np.nan, *by_type, *(np.nan for _ in losses.sizes)])


def _shown(name: str) -> bool:
    return bool(DEFAULT.fullmatch(name)) or not name.startswith("field")


def explored(runs: pa.Table) -> pa.Table:
    """Return the runs of the rows in the figure, networks as replicates, with SHD per true edge as in `by_network`."""
    kept = [row for row in runs.to_pylist() if row["grid"] == "factorial" and _shown(row["method"])]
    turn = {pair: k for k, pair in enumerate(sorted({(row["network"], row["replicate"]) for row in kept}))}
    rows = []
    for row in kept:
        one = {name: row[name] for name in (*CELL, "replicate", "method", "status")}
        one |= {"network": "all", "replicate": turn[row["network"], row["replicate"]]}
        good = row["status"] == OK
        if row["status"] in FAILED:
            one |= {"status": OK, "loss": 1.0}
        measured = {name: row[name] if good else None for name, *_ in MEASURES if name in row and "shd" not in name}
        loss = row["shd_standard"] / row["true_edges"] if good and row["shd_standard"] is not None else None
        rows.append({**measured, "loss": loss, **one})
    return pa.Table.from_pylist(rows)


def tiers_ended(inputs: Inputs) -> pd.DataFrame:
    """Return the rows of the experiment on tiers whose runs succeeded."""
    rows = samples.rows_of(inputs, "tiers")
    return rows if rows.empty else rows[rows["status"] == OK]


def tiers_table(inputs: Inputs) -> Content:
    """Return how the learned arcs agree with the tiers, means over data sets, a row for each method.

    Shares are over all samples of a data set: of the edges between tiers that would break them if a coin directed those
    without direction, of the arcs that do, and of the edges without direction; a share of nothing is left out.
    """
    ended, methods = tiers_ended(inputs), {method.name: method for method in inputs.methods}
    heads = ["Broken, a coin for the rest", "Broken", "Without direction"]
    if ended.empty:
        return Content("method", heads, [])
    sums = ended.groupby(["method", "dataset"], sort=False)[["edges", "arcs", "breaks"]].sum()
    edges, arcs, breaks = (sums[key].where(sums[key] > 0) for key in sums)
    breaks, directed = breaks.fillna(0), arcs.fillna(0)
    each_share = ((breaks + (edges - directed) / 2) / edges, breaks / arcs, 1 - directed / edges)
    shares = pd.concat(each_share, axis=1, keys=heads)
    rows = []
    for name, each in shares.groupby(level="method", sort=False):
        cells = [
            samples.cell(samples.means(each[column].to_numpy()), reason="no such arcs", within=(0.0, 1.0))
            for column in each
        ]
        rows.append(methods[name].row(*cells) if name in methods else Row(name, name, "", tuple(cells)))
    return Content("method", heads, rows)


def tiers_of_data(inputs: Inputs) -> list[str]:
    """Return the tiers of each data set that was available, with their reasons."""
    texts = {
        name: "; then ".join(f"{', '.join(tier.columns)} ({tier.why})" for tier in TIERS[name])
        for name in tiers_ended(inputs).get("dataset", ())
    }
    return [f"Tiers of {name}: {texts[name]}." for name in sorted(texts)]


def tiers_failed(inputs: Inputs) -> list[str]:
    """Return which data sets were not available, and how many runs failed."""
    rows = samples.rows_of(inputs, "tiers")
    if rows.empty:
        return []
    lost = sorted({*rows["dataset"][rows["sample"].isna()]})
    failed = int((rows["status"][rows["sample"].notna()] != OK).sum())
    notes = [f"Not available: {', '.join(lost)}; config key mirror names a folder with the files."] if lost else []
    return notes + ([f"{failed} runs failed and are left out."] if failed else [])

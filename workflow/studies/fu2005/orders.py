"""SHD by the order of the columns: how much it decides beside the method, and which order agrees best with the thesis.

The grid `orders` has one data set of each network and N with its columns in many random orders; `fixed_orders` has the
same records, and those of further replicates, in four orders that anybody might have had. Of one data set there are no
intervals: what differs here is the order alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.engine.claims import claims_of
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Grid, Inputs, grid, once
from cutpoint.bench.engine.numbers import Columns, measure
from cutpoint.bench.plots import dots
from cutpoint.bench.report.artefacts import Cell, Row, Scale
from cutpoint.bench.report.claims import judgement
from cutpoint.bench.statistics.ranks import spearman
from cutpoint.bench.statistics.verdicts import NO_DATA, PREVIEW, Judgement
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import above_zero, mean

SIZES = (500, 1000, 5000)
FIXED = ("declared", "alphabetical", "topological", "reversed")  # noises of the grid fixed_orders
SHUFFLED = "shuffled"
ORDERS = {SHUFFLED: "random"} | {name: name for name in FIXED}  # by what a reader calls them
GRIDS = ("simulated", "sigma", "real")  # whose replicates are told where nothing else is said
PARTS = ("method", "order", "network", "rest")
BEST = 8  # methods, as many as are near each other in the thesis
ENDS = ("topological", "reversed")  # of those in the figure


def basis(inputs: Inputs, grids: Sequence[str] | None) -> Scale:
    """Return the scale of what rests on some grids; that of the grid `orders` says what its replicates are."""
    if grids is not None and not grids:
        return replace(inputs.scale, replicates=0)
    scale = inputs.scale_of(*(grids or GRIDS))
    if grids is None or "orders" not in grids:
        return scale
    of = f"{inputs.scale_of('orders').replicates} orders of one data set of each network and N"
    return replace(scale, text=f"{scale.name.capitalize()} scale; {of}; seed {scale.seed}.")


# What the grids hold


def drawn(inputs: Inputs) -> Grid:
    """Return the runs on one data set in random orders, cells (network, N); its replicates are the orders."""
    return grid(inputs, "orders", "network", "n")


@once
def under(inputs: Inputs, order: str) -> Inputs:
    """Return inputs whose simulated runs are those in one order; in random orders those on the same records."""
    grids, replicate = inputs.metrics["grid"], inputs.metrics["replicate"]
    usual, fixed = grids == "simulated", grids == "fixed_orders"
    if order == SHUFFLED:
        chosen = usual & np.isin(replicate, replicate[fixed])
    else:
        chosen = fixed & (inputs.metrics["noise"] == order)
    return inputs.with_metrics({**inputs.metrics, "grid": np.where(chosen, "simulated", np.where(usual, "", grids))})


def logs(shd: np.ndarray) -> np.ndarray:
    """Return logarithms of the distances of single runs."""
    return np.log(above_zero(shd, 1))


def spread(shd: np.ndarray) -> dict[str, np.ndarray]:
    """Return how far the orders are apart, float64 [M] each.

    Args:
        shd: float64 [M, W, R], of methods on the data of networks in R orders.

    Returns:
        ``mean``: over orders and networks; ``sd``: of log SHD over the orders of one data set, the root of the mean of
        its variances; ``range``: greatest less smallest SHD of one data set over their mean, averaged over networks.
        NaN where a run is lacking.
    """
    if shd.shape[2] < 2:
        nothing = np.full(len(shd), np.nan)
        return {"mean": shd.mean((1, 2)), "sd": nothing, "range": nothing}
    return {
        "mean": shd.mean((1, 2)),
        "sd": np.sqrt(logs(shd).var(2, ddof=1).mean(1)),
        "range": (np.ptp(shd, axis=2) / above_zero(shd.mean(2), 1)).mean(1),
    }


def parts(shd: np.ndarray) -> dict[str, float]:
    """Return the shares of the variance of log SHD, which sum to 1, and the standard deviations of two of them.

    The sum of squares about the mean is parted into networks, methods, their interaction (``rest``) and the orders of
    the columns within one method and network (``order``).

    Args:
        shd: float64 [M, W, R], of methods on the data of networks in R orders.

    Returns:
        A share by part; ``over orders``: the standard deviation of log SHD of one method on one data set;
        ``over methods``: that of the means of methods on one data set; ``over the best``: of the best `BEST`.
    """
    x = logs(shd)
    cells, methods, networks = x.mean(2), x.mean((1, 2)), x.mean((0, 2))
    squares = {
        "method": float(((methods - x.mean()) ** 2).mean()),
        "order": float(((x - cells[:, :, None]) ** 2).mean()),
        "network": float(((networks - x.mean()) ** 2).mean()),
        "rest": float(((cells - methods[:, None] - networks + x.mean()) ** 2).mean()),
    }
    total = sum(squares.values())
    shares = {name: value / total if total else np.nan for name, value in squares.items()}
    best = cells[np.argsort(methods, kind="stable")[:BEST]]
    variances = {"orders": x.var(2, ddof=1), "methods": cells.var(0, ddof=1), "the best": best.var(0, ddof=1)}
    return shares | {f"over {name}": float(np.sqrt(each.mean())) for name, each in variances.items()}


def _cube(runs: Grid, n: int) -> np.ndarray:
    """Return the SHD of all methods on the networks at one N, float64 [M, W, R]."""
    return runs.cube("shd_fu2005")[:, [c for c, cell in enumerate(runs.cells) if cell[1] == n]]


def _fixed(inputs: Inputs, n: int) -> dict[str, np.ndarray]:
    """Return the mean SHD over networks of all methods on the first replicate, by the fixed order."""
    runs = grid(inputs, "fixed_orders", "noise", "network", "n")
    shd = runs.cube("shd_fu2005")
    places = {name: [c for c, cell in enumerate(runs.cells) if cell[::2] == (name, n)] for name in FIXED}
    return {name: shd[:, at, 0].mean(1) for name, at in places.items() if at}


def _sizes(inputs: Inputs) -> list[int]:
    """Return the sample sizes that were run, the largest first."""
    return sorted({int(cell[1]) for cell in drawn(inputs).cells}, reverse=True)


# Tables and figure


def table(inputs: Inputs) -> Content:
    """Return SHD by order, a row per method and a panel per N."""
    columns, panels, values = list[str](), [], list[np.ndarray]()
    for n in _sizes(inputs):
        found = _columns(inputs, n)
        panels.append((f"N = {n}", range(len(columns), len(columns) + len(found))))
        columns += [f"{head}, N = {n}" for head in found]
        values += found.values()
    digits = [3 if head.startswith("sd") else 2 for head in columns]
    rows = [
        Row(m.name, m.label, m.category, tuple(_cell(each[i], k) for each, k in zip(values, digits, strict=True)))
        for i, m in enumerate(inputs.methods)
    ]
    return Content("method", columns, rows, panels)


def _columns(inputs: Inputs, n: int) -> Mapping[str, np.ndarray]:
    random, fixed = spread(_cube(drawn(inputs), n)), _fixed(inputs, n)
    empty = np.full(len(inputs.methods), np.nan)
    heads = {"Mean over random orders": "mean", "sd of log SHD": "sd", "Range / mean": "range"}
    return {head: random[key] for head, key in heads.items()} | {
        name.capitalize(): fixed.get(name, empty) for name in FIXED
    }


def _cell(value: float, digits: int = 2) -> Cell:
    return Cell(float(value) if np.isfinite(value) else None, reason="a run is lacking", digits=digits)


def shares(inputs: Inputs) -> Content:
    """Return the shares of the variance of log SHD over the methods of the paper, a row per N."""
    runs, rows, printed = drawn(inputs), [], declared(inputs.study).members("printed")
    methods = [i for i, method in enumerate(inputs.methods) if method.name in printed]
    heads = [f"{name.capitalize()}, %" for name in PARTS]
    heads += ["sd over orders", "sd over methods", f"sd over the best {BEST}"]
    for n in _sizes(inputs):
        shd = _cube(runs, n)[methods]
        whole = shd[np.isfinite(shd).all((1, 2))]
        found = parts(whole) if len(whole) > 1 and whole.shape[2] > 1 else {}
        cells = [_cell(100 * found.get(name, np.nan), 1) for name in PARTS]
        cells += [_cell(found.get(f"over {name}", np.nan), 3) for name in ("orders", "methods", "the best")]
        rows.append(Row(f"n{n}", f"N = {n}", "", tuple(cells)))
    return Content("n", heads, rows)


def agreement(inputs: Inputs) -> Content:
    """Return how near the normalised SHDs of each order are to the printed ones, a row per order."""
    printed = inputs.printed("table_V-4_shd")
    rows = []
    for order, called in ORDERS.items() if not inputs.missing("fixed_orders") else ():
        cells = []
        for n in SIZES:
            ours = _column(measure(under(inputs, order), "shd"), n)
            theirs = np.array([printed.get(m.name, {}).get(f"n{n}", np.nan) for m in inputs.methods])
            gaps = np.abs(ours - theirs)
            cells += [
                Cell(spearman(ours, theirs)[0], reason="fewer than three pairs"),
                Cell(float(mean(gaps, 0)), reason="no runs at this scale"),
            ]
        rows.append(Row(order, called, "", tuple(cells)))
    heads = [f"{head}, N = {n}" for n in SIZES for head in ("Rank correlation", "Mean absolute difference")]
    return Content("order", heads, rows, [(f"N = {n}", range(2 * i, 2 * i + 2)) for i, n in enumerate(SIZES)])


def _column(source: Columns, name: object) -> np.ndarray:
    """Return a column of numbers of all methods, float64 [M], NaN where it was not run."""
    if name not in source.names:
        return np.full(len(source.sample), np.nan)
    return source.sample[:, source.names.index(name)]


@once
def _judged(inputs: Inputs, name: str) -> Judgement:
    return judgement(claims_of(inputs.study)[name], inputs)


def _said(judged: Judgement) -> str:
    """Return a grade with how many inequalities hold."""
    if judged.grade in (NO_DATA, PREVIEW):
        return judged.grade
    return judged.count if judged.grade[0].isdigit() else f"{judged.grade}, {judged.count}"


def claims_table(inputs: Inputs) -> Content:
    """Return the grades of the claims that rest on the simulated runs, a column per order."""
    names = [name for name, row in declared(inputs.study).claims.items() if row.remark == "orders.remark"]
    sources = [inputs, *(under(inputs, order) for order in ORDERS)]
    rows = [Row(name, name, "", tuple(Cell(_said(_judged(each, name))) for each in sources)) for name in names]
    return Content("claim", ("As stated", *map(str.capitalize, ORDERS.values())), rows)


def remark(inputs: Inputs, *, name: str) -> str:
    """Say how a claim is graded in other orders of the columns, "" where its grade is the one stated in all of them."""
    if inputs.missing("fixed_orders") or inputs.missing("simulated"):
        return ""
    found = {order: _judged(under(inputs, order), name) for order in ORDERS}
    known = {order: each for order, each in found.items() if each.grade not in (NO_DATA, PREVIEW)}
    if {each.grade for each in known.values()} <= {_judged(inputs, name).grade}:
        return ""
    orders: dict[str, list[str]] = {}
    for order, each in known.items():
        orders.setdefault(_said(each), []).append(ORDERS[order])
    parts = "; ".join(f"{listed(names)}: {said}" for said, names in orders.items())
    replicates = inputs.scale_of("fixed_orders").replicates
    return f"By the order of the columns, on the same {replicates} replicates: {parts}."


def figure(inputs: Inputs, *, n: int, title: str, scale: str) -> Figure:
    """Draw SHD by the order at one N, a column for each network: of random orders the mean, least and greatest."""
    runs, fixed = drawn(inputs), grid(inputs, "fixed_orders", "network", "n", "noise")
    networks = [cell[0] for cell in runs.cells if cell[1] == n]
    if not networks:
        raise Absent(f"no runs of the orders grid with N = {n}")
    random, other = runs.cube("shd_fu2005"), fixed.cube("shd_fu2005")

    def dot(i: int, network: str) -> dots.Dot:
        found = random[i, runs.cells.index((network, n))]
        first, last = (
            float(other[i, fixed.cells.index(cell), 0]) if cell in fixed.cells else np.nan
            for cell in ((network, n, name) for name in ENDS)
        )
        if not np.isfinite(found).any():
            return dots.Dot(np.nan, ends=(first, last))
        return dots.Dot(np.nanmean(found), np.nanmin(found), np.nanmax(found), ends=(first, last))

    kept = [i for i in range(len(inputs.methods)) if np.isfinite(random[i]).any() or np.isfinite(other[i]).any()]
    return dots.rows_of_dots(
        [dots.Row(inputs.methods[i].label, inputs.methods[i].category) for i in kept],
        [dots.Column(w.capitalize(), [dot(i, w) for i in kept]) for w in networks],
        ends=ENDS,
        title=f"{title}; every network has its own scale",
        scale=scale,
    )

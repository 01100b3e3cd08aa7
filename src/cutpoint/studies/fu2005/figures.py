"""All figures of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from cutpoint.plots import densities, lines, scatter, style
from cutpoint.statistics.draws import cell_means, interval
from cutpoint.studies import figures
from cutpoint.studies.columns import MEAN
from cutpoint.studies.figures import lines_of
from cutpoint.studies.fu2005 import additions, comparisons, evidence
from cutpoint.studies.fu2005.evidence import NETWORKS
from cutpoint.studies.fu2005.examples import ALARM, CHILD, SIGMA, Example, find
from cutpoint.studies.fu2005.obscuring import BINS, FINE, information, samples
from cutpoint.studies.inputs import Data, Grid, Inputs, grid

TIME = "normalised CPU time (Bach = 1, log scale)"
UNITS = {"mpg": "mpg, miles per gallon", "weight": "weight, pounds"}  # of the Cars data


def figure_obscured(inputs: Inputs) -> Figure:
    """Draw Figure I-1: discretization hides a dependence, so that it looks like none."""
    drawn = samples(inputs.scale.seed)
    notes = [
        f"mutual information {information(xy, BINS):.3f} nats\n(in {FINE} intervals {information(xy, FINE):.2f} nats)"
        for _, xy in drawn
    ]
    title = "Figure I-1: two dependent and two independent variables look alike in three intervals"
    return densities.obscured(drawn, bins=BINS, notes=notes, title=title, scale=str(inputs.scale))


def figure_joint(inputs: Inputs, example: Example, name: str) -> Figure:
    """Draw Figures V-1 and V-2: a variable with its parent, continuous and discrete."""
    title = f"Figure {name}: {example.child} ({example.called}) and its only parent in {example.network.capitalize()}"
    title += f"\n{example.note}" if example.note else ""
    pair = find(inputs, example)
    if isinstance(pair, str):
        return style.absent(title, pair, str(inputs.scale))
    return densities.joint(
        pair.joint, sigma=SIGMA, parent=example.parent, child=example.child, title=title, scale=str(inputs.scale)
    )


def figure_marginals(inputs: Inputs) -> Figure:
    """Draw Figure V-3: the marginals of both variables."""
    title = "Figure V-3: marginal distributions of the simulated values"
    shown = []
    for example in (CHILD, ALARM):
        pair = find(inputs, example)
        if isinstance(pair, str):
            return style.absent(title, pair, str(inputs.scale))
        shown.append((f"{example.network.capitalize()}, {example.child} ({example.called})", pair.joint.sum(0)))
    title += f"\n{ALARM.note}"
    return densities.marginals(shown, sigma=SIGMA, title=title, scale=str(inputs.scale))


def points(inputs: Inputs, x: tuple, y: tuple) -> list[scatter.Point]:
    """Return one point per method from two columns: (columns, name, printed table, printed column) each."""

    def at(source: tuple, i: int) -> tuple[float, float]:
        columns, name, table, column = source
        cell = columns.cell(i, name)
        value = np.nan if cell.reproduced is None else float(cell.reproduced)
        return value, inputs.printed(table).get(inputs.methods[i].name, {}).get(column, np.nan)

    found = []
    for i, method in enumerate(inputs.methods):
        (mine_x, theirs_x), (mine_y, theirs_y) = at(x, i), at(y, i)
        found.append(scatter.Point(method.label, method.category, mine_x, mine_y, theirs_x, theirs_y))
    return found


def figure_tradeoff(inputs: Inputs, name: str, n: int) -> Figure:
    """Draw Figures V-4 to V-6: normalised time against normalised SHD at one N."""
    time, shd = evidence.by_size(inputs, "seconds"), evidence.by_size(inputs, "shd_fu2005")
    shown = points(inputs, (time, n, "table_V-5_time", f"n{n}"), (shd, n, "table_V-4_shd", f"n{n}"))
    note = "" if n in shd.names else " - not available: no runs at this scale, published values only"
    return scatter.tradeoff(
        shown,
        xlabel=TIME,
        ylabel="normalised SHD (Bach = 1, lower is better)",
        title=f"Figure {name}: normalised time against normalised SHD, N = {n}{note}; best at the lower left",
        scale=str(inputs.scale),
    )


def figure_real(inputs: Inputs) -> Figure:
    """Draw Figure V-11: normalised time against normalised score of the real data, best at the bottom."""
    time, score = evidence.real(inputs, "seconds")[0], evidence.real(inputs, "kgv_gain")[0]
    table = "table_V-11_real"
    shown = points(inputs, (time, MEAN, table, "time"), (score, MEAN, table, "score"))
    reason = inputs.missing("real")
    note = f"not available: {reason}, published values only" if reason else comparisons.data_sets(inputs).rstrip(".")
    return scatter.tradeoff(
        shown,
        xlabel=TIME,
        ylabel="normalised score (Bach = 1, axis points down)",
        title=f"Figure V-11: normalised time against normalised score on real data; best at the lower left\n{note}",
        scale=str(inputs.scale),
        flip=True,
    )


def _noise_lines(inputs: Inputs, sources: list[tuple[float | None, Grid]], network: str, n: int) -> list[lines.Line]:
    """Return SHD against sigma for every method with runs of the sigma grid."""
    found = []
    for i, method in enumerate(inputs.methods):
        if not (sources[1][1].rows[i] >= 0).any():
            continue
        rows = []
        for fixed, runs in sources:
            means = inputs.once(("raw", id(runs)), lambda runs=runs: cell_means(runs.cube("shd_fu2005"), runs.weights))
            for c, cell in enumerate(runs.cells):
                if cell[:2] == (network, n):
                    draws = means[:, i, c]
                    low, high = interval(draws[1:]) if runs.units([c]) > 1 else (np.nan, np.nan)
                    rows.append((cell[2] if fixed is None else fixed, draws[0], float(low), float(high)))
        table = np.array(sorted(rows), float).reshape(-1, 4).T
        found.append(lines.Line(method.label, *table))
    return found


def figure_noise(inputs: Inputs, name: str, n: int) -> Figure:
    """Draw Figures V-7 to V-9: SHD against sigma by network at one N."""
    title = f"Figure {name}: SHD against the noise, N = {n}"
    runs = grid(inputs, "sigma", "network", "n", "sigma")
    if not any(cell[1] == n for cell in runs.cells):
        return style.absent(title, f"no runs of the sigma grid with N = {n}", str(inputs.scale))
    sources = [(SIGMA, evidence.simulated(inputs)), (None, runs)]
    networks = sorted({*NETWORKS, *(cell[0] for cell in runs.cells)})
    shown = [lines.Panel(w.capitalize(), _noise_lines(inputs, sources, w, n), "sigma") for w in networks]
    return lines.rows_of_lines(
        shown,
        ylabel="SHD, paper's convention",
        title=f"{title}: mean and 95 % interval; every network has its own scale",
        share=False,
        spread=0.0025,
        tick="{:.2f}",
        scale=str(inputs.scale),
    )


def most_associated(data: Data) -> tuple[int, int, float]:
    """Return the target, the other variable with the largest Fisher Z against it, and their correlation."""
    target = list(data.variables).index(data.target or "")
    correlation = np.corrcoef(np.asarray(data.values, float), rowvar=False)[target]
    # Fisher's Z rises with the absolute correlation at equal N, so the largest correlation decides.
    strength = np.abs(correlation)
    strength[target] = -1
    other = int(np.argmax(strength))
    return target, other, float(correlation[other])


def figure_cars(inputs: Inputs) -> Figure:
    """Draw Figure V-10: the target of the Cars data against its most associated variable."""
    data = inputs.datasets.get("cars1")
    if data is None or data.status != "ok" or data.target not in data.variables:
        reason = inputs.lost().get("cars1", "no target" if data else "not read")
        return style.absent("Figure V-10: Cars", reason, str(inputs.scale))
    target, other, correlation = most_associated(data)
    z = np.arctanh(np.clip(abs(correlation), None, 1 - 1e-12)) * np.sqrt(len(data.values) - 3)
    names = [str(data.variables[i]) for i in (target, other)]
    title = f"Figure V-10: Cars, {names[0]} and {names[1]}\n(correlation {correlation:.2f}, Fisher Z {z:.1f})"
    return densities.cloud(
        data.values[:, other],
        data.values[:, target],
        xlabel=UNITS.get(names[1], names[1]),
        ylabel=UNITS.get(names[0], names[0]),
        title=title,
        scale=str(inputs.scale),
    )


def figure_ranks(inputs: Inputs, which: str, title: str, blocks: str) -> Figure:
    """Draw the critical-difference diagram of one grid."""
    result = additions.ranked(inputs, which)
    return figures.figure_ranks(inputs, result, title=title, blocks=blocks, reason=inputs.missing(which))


def figure_agreement(inputs: Inputs, name: str) -> Figure:
    """Draw published against reproduced numbers of one table."""
    return figures.figure_agreement(inputs, name, additions.PRINTED_TABLES[name])


def figure_cost(inputs: Inputs) -> Figure:
    """Draw CPU seconds of every method against N and against the number of variables."""
    title = "Cost of the methods, discretization and learning; the legend has the dearest first"
    if reason := inputs.missing("simulated"):
        return style.absent(title, reason, str(inputs.scale))
    sizes, networks = evidence.by_size(inputs, "seconds", None), evidence.by_network(inputs, "seconds")
    variables = {name: len(net.variables) for name, net in inputs.networks.items()}
    known = sorted((n for n in networks.names if n in variables), key=lambda n: (variables[n], n))
    by_n = [(float(n), n) for n in sizes.names if n != MEAN]
    by_count = [(float(variables[n]), n) for n in known]
    names = {x: f"{x:g}\n{str(n).capitalize()}" for x, n in by_count}
    means = sizes.values[0, :, sizes.names.index(MEAN)]
    dearest = np.argsort(-np.nan_to_num(means), kind="stable").tolist()
    shown = [
        lines.Panel(
            "by sample size, mean over networks",
            lines_of(inputs, sizes, by_n, dearest, spread=False),
            "N (log scale)",
        ),
        lines.Panel(
            "by network, mean over N",
            lines_of(inputs, networks, by_count, dearest, spread=False),
            "variables of the network (log scale)",
            names,
        ),
    ]
    label = "CPU seconds per run (log scale)"
    return lines.rows_of_lines(shown, ylabel=label, title=title, log=True, height=4.0, scale=str(inputs.scale))


FIGURES: dict[str, Callable[[Inputs], Figure]] = {
    "figure_I-1": figure_obscured,
    "figure_V-1": partial(figure_joint, example=CHILD, name="V-1"),
    "figure_V-2": partial(figure_joint, example=ALARM, name="V-2"),
    "figure_V-3": figure_marginals,
    "figure_V-4": partial(figure_tradeoff, name="V-4", n=500),
    "figure_V-5": partial(figure_tradeoff, name="V-5", n=1000),
    "figure_V-6": partial(figure_tradeoff, name="V-6", n=5000),
    "figure_V-7": partial(figure_noise, name="V-7", n=500),
    "figure_V-8": partial(figure_noise, name="V-8", n=1000),
    "figure_V-9": partial(figure_noise, name="V-9", n=5000),
    "figure_V-10": figure_cars,
    "figure_V-11": figure_real,
    "figure_ranks_simulated": partial(
        figure_ranks, which="simulated", title="Ranks by SHD, simulated data", blocks="cells (network, N)"
    ),
    "figure_ranks_real": partial(
        figure_ranks, which="real", title="Ranks by normalised score, real data", blocks="data sets"
    ),
    **{f"figure_agreement_{name}": partial(figure_agreement, name=name) for name in additions.PRINTED_TABLES},
    "figure_cost": figure_cost,
}

"""All figures of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from matplotlib.figure import Figure

from cutpoint.networks.network import Network
from cutpoint.plots import densities, graphs, lines, style
from cutpoint.report.artefacts import Row
from cutpoint.studies import figures
from cutpoint.studies.figures import lines_of
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.mabrouk2015 import additions, clusters, comparisons, evidence
from cutpoint.studies.mabrouk2015.reversals import figure_2, largest_difference
from cutpoint.studies.numbers import MEAN
from cutpoint.studies.samples import scale_of_one

# X between its parents P, R above and its children V, W below, no node on the way between two others
PLACES = {
    "P": (0.0, 2.2), "R": (2.0, 2.2), "X": (1.0, 1.5), "S": (-0.7, 0.9), "T": (2.7, 0.9), "V": (0.3, 0.0),
    "W": (1.7, 0.0),
}  # fmt: skip
SPREAD = 70.0  # records between the lines of neighbouring methods, so that intervals do not hide each other
WEIGHTS = ("1/6", "1/3", "1/2")  # of the clusters of Figure 1
THOUSANDS = "N in thousands"


def figure_clusters(inputs: Inputs) -> Figure:
    """Draw Figure 1: entropy against clustering on three clusters."""
    values = clusters.sample(inputs.scale.seed)
    found = clusters.thresholds(values)
    named = {"entropy": "Entropy is largest: 3 intervals of equal frequency", "clustering": "Clustering: Ruichu"}
    shown = []
    for kind, title in named.items():
        shares = clusters.shares(values, found[kind])
        expected = WEIGHTS if kind == "clustering" else ("1/3",) * len(WEIGHTS)
        notes = [f"{share:.3f}" for share in shares]
        if len(shares) == len(expected):
            notes = [f"{note}\n(expected {want})" for note, want in zip(notes, expected, strict=True)]
        shown.append(densities.Cuts(title, found[kind], notes))
    title = (
        f"Figure 1: entropy against clustering; {clusters.COUNT} records of clusters of weights {', '.join(WEIGHTS)}"
    )
    title += "\nlines are the cut points found, numbers the shares of the records between them"
    xlabel = f"values 1, 2, 3 with Gaussian noise of sd {clusters.NOISE:g}"
    return densities.intervals(values, shown, xlabel=xlabel, title=title, scale=str(scale_of_one(inputs)))


def arcs(network: Network) -> list[tuple[str, str]]:
    """Return the arcs of a network by the names of their ends."""
    names = network.variables
    return [(names[p], names[i]) for i, parents in enumerate(network.parents) for p in parents]


def figure_reversals(inputs: Inputs) -> Figure:
    """Draw Figure 2: arc reversals, with what they change of the joint distribution."""
    panels = figure_2()
    difference = largest_difference([network for _, network in panels])
    shown, before = [], None
    for title, network in panels:
        found = arcs(network)
        marked = [arc for arc in found if before is not None and arc not in before]
        shown.append(graphs.Graph(title, PLACES, found, marked=marked))
        before = found
    title = (
        "Figure 2: Shachter's arc reversals; heavy arcs are new\nlargest difference between the joint distributions: "
    )
    return graphs.graphs(shown, title=f"{title}{difference:.1e}", scale=str(scale_of_one(inputs)))


def _thousands(places: Sequence[tuple[float, object]], *, apart: float = 1.0) -> dict[float, str]:
    """Return what to write at sizes, nothing where the next is less than a factor apart."""
    sizes = [n for n, _ in places]
    following = [*sizes[1:], float("inf")]
    return {n: f"{n / 1000:g}" if after >= apart * n else "" for n, after in zip(sizes, following, strict=True)}


def _by_size(inputs: Inputs, metrics: Mapping[str, str], *, ylabel: str, title: str) -> Figure:
    """Draw metrics of the structure grid against N, a panel each with a scale of its own."""
    scale = str(inputs.scale_of("structure"))
    if reason := inputs.missing("structure"):
        return style.absent(title, reason, scale)
    shown = []
    for metric, head in metrics.items():
        columns = evidence.by_size(inputs, metric)
        places = [(float(n), n) for n in columns.names if n != MEAN]
        drawn = lines_of(inputs, columns, places, range(len(inputs.methods)), spread=True)
        shown.append(lines.Panel(head, drawn, THOUSANDS, _thousands(places)))
    return lines.rows_of_lines(
        shown, ylabel=ylabel, title=title, height=2.7, share=False, spread=SPREAD, integer=False, scale=scale
    )


def figure_rates(inputs: Inputs) -> Figure:
    """Draw Figure 3: TPR and FPR against N."""
    return _by_size(
        inputs,
        {"tpr_mabrouk2015": "TPR, higher is better", "fpr_mabrouk2015": "FPR, lower is better"},
        ylabel="share of the learned edges",
        title="Figure 3: true and false positive rates as the paper defines them, mean over networks and 95 % interval",
    )


def figure_thresholds(inputs: Inputs) -> Figure:
    """Draw how well the true thresholds are found against N."""
    return _by_size(
        inputs,
        {
            "threshold_error": "Threshold error in sd, lower is better",
            "adjusted_rand": "Adjusted Rand index, higher is better",
        },
        ylabel="mean over variables",
        title="Recovery of the true thresholds, mean over networks and 95 % interval",
    )


def _looks(inputs: Inputs) -> dict[str, tuple[str, str]]:
    """Return colour and marker by the label of a method, those of its line in other figures."""
    looks = [style.look(k) for k in range(len(inputs.methods))]
    return {m.label: (look["color"], look["marker"]) for m, look in zip(inputs.methods, looks, strict=True)}


def _point(row: Row, column: str) -> tuple[str, str]:
    return column.split(", ")[-1], row.label


def figure_agreement(inputs: Inputs, name: str) -> Figure:
    """Draw published against reproduced numbers of one table; methods differ by colour and marker."""
    compared = additions.PRINTED_TABLES[name]
    return figures.figure_agreement(inputs, name, compared, point=_point, looks=_looks(inputs))


def figure_ranks(inputs: Inputs) -> Figure:
    """Draw the critical-difference diagram of the data sets of the structure grid."""
    return figures.figure_ranks(
        inputs,
        additions.ranked(inputs, "f1_pattern"),
        title="Ranks by F1 of the pattern, random networks",
        blocks="data sets (network, N)",
        reason=inputs.missing("structure"),
        scale=inputs.scale_of("structure"),
    )


def figure_cost(inputs: Inputs) -> Figure:
    """Draw CPU seconds of every method on random networks against N and against the number of variables."""
    title, scale = "Cost of the methods, discretization and learning", str(inputs.scale_of("structure"))
    if reason := inputs.missing("structure"):
        return style.absent(title, reason, scale)
    methods = range(len(inputs.methods))
    sizes, groups = evidence.by_size(inputs, "seconds"), evidence.by_variables(inputs, "seconds")
    by_n = [(float(n), n) for n in sizes.names if n != MEAN]
    drawn = lines_of(inputs, sizes, by_n, methods, spread=True)
    shown = [lines.Panel("by sample size", drawn, f"{THOUSANDS} (log scale)", _thousands(by_n, apart=1.2))]
    middle = (evidence.GROUP - 1) / 2
    by_count = [(max(v + middle, 1.0), v) for v in groups.names if v != MEAN]
    if by_count:
        drawn = lines_of(inputs, groups, by_count, methods, spread=True)
        names = {x: comparisons.variables_text(v).removesuffix(" variables") for x, v in by_count}
        shown.append(lines.Panel("by network, mean over N", drawn, "variables of the network (log scale)", names))
    title += ", random networks; mean and 95 % interval"
    return lines.rows_of_lines(
        shown, ylabel="CPU seconds per run (log scale)", title=title, log=True, height=3.0, scale=scale
    )


FIGURES: dict[str, Callable[[Inputs], Figure]] = {
    "figure_1": figure_clusters,
    "figure_2": figure_reversals,
    "figure_3": figure_rates,
    "figure_thresholds": figure_thresholds,
    "figure_agreement_1": partial(figure_agreement, name="1"),
    "figure_agreement_2": partial(figure_agreement, name="2"),
    "figure_ranks": figure_ranks,
    "figure_cost": figure_cost,
}

"""The examples of Figures 1 and 2, computed: thresholds on three clusters, and arc reversals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from cutpoint.bench.studies.mabrouk2015.reversal import reverse_arc

from cutpoint.base.seeds import generator_for
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.plots import densities, graphs
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.mixtures import ruichu
from cutpoint.networks.network import Network
from cutpoint.plots.style import Figure

WEIGHTS = {"1/6": 1 / 6, "1/3": 1 / 3, "1/2": 1 / 2}  # of the clusters around 1, 2 and 3
COUNT, NOISE = 3000, 0.12  # records, and standard deviation around the values 1, 2 and 3
# X has two parents and the children V and W, each with one more parent.
PARENTS = {"P": "", "R": "", "S": "", "T": "", "X": "PR", "V": "XS", "W": "XT"}
STATES = 3
# X between its parents P, R above and its children V, W below, no node on the way between two others
PLACES = {
    "P": (0.0, 2.2), "R": (2.0, 2.2), "X": (1.0, 1.5), "S": (-0.7, 0.9), "T": (2.7, 0.9), "V": (0.3, 0.0),
    "W": (1.7, 0.0),
}  # fmt: skip


def sample(seed: int) -> np.ndarray:
    """Return values 1, 2 and 3 of probabilities WEIGHTS with a little Gaussian noise, float64 [N]."""
    rng = generator_for(seed, "mabrouk2015", "figure_1")
    return 1.0 + rng.choice(len(WEIGHTS), COUNT, p=list(WEIGHTS.values())) + NOISE * rng.standard_normal(COUNT)


def thresholds(values: np.ndarray) -> dict[str, np.ndarray]:
    """Return the thresholds by "entropy" (equal frequency maximises it for 3 levels) and by "clustering"."""
    column, discrete = values[:, None], np.zeros(1, bool)
    return {
        "entropy": equal_frequency(column, discrete, bins=len(WEIGHTS))[0],
        "clustering": ruichu(column, discrete)[0],
    }


def shares(values: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Return the share of the records in each interval, float64 [levels]."""
    return np.bincount(np.searchsorted(cuts, values, side="right"), minlength=len(cuts) + 1) / len(values)


def clusters_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw Figure 1: entropy against clustering on three clusters."""
    values = sample(inputs.scale.seed)
    cuts = thresholds(values)
    panels = {
        "entropy": ("Entropy is largest: 3 intervals of equal frequency", ["1/3"] * len(WEIGHTS)),
        "clustering": ("Clustering: Ruichu", list(WEIGHTS)),
    }
    cuts_of_panels = []
    for kind, (heading, expected) in panels.items():
        notes = [f"{share:.3f}" for share in shares(values, cuts[kind])]
        if len(notes) == len(expected):
            notes = [f"{note}\n(expected {want})" for note, want in zip(notes, expected, strict=True)]
        cuts_of_panels.append(densities.Cuts(heading, cuts[kind], notes))
    xlabel = f"values 1, 2, 3 with Gaussian noise of sd {NOISE:g}"
    return densities.intervals(values, cuts_of_panels, xlabel=xlabel, title=title, scale=scale)


def reversals() -> dict[str, Network]:
    """Return the networks of Figure 2 by title: X -> V of (a) reversed gives (b), then X -> W gives (c).

    X loses its children and gets its Markov blanket as parents. The text of the paper names only X, V and W; the other
    parents are ours, and so are the tables, which are drawn once and for all from Dirichlet(1, .., 1).
    """
    rng = np.random.default_rng(2015)
    names = tuple(PARENTS)
    before = Network(
        name="figure_2",
        variables=names,
        states=(tuple(f"s{k}" for k in range(STATES)),) * len(names),
        parents=tuple(tuple(map(names.index, parents)) for parents in PARENTS.values()),
        tables=tuple(rng.dirichlet(np.ones(STATES), [STATES] * len(parents)) for parents in PARENTS.values()),
    )
    between = reverse_arc(before, "X", "V")
    return {"(a) before": before, "(b) X → V reversed": between, "(c) X → W reversed": reverse_arc(between, "X", "W")}


def largest_difference(networks: Sequence[Network]) -> float:
    """Return by how much the joint distributions differ from the first at most, over all configurations."""
    first, *others = (network.marginal(range(len(network.variables))) for network in networks)
    return max((float(np.abs(joint - first).max()) for joint in others), default=0.0)


def arcs(network: Network) -> list[tuple[str, str]]:
    """Return the arcs of a network by the names of their ends."""
    names = network.variables
    return [(names[p], names[i]) for i, parents in enumerate(network.parents) for p in parents]


def reversals_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw Figure 2: arc reversals, with what they change of the joint distribution."""
    networks = reversals()
    panels, before = [], arcs(networks["(a) before"])
    for heading, network in networks.items():
        now = arcs(network)
        panels.append(graphs.Graph(heading, PLACES, now, marked=[arc for arc in now if arc not in before]))
        before = now
    difference = largest_difference(list(networks.values()))
    return graphs.graphs(panels, title=f"{title}: {difference:.1e}", scale=scale)

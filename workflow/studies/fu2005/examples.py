"""What Fu 2005 shows of its networks and data sets: Tables V-1 to V-3 and V-10, Figures I-1, V-1 to V-3 and V-10."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from cutpoint.bench.studies.fu2005.experiments import NETWORKS, SIGMA
from scipy.special import rel_entr

from cutpoint.base.seeds import generator_for
from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inputs import Data, Inputs
from cutpoint.bench.engine.tables import Absent, Content
from cutpoint.bench.plots import densities
from cutpoint.networks.network import Network, network
from cutpoint.plots.style import Figure

UNITS = {"mpg": "mpg, miles per gallon", "weight": "weight, pounds"}  # of the Cars data
BINS, FINE = 3, 12  # intervals per axis of Figure I-1: what a learner sees, and enough to see more
COUNT, NOISE = 1500, 0.02  # points of Figure I-1, and the standard deviation of their noise
COUNTS = {
    "variables": "Variables",
    "edges": "Edges",
    "max_in_degree": "Max in-degree",
    "max_out_degree": "Max out-degree",
    "domain_min": "Smallest domain",
    "domain_max": "Largest domain",
}
CARDINALITIES = {
    "sample_size": "Rows",
    "discrete": "Discrete",
    "continuous": "Continuous",
    "max_cardinality": "Max cardinality",
    "min_cardinality": "Min cardinality",
    "mean_cardinality": "Mean cardinality",
}


@dataclass(frozen=True)
class Example:
    """A variable and its parent: which network, how the paper calls it, and its printed table."""

    network: str
    child: str
    parent: str
    called: str
    published: str


EXAMPLES = {
    "child": Example("child", "CardiacMixing", "Disease", "X17", "table_V-2_child_X17"),
    "alarm": Example("alarm", "VENTMACH", "MINVOLSET", "X25", "table_V-3_alarm_X25"),
}


@dataclass(frozen=True)
class ParentPair:
    """A variable given its parent.

    Attributes:
        conditional: float64 [parent states, child states], rows sum to 1.
        joint: float64 of the same shape, summing to 1.
        child_states, parent_states: their names.
    """

    conditional: np.ndarray
    joint: np.ndarray
    child_states: tuple[str, ...]
    parent_states: tuple[str, ...]


def network_of(inputs: Inputs, name: str) -> Network:
    """Return a network of the paper, the shipped one where a scale runs without it."""
    return inputs.networks[name] if name in inputs.networks else network(name)


def find(inputs: Inputs, example: Example) -> ParentPair:
    """Return the example from the network file.

    Raises:
        Absent: it is not there.
    """
    found = network_of(inputs, example.network)
    index = {name.lower(): i for i, name in enumerate(found.variables)}
    child, parent = index.get(example.child.lower()), index.get(example.parent.lower())
    if child is None or parent is None or found.parents[child] != (parent,):
        raise Absent(f"{example.child} with the only parent {example.parent} is not in network {example.network}")
    conditional = found.tables[child]
    joint = found.marginal([parent])[:, None] * conditional
    return ParentPair(conditional, joint, found.states[child], found.states[parent])


def _number(value: float | None) -> float | int | None:
    return value if value is None or value != int(value) else int(value)


def networks(inputs: Inputs) -> Content:
    """Return what the network files hold beside what is printed."""
    printed = inputs.printed("table_V-1_networks")
    rows = []
    for name in sorted({*printed, *NETWORKS, *inputs.networks}):
        rows.append(_row(name, COUNTS, network_of(inputs, name).counts(), printed, ""))
    return Content("network", tuple(COUNTS.values()), rows)


def _row(
    name: str, heads: Mapping[str, str], counts: Mapping, printed: Mapping[str, Mapping[str, float]], reason: str
) -> Row:
    """Return what was counted beside what is printed, both by the keys of the headings."""
    line = printed.get(name, {})
    return Row(
        name, name.capitalize(), "", tuple(Cell(counts.get(c), _number(line.get(c)), reason=reason) for c in heads)
    )


def conditional(inputs: Inputs, *, example: str) -> Content:
    """Return the probabilities of a variable given its parent, states in rows as printed."""
    printed = list(inputs.printed(EXAMPLES[example].published).values())
    missing = ""
    try:
        pair = find(inputs, EXAMPLES[example])
        columns, states, values = pair.parent_states, pair.child_states, pair.conditional
    except Absent as reason:
        missing = str(reason)
        columns = tuple(name for name in (printed[0] if printed else {}))
        states = tuple(str(i + 1) for i in range(len(printed)))
        values = np.full((len(columns), len(states)), np.nan)
    rows = []
    for k, state in enumerate(states):
        line = list(printed[k].values()) if k < len(printed) else []
        cells = tuple(
            Cell(float(values[j, k]), line[j] if j < len(line) else None, reason=missing) for j in range(len(columns))
        )
        rows.append(Row(str(k + 1), f"{k + 1}: {state}", "", cells))
    return Content("state", [f"{j + 1}: {name}" for j, name in enumerate(columns)], rows, missing=missing)


def data_sets(inputs: Inputs) -> Content:
    """Return what the real data sets hold beside what is printed."""
    printed = inputs.printed("table_V-10_datasets")
    rows, notes = [], []
    for name in [*printed, *(n for n in sorted(inputs.datasets) if n not in printed)]:
        data = inputs.datasets.get(name)
        if data is None or data.status != OK:
            counts, reason = {}, "no data" if data else "not read"
        else:
            counts, reason = summary(data.variables, data.values, data.discrete, data.uncounted), ""
            if data.uncounted:
                notes.append(f"{name}: {', '.join(data.uncounted)} not counted in the cardinalities.")
            notes += [f"{name}: {note}" for note in data.notes]
        rows.append(_row(name, CARDINALITIES, counts, printed, reason))
    return Content("dataset", tuple(CARDINALITIES.values()), rows, notes=[*notes, *lost_notes(inputs)])


def lost_notes(inputs: Inputs) -> list[str]:
    """Return a sentence on every data set that could not be had."""
    return [f"{name}: {why.removeprefix(f'{name}: ').rstrip('.')}." for name, why in inputs.lost().items()]


def samples(seed: int) -> list[tuple[str, np.ndarray]]:
    """Return a dependent and an independent sample as in Figure I-1, float64 [N, 2] in the unit square.

    The points of Margaritis (2005) are not printed. Here Y is a triangle wave of X with three periods plus a little
    noise, so that within each third of X the values of Y fill the unit interval evenly: a strong dependence that three
    equal intervals per axis cannot see. The independent pair is uniform.
    """
    rng = generator_for(seed, "fu2005", "figure_I-1")
    x = rng.random(COUNT)
    wave = 1 - np.abs((2 * BINS * x) % 2 - 1)
    noisy = wave + NOISE * rng.standard_normal(COUNT)
    y = np.clip(1 - np.abs(1 - np.abs(noisy)), 0, 1)  # reflected at the borders, which keeps it uniform
    return [("dependent", np.column_stack([x, y])), ("independent", rng.random((COUNT, 2)))]


def information(xy: np.ndarray, bins: int) -> float:
    """Return the mutual information in nats of two variables in equal cells of the unit square."""
    edges = np.linspace(0, 1, bins + 1)
    joint = np.histogram2d(xy[:, 0], xy[:, 1], bins=[edges, edges])[0] / len(xy)
    return float(rel_entr(joint, np.outer(joint.sum(1), joint.sum(0))).sum())


def obscured(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw two variables whose dependence discretization hides."""
    drawn = samples(inputs.scale.seed)
    notes = [
        f"mutual information {information(xy, BINS):.3f} nats\n(in {FINE} intervals {information(xy, FINE):.2f} nats)"
        for _, xy in drawn
    ]
    return densities.obscured(drawn, bins=BINS, notes=notes, title=title, scale=scale)


def joint(inputs: Inputs, *, example: str, title: str, scale: str) -> Figure:
    """Draw a variable with its parent, continuous and discrete."""
    one = EXAMPLES[example]
    pair = find(inputs, one)
    return densities.joint(pair.joint, sigma=SIGMA, parent=one.parent, child=one.child, title=title, scale=scale)


def marginals(inputs: Inputs, *, note: str, title: str, scale: str) -> Figure:
    """Draw the marginals of both examples."""
    panels = [
        (f"{one.network.capitalize()}, {one.child} ({one.called})", find(inputs, one).joint.sum(0))
        for one in EXAMPLES.values()
    ]
    return densities.marginals(panels, sigma=SIGMA, title=f"{title}\n{note}", scale=scale)


def most_associated(data: Data) -> tuple[int, int, float]:
    """Return the target, the other variable with the largest Fisher Z against it, and their correlation."""
    target = list(data.variables).index(data.target or "")
    correlation = np.corrcoef(np.asarray(data.values, float), rowvar=False)[target]
    # Fisher's Z rises with the absolute correlation at equal N, so the largest correlation decides.
    strength = np.abs(correlation)
    strength[target] = -1
    other = int(np.argmax(strength))
    return target, other, float(correlation[other])


def cars(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the target of the Cars data against its most associated variable."""
    data = inputs.datasets.get("cars1")
    if data is None or data.status != OK or data.target not in data.variables:
        raise Absent(inputs.lost().get("cars1", "no target" if data else "not read"))
    target, other, correlation = most_associated(data)
    z = np.arctanh(np.clip(abs(correlation), None, 1 - 1e-12)) * np.sqrt(len(data.values) - 3)
    names = [str(data.variables[i]) for i in (target, other)]
    return densities.clouds(
        [densities.Cloud("", data.values[:, [other, target]])],
        names=(UNITS.get(names[1], names[1]), UNITS.get(names[0], names[0])),
        title=f"{title}, {names[0]} and {names[1]}\n(correlation {correlation:.2f}, Fisher Z {z:.1f})",
        scale=scale,
    )


def summary(
    variables: Sequence[str], values: np.ndarray, discrete: np.ndarray, uncounted: Sequence[str] = ()
) -> dict[str, float]:
    """Return the figures of Fu (2005), Table V-10, for values, float64 [N, n]: rows, roles and cardinalities.

    Cardinalities are the most, least and mean number of different values of the continuous columns that are not
    `uncounted`, where there are any.
    """
    counted = [
        len(np.unique(values[:, i])) for i, name in enumerate(variables) if not discrete[i] and name not in uncounted
    ]
    figures: dict[str, float] = {
        "sample_size": len(values),
        "discrete": int(np.sum(discrete)),
        "continuous": int(np.sum(np.logical_not(discrete))),
    }
    if counted:
        figures |= {"max_cardinality": max(counted), "min_cardinality": min(counted)}
        figures["mean_cardinality"] = float(np.mean(counted))
    return figures

"""The numbers of a fitted network, and records under it: likelihoods, forecasts, new ones.

Curves are followed where there are values. All else that is done with a network rests on this.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import logsumexp

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.dags import topological_order, with_ancestors
from cutpoint.graphs.frequencies import EdgeFrequencies
from cutpoint.graphs.patterns import cpdag, meek
from cutpoint.knowledge.knowledge import Knowledge
from cutpoint.models.curves import TABLE, FamilyCurve, features_of
from cutpoint.models.density import SmoothDensity
from cutpoint.networks.network import Network

NODES = np.linspace(-5.0, 5.0, 201)  # normal scores at which a variable is summed over, in units of its spread
TOGETHER = 1000  # records


@dataclass(frozen=True, eq=False)
class ValueScale:
    """Where the values of a continuous variable lie: the means of its levels, its range and its density."""

    means: np.ndarray  # float64 [r], of the records in each level
    least: float
    greatest: float
    density: SmoothDensity | None = None  # the smoothed marginal, None where a file has none
    shares: np.ndarray | None = None  # float64 [r], of the records in each level, None likewise


@dataclass(frozen=True, eq=False, repr=False)
class Fitted:
    """A discrete Bayesian network with the thresholds by which it discretizes new records.

    Attributes:
        network: graph and tables; its states are the names of the levels.
        thresholds: of each variable, with the names of the variables and the states of the discrete ones.
        scales: of the continuous variables by name.
        ess: equivalent sample size of the Dirichlet prior, None where a file does not say.
        records: how many it was fitted to, likewise.
        note: what else to know, such as that a pattern was directed.
        confidence: how often each edge is in the graphs of resamples or of several searches, where that is known.
        knowledge: what was known of arcs and thresholds before anything was learned.
        curves: regressions from which tables were filled, by variable; the others were counted.
        settled: arcs whose direction what was learned settles, beyond those of this graph's class.
        intervals: quantiles 0.05, 0.25, 0.75, 0.95 of the k thresholds over draws, float64 [k, 4], by variable.
    """

    network: Network
    thresholds: Thresholds
    scales: dict[str, ValueScale] = field(default_factory=dict)
    ess: float | None = None
    records: int | None = None
    note: str = ""
    confidence: EdgeFrequencies | None = None
    knowledge: Knowledge | None = None
    curves: dict[str, FamilyCurve] = field(default_factory=dict)
    intervals: dict[str, np.ndarray] = field(default_factory=dict)
    settled: tuple[tuple[str, str], ...] = ()

    @property
    def variables(self) -> list[str]:
        """The names, in the order of the columns of the data."""
        return list(self.network.variables)

    @property
    def dag(self) -> np.ndarray:
        """The arcs, bool [n, n]."""
        return self.network.dag

    @property
    def pattern(self) -> np.ndarray:
        """The class of the graph without what knowledge or interventions exclude, bool [n, n]."""
        pattern = cpdag(self.dag)
        for cause, effect in self.settled:
            pattern[self.place(effect), self.place(cause)] = False
        return meek(pattern) if self.knowledge is None else self.knowledge.oriented(pattern, self.variables)

    def kind(self, name: str) -> str:
        """Return how the parents of a variable act: as a "line", a "curve" or a "table"; "" without any."""
        if not self.network.parents[self.place(name)]:
            return ""
        return self.curves[name].kind if name in self.curves else TABLE

    def density(self, name: str) -> SmoothDensity:
        """Return the smoothed marginal of a continuous variable; an InputError where a file has none."""
        if name not in self.scales or (density := self.scales[name].density) is None:
            raise InputError(f"{name}: the file has no density within levels; read the model's own JSON instead")
        return density

    def place(self, name: str) -> int:
        """Return the place of a variable; an InputError names the nearest one where there is none."""
        if name not in self.network.variables:
            raise InputError(f"unknown variable {name!r}{suggest(str(name), self.variables)}")
        return self.network.variables.index(name)


def codes_of(model: Fitted, place: int, values: np.ndarray) -> np.ndarray:
    """Return the levels of values of a variable, int64 of the same shape; states are their codes."""
    if model.variables[place] in model.scales:
        return np.searchsorted(model.thresholds[place], values, side="right")
    return values.astype(np.int64)


def log_family(model: Fitted, child: int, values: np.ndarray) -> np.ndarray:
    """Return ln p(child | parents) - ln g(child) of records, values float64 [M, n], in nats.

    g is the marginal density of a continuous child, and 1 for a discrete one. Of a table the ratio to the shares of its
    records is compared with g, brought to mass 1, so that levels that follow ties gain nothing.
    """
    name, parents = model.variables[child], model.network.parents[child]
    if (curve := model.curves.get(name)) is not None:
        return _log_curve(model, child, curve, _predictor(model, curve, parents, values), values[:, child])
    codes = codes_of(model, child, values[:, child])
    rows = model.network.tables[child][tuple(codes_of(model, j, values[:, j]) for j in parents)]
    rows = np.broadcast_to(rows, (len(values), rows.shape[-1]))
    if name in model.scales:
        rows = rows * _ratios(model, child, rows)
    with np.errstate(divide="ignore"):
        return np.log(rows[np.arange(len(codes)), codes])


def _ratios(model: Fitted, child: int, rows: np.ndarray) -> np.ndarray:
    """Return what turns probabilities of levels, [M, r], into densities relative to the marginal one."""
    name = model.variables[child]
    masses = model.density(name).masses(model.thresholds[child])
    shares = model.scales[name].shares
    if shares is None or not model.network.parents[child]:
        shares = model.network.tables[child] if not model.network.parents[child] else masses
    return 1 / shares / (rows @ (masses / shares))[:, None]


def _predictor(model: Fitted, curve: FamilyCurve, parents: Sequence[int], values: np.ndarray) -> np.ndarray:
    return curve.predictor(np.hstack([_features(model, j, curve, values[:, j]) for j in parents]))


def _features(model: Fitted, parent: int, curve: FamilyCurve, values: np.ndarray) -> np.ndarray:
    name = model.variables[parent]
    if name in model.scales:
        return features_of(model.density(name).near_scores(values), 0, curve.kind)
    return features_of(values.astype(np.int64), len(model.network.states[parent]), curve.kind)


def _log_curve(model: Fitted, child: int, curve: FamilyCurve, predictor: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return `log_family` by a curve, for values of any shape, of which the predictor has one or a row each."""
    if curve.spread is None:
        logs = predictor - logsumexp(predictor, axis=-1, keepdims=True)
        chosen = np.take_along_axis(logs, values.astype(np.int64)[..., None], -1)[..., 0]
        least = -np.log(logs.shape[-1])
    else:
        chosen, least = curve.gain(predictor, model.density(model.variables[child]).near_scores(values)), 0.0
    return np.logaddexp(chosen + np.log(curve.records), least) - np.log(curve.records + 1)


def expected(model: Fitted, target: int, values: np.ndarray, seen: Sequence[int]) -> np.ndarray | None:
    """Return the mean of a continuous variable given the values of others, float64 [M], in the units of the data.

    It is that under the curves, where the variables seen have the parents of the target and, of those of its children
    that bear on it, all other parents; None elsewhere, and where no family in question has a curve.
    """
    dag, names = model.dag, model.variables
    ancestors = with_ancestors(dag, [target, *seen])
    children = np.flatnonzero(dag[target] & ancestors).tolist()
    blanket = {*np.flatnonzero(dag[:, [target, *children]].any(1)).tolist(), *children} - {target}
    if not blanket <= {*seen} or not any(names[i] in model.curves for i in (target, *children)):
        return None
    parts = [slice(k, k + TOGETHER) for k in range(0, len(values), TOGETHER)]
    return np.concatenate([_expected(model, target, children, values[part]) for part in parts] or [np.empty(0)])


def _expected(model: Fitted, target: int, children: Sequence[int], values: np.ndarray) -> np.ndarray:
    density, curve = model.density(model.variables[target]), model.curves.get(model.variables[target])
    nodes = np.broadcast_to(NODES, (len(values), len(NODES)))
    if curve is not None and curve.spread is not None:
        nodes = NODES * curve.spread + _predictor(model, curve, model.network.parents[target], values)[:, None]
    points = density.quantiles(nodes)
    logs = np.broadcast_to(-0.5 * NODES**2, nodes.shape)
    for child in children if curve is not None else (target, *children):
        logs = logs + _at(model, child, target, values, points)
    weights = np.exp(logs - logs.max(1, keepdims=True))
    return (weights * points).sum(1) / weights.sum(1)


def _at(model: Fitted, child: int, target: int, values: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return `log_family` of a child with the target at each of its points, both [M, K]."""
    repeated = np.repeat(values, points.shape[1], axis=0)
    repeated[:, target] = points.ravel()
    return log_family(model, child, repeated).reshape(points.shape)


def drawn(model: Fitted, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n records, float64 [n, variables], states as their codes: each variable after its parents."""
    values = np.zeros((n, len(model.variables)), order="F")
    for child in topological_order(model.dag):
        name, parents = model.variables[child], model.network.parents[child]
        if (curve := model.curves.get(name)) is not None and curve.spread is not None:
            predictor = _predictor(model, curve, parents, values)
            alone = rng.random(n) * (curve.records + 1) < 1  # the share of the marginal in the mixture
            scores = np.where(alone, 0.0, predictor) + np.where(alone, 1.0, curve.spread) * rng.standard_normal(n)
            values[:, child] = model.density(name).quantiles(scores)
            continue
        table = model.network.tables[child]
        if curve is not None:
            alike = np.full(table.shape[-1], 1 / table.shape[-1])
            rows = curve.shares(_predictor(model, curve, parents, values), np.empty(0), alike)
        else:
            rows = table[tuple(codes_of(model, j, values[:, j]) for j in parents)]
        codes = (rng.random(n)[:, None] > np.cumsum(np.broadcast_to(rows, (n, table.shape[-1])), -1)[:, :-1]).sum(-1)
        values[:, child] = _within(model, child, codes, rng) if name in model.scales else codes
    return values


def _within(model: Fitted, place: int, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return values within levels, drawn by the smoothed density."""
    density, values = model.density(model.variables[place]), np.empty(len(codes))
    edges = np.concatenate([[-np.inf], model.thresholds[place], [np.inf]])
    for level in range(len(edges) - 1):
        rows = np.flatnonzero(codes == level)
        values[rows] = density.draw(edges[level], edges[level + 1], len(rows), rng)
    return values

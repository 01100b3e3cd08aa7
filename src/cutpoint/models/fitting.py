"""The tables of a learned graph, estimated from records, as a method of what was learned.

A parent without thresholds would do nothing, and a table of many parents would not fit into any memory. So each column
with an edge has two levels at least; a table that is too large loses levels first, then parents.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from cutpoint.base.errors import InputError
from cutpoint.base.text import first_of, listed
from cutpoint.data.design import designed, set_in
from cutpoint.data.frames import names_of, read_table
from cutpoint.data.imputation import filled
from cutpoint.data.table import Table
from cutpoint.discretization.binning import halved
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.patterns import consistent_extension, cpdag
from cutpoint.learners.learned import Learned
from cutpoint.models import writing
from cutpoint.models.families import Estimates
from cutpoint.models.model import Model
from cutpoint.networks.network import Network
from cutpoint.options import Missing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def fit(
    learned: Learned,
    values: Any,
    *,
    ess: float = 1.0,
    thresholds: Sequence[np.ndarray] | None = None,
    missing: Missing = "refuse",
    seed: int = 0,
    interventions: Any = None,
    sample_weight: Any = None,
) -> Model:
    """Return the network of a learned graph, its tables estimated from records.

    The probability of level k given the parents' levels u is (N_ku + ess / (r q)) / (N_u + ess / q), with r levels of
    the variable and q configurations of its parents: the mean under the Dirichlet prior of the score BDeu. Where
    `learned.kinds` says that lines or other curves tell more of a variable, its table is filled from a regression
    (`cutpoint.models.families`), and the model keeps that in `curves`. A pattern becomes one of its members; `note`
    says so, and what was added, joined or left out for the size of tables.

    Args:
        learned: what `cutpoint.learn` returned.
        values: records as for `cutpoint.encode`, usually those learned from.
        ess: equivalent sample size of the prior.
        thresholds: in place of those learned, for a method that has none, in the order of its variables.
        missing: of records with a missing cell: "refuse" or "drop" them, or "impute" the cells, see `cutpoint.learn`.
        seed: of what missing cells are filled with; that of `cutpoint.learn` gives the cells that it learned from.
        interventions: as of `cutpoint.learn`: the table of a variable, and its values within levels, rest on the
            records in which it was not set, unless it always was.
        sample_weight: as of `cutpoint.learn`. Without thresholds, graph or usable records there is an InputError.
    """
    if not (isinstance(ess, int | float) and 0 < ess < math.inf):
        raise InputError(f"ess: a number above 0 is expected, not {ess!r}")
    dag, note = _dag(learned)
    lists = _named(learned, thresholds, len(dag))
    values, targets = designed(values, interventions, sample_weight)
    values = values if missing == "refuse" else completed(values, lists, missing, seed)
    data = lists.read(values)
    cuts, added = halved(lists, data, dag)
    lists = lists.moved(cuts)
    parents = [tuple(np.flatnonzero(column).tolist()) for column in dag.T]
    lists, joined = narrowed(lists, encode(data, lists), parents)
    rows: list[Any] = [slice(None)] * len(dag)
    if targets is not None:
        was_set = set_in(targets, lists.names, len(data))
        rows = [slice(None) if each.all() else ~each for each in was_set.T]
    families = Estimates(data, lists, rows, learned.kinds, float(ess))
    with threadpool_limits(1, "blas"):
        parents, dropped = fewer_parents(lists, parents, families.gain)
        fitted = [families.acting(i, of) for i, of in enumerate(parents)]
    silent = [(j, i) for i, (acting, _, _) in enumerate(fitted) for j in parents[i] if j not in acting]
    parents, tables = [acting for acting, _, _ in fitted], tuple(table for _, _, table in fitted)
    states = tuple(tuple(levels) for levels in lists.labels.values())
    network = Network("model", tuple(lists.names), states, tuple(parents), tables)
    limits = notes_of(lists.names, added, [i for i in joined if i not in added], dropped, silent)
    note = "; ".join(filter(None, [note, *limits]))
    knowledge, shares = learned.knowledge, learned.uncertainty.edges if learned.uncertainty else None
    curves = {name: curve for name, (_, curve, _) in zip(lists.names, fitted, strict=True) if curve is not None}
    about = shares, knowledge, curves, _intervals(learned, lists)
    pattern = cpdag(dag) if learned.cpdag is None else np.asarray(learned.cpdag, bool)
    settled = network.dag & pattern & ~pattern.T & cpdag(network.dag).T
    arcs = tuple([(lists.names[i], lists.names[j]) for i, j in np.argwhere(settled)])
    return Model(network, lists, families.scales, float(ess), len(data), note, *about, arcs)


def _intervals(learned: Learned, lists: Thresholds) -> dict[str, np.ndarray]:
    """Return the intervals of draws by variable, of which each holds its threshold."""
    if learned.uncertainty is None or learned.uncertainty.intervals is None:
        return {}
    each = zip(lists.names, lists, learned.uncertainty.intervals, strict=True)
    return {
        name: ends
        for name, cuts, ends in each
        if 0 < len(ends) == len(cuts) and ((ends[:, 0] <= cuts) & (cuts <= ends[:, -1])).all()
    }


def _dag(learned: Learned) -> tuple[np.ndarray, str]:
    """Return the graph as a DAG, and what was done to make it one or speaks against it."""
    if learned.dag is not None:
        chains = learned.uncertainty.diagnostics if learned.uncertainty else None
        agree = chains is None or chains.converged
        return np.asarray(learned.dag, bool), "" if agree else "the chains of the posterior have not converged"
    if learned.cpdag is None:
        raise InputError("fit: no graph was learned")
    pattern = np.asarray(learned.cpdag, bool)
    undirected = int((pattern & pattern.T).sum()) // 2
    dag, exact = consistent_extension(pattern)
    if not exact:
        return dag, "the pattern has no consistent DAG: the graph has its edges, and some other directions or colliders"
    if not undirected:
        return dag, ""
    edges = "1 undirected edge" if undirected == 1 else f"{undirected} undirected edges"
    return dag, f"one member of the learned pattern, whose {edges} may point either way"


def _named(learned: Learned, thresholds: Sequence[np.ndarray] | None, n: int) -> Thresholds:
    """Return the thresholds with names, in the order of the variables of the graph."""
    chosen = learned.thresholds if thresholds is None else thresholds
    if chosen is None:
        hint = 'thresholds=cp.discretize(values, "equal_frequency", bins=3)'
        raise InputError(f"fit: the method has no thresholds, and tables need levels; give some, such as {hint}")
    if len(chosen) != n:
        raise InputError(f"thresholds: {len(chosen)} lists for {n} variables")
    lists = chosen if isinstance(chosen, Thresholds) else Thresholds(chosen)
    if lists.variables is None:
        return Thresholds(lists, learned.variables or lists.names)
    if learned.variables is None or lists.variables == learned.variables:
        return lists
    if {*lists.variables} != {*learned.variables}:
        raise InputError("thresholds: their variables are not those of the graph")
    return lists.of([lists.variables.index(name) for name in learned.variables])


def completed(values: Any, lists: Thresholds, missing: Missing, seed: int) -> Table:
    """Return records without missing cells, columns discrete and continuous as in the thresholds; see `fit`."""
    names = [name for name in names_of(values) or lists.names if name in lists.names]
    states = [name for name in names if name in lists.states]
    return filled(read_table(values, states, [name for name in names if name not in states], missing), seed)


MOST_CELLS = 20_000  # of a table
Parents = list[tuple[int, ...]]
Edges = list[tuple[int, int]]


def narrowed(lists: Thresholds, codes: np.ndarray, parents: Parents) -> tuple[Thresholds, list[int]]:
    """Return thresholds under which fewer tables have more than `MOST_CELLS` cells, and which variables lost levels.

    Neighbouring levels of a continuous column are joined, down to two, while a table of theirs is too large: those that
    lose the least of the entropy of the codes, integer [N, n], for what the table gets smaller.
    """
    cuts, fixed = [*lists], lists.discrete
    counts = [np.bincount(codes[:, i], minlength=len(lists[i]) + 1).astype(float) for i in range(len(lists))]
    families = [(*of, child) for child, of in enumerate(parents)]
    changed: set[int] = set()
    while True:
        large = [family for family in families if math.prod(len(counts[i]) for i in family) > MOST_CELLS]
        open_ = sorted({i for family in large for i in family if not fixed[i] and len(counts[i]) > 2})
        if not open_:
            return lists.moved(cuts), sorted(changed)
        losses = {i: _losses(counts[i]) for i in open_}
        best = min(open_, key=lambda i: losses[i].min() / math.log(len(counts[i]) / (len(counts[i]) - 1)))
        k = int(losses[best].argmin())
        cuts[best] = np.delete(cuts[best], k)
        counts[best] = np.add.reduceat(counts[best], np.delete(np.arange(len(counts[best])), k + 1))
        changed.add(best)


def _losses(counts: np.ndarray) -> np.ndarray:
    """Return N times the entropy that joining each level and the next one loses, in nats, float64 [r - 1]."""
    parts = counts * np.log(np.maximum(counts, 1.0))
    both = counts[:-1] + counts[1:]
    return both * np.log(np.maximum(both, 1.0)) - parts[:-1] - parts[1:]


def fewer_parents(
    lists: Thresholds, parents: Parents, gain: Callable[[int, tuple[int, ...]], float]
) -> tuple[Parents, Edges]:
    """Return parents whose tables have at most `MOST_CELLS` cells, without those that tell least, and lost edges.

    Where no more than half can stay, those that tell most are added one by one, so that families stay small.
    """
    kept, levels = [*parents], [len(cuts) + 1 for cuts in lists]
    for child, of in enumerate(parents):
        gain_of, most = partial(gain, child), MOST_CELLS / levels[child]
        if _cells(levels, of) > most**2:
            of = ()
            while more := [i for i in parents[child] if i not in of and _cells(levels, (*of, i)) <= most]:
                of = max((tuple(sorted((*of, i))) for i in more), key=gain_of)
        while _cells(levels, of) > most and of:
            of = max((tuple(i for i in of if i != each) for each in of), key=gain_of)
        kept[child] = of
    return kept, [(i, child) for child, of in enumerate(parents) for i in of if i not in kept[child]]


def _cells(levels: Sequence[int], variables: Sequence[int]) -> int:
    """Return the number of configurations of variables."""
    return math.prod(levels[i] for i in variables)


def notes_of(names: Sequence[str], added: list[int], joined: list[int], dropped: Edges, silent: Edges) -> list[str]:
    """Return what was limited, in a line each; silent are the edges without effect."""

    def arrows(edges: Edges) -> str:
        return first_of([f"{names[i]} -> {names[j]}" for i, j in edges])

    lines = {
        "left out of the fitted network, whose tables would be too large": arrows(dropped),
        "left out of the fitted network, where their levels change nothing": arrows(silent),
        f"fewer levels, so that tables have at most {MOST_CELLS:,} cells": first_of([names[i] for i in joined]),
        "two levels, parted in the middle, as edges need some": listed([names[i] for i in added]),
    }
    return [f"{what}: {which}" for what, which in lines.items() if which]


class Result(Learned):
    """What `cutpoint.learn` and the searches return: a `Learned` that can be fitted, drawn and converted.

    Graphs of other libraries have its equivalence class, `cpdag`. Drawings show it too, and leave the head of an arrow
    out where fewer than three of four searches agree on it (`shown`).
    """

    @classmethod
    def of(cls, learned: Learned) -> "Result":
        """Return what a method learned as a result."""
        return cls(**{one.name: getattr(learned, one.name) for one in fields(Learned)})

    fit = fit

    def _named(self, graph: np.ndarray | None) -> tuple[list[str], np.ndarray]:
        if graph is None:
            raise InputError("no graph was learned")
        return self.variables or numbered(len(graph)), np.asarray(graph, bool)

    def plot(self) -> "Figure":
        """Return a figure of the graph, parents above children."""
        return writing.figure(*self._named(self.shown()))

    def _repr_svg_(self) -> str | None:
        return None if self._pattern() is None else writing.svg(self.plot())

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz; an edge without a direction has no head."""
        return writing.dot(*self._named(self.shown()))

    def to_networkx(self) -> Any:
        """Return a ``networkx.DiGraph``; an undirected edge is an arc in both directions."""
        return writing.digraph(*self._named(self._pattern()))


@dataclass(repr=False, eq=False)
class Certified(Result):
    """What `cutpoint.certify` returns: a `Result` with the score that no graph and thresholds exceed, `bound`, in nats.

    It is the score itself once this is proven. nodes: how many parts of all graphs and thresholds were bounded.
    """

    bound: float = np.inf
    nodes: int = 0

    @property
    def gap(self) -> float:
        """How far the score may lie below the optimum, nats; 0 is a proof."""
        return max(0.0, self.bound - (self.score or 0.0))

    def __repr__(self) -> str:
        return f"{super().__repr__().replace('<Learned', '<Certified').removesuffix('>')}, gap {self.gap:.3g}>"

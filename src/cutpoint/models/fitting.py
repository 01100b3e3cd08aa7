"""The tables of a learned graph, estimated from records."""

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.design import designed, set_in
from cutpoint.data.frames import names_of, read_table
from cutpoint.data.imputation import filled
from cutpoint.data.table import Table
from cutpoint.discretization.binning import halved
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.patterns import consistent_extension
from cutpoint.learners.learned import Learned
from cutpoint.models.families import Estimates
from cutpoint.models.limits import fewer_parents, narrowed, notes_of
from cutpoint.models.model import Model
from cutpoint.networks.network import Network
from cutpoint.options import Missing


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
    (`cutpoint.models.families`), and the model keeps that in `curves`. A pattern becomes one of its members.

    A column with an edge has two levels at least, and a table `MOST_CELLS` cells at most (`cutpoint.models.limits`);
    `note` says what was added, joined or left out.

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
    if not (isinstance(ess, int | float) and 0 < ess < inf):
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
    parents, dropped = fewer_parents(lists, parents, families.gain)
    fitted = [families.acting(i, of) for i, of in enumerate(parents)]
    silent = [(j, i) for i, (acting, _, _) in enumerate(fitted) for j in parents[i] if j not in acting]
    parents, tables = [acting for acting, _, _ in fitted], tuple(table for _, _, table in fitted)
    states = tuple(tuple(levels) for levels in lists.labels.values())
    network = Network("model", tuple(lists.names), states, tuple(parents), tables)
    limits = notes_of(lists.names, added, [i for i in joined if i not in added], dropped, silent)
    return Model(
        network,
        lists,
        families.scales,
        float(ess),
        len(data),
        "; ".join(filter(None, [note, *limits])),
        None if learned.uncertainty is None else learned.uncertainty.edges,
        learned.knowledge,
        {name: curve for name, (_, curve, _) in zip(lists.names, fitted, strict=True) if curve is not None},
        _intervals(learned, lists),
    )


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
    """Return the graph as a DAG, and what was done to make it one."""
    if learned.dag is not None:
        return np.asarray(learned.dag, bool), ""
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

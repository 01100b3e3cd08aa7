"""The public functions: the parts of the workflow for a notebook, without files.

Adjacency matrices are bool [n, n]: ``a[i, j]`` is the arc i -> j; in a CPDAG both ``a[i, j]`` and ``a[j, i]`` true is
an undirected edge. Data are what `cutpoint.read_data` returns, data frames (Arrow, pandas, polars) or float64 [N, n]
arrays; results have the order of their columns. Neither their order and names nor the order of the records change a
result of data; of codes the order of columns may, as searches take the first of equally good moves.
"""

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import Context
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from cutpoint.base.checking import check_options
from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.data.codes import codes_of, slips_of
from cutpoint.data.design import designed, repeated, set_in
from cutpoint.data.frames import names_of, read_table
from cutpoint.data.imputation import filled, impute
from cutpoint.data.resampling import Resample, redraw
from cutpoint.data.table import Arranged, Table
from cutpoint.data.worries import worries
from cutpoint.discretization import certified
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.encoding import discrete_thresholds
from cutpoint.discretization.objectives import policy_score as _policy_score
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.dags import check_acyclic, numbered
from cutpoint.graphs.frequencies import EdgeFrequencies, edge_frequencies
from cutpoint.graphs.patterns import interventional_pattern
from cutpoint.graphs.returned import checked_cuts
from cutpoint.knowledge.knowledge import Knowledge, apart, knowledge_of
from cutpoint.learners import boss as permutations
from cutpoint.learners import ges as equivalence
from cutpoint.learners import greedy
from cutpoint.learners import order as orders
from cutpoint.learners.learned import Learned, from_search, reorder
from cutpoint.learners.scores import network_score
from cutpoint.method import DEFAULT, checks, registry
from cutpoint.method.forecast import check_forecast
from cutpoint.method.functions import accepted, options_of, parameters_of, resolve
from cutpoint.method.interventions import with_interventions
from cutpoint.method.method import IN_WORKFLOW, DiscretizerFunction, Method
from cutpoint.method.rows import Lines, check_functions, method_of, method_rows, plain, settings_of, thresholds_hint
from cutpoint.models.fitting import Certified, Result
from cutpoint.models.model import Model
from cutpoint.options import AboveZero, AtLeast0, AtLeast1, Missing, NotNegative

_WARM: set[str] = set()
KnowledgeOrPath = Knowledge | str | os.PathLike | None  # of arcs and thresholds, or the path of a file of it


def _warm(method: Method) -> None:
    """Compile the kernels of a method before its first run, so that the seconds it reports are its own."""
    if repr(method) not in _WARM:
        _WARM.add(repr(method))
        with suppress(Exception):  # a user's function may fail on the sample; then it says so below
            Context().run(method.warm)


def methods() -> Lines:
    """Return the names of all methods, each with a line that describes it; ``print(cp.methods())`` lists them.

    Those that `learn` cannot run, because a program or environment of the workflow does, are marked so.

    Examples:
        >>> cp.methods()["eqfreq3"]
        'Eqfreq3: prediscretization, discretizer=equal_frequency, bins=3, learner=hill_climbing, score=bdeu'
    """
    lines = Lines()
    for name, row in method_rows().items():
        parts = [f"{k}={v}" for k, v in settings_of(row).items()]
        mark = " (runs in the workflow only)" if row["category"] in IN_WORKFLOW else ""
        lines[name] = f"{row['label']}: {row['category']}, {', '.join(parts)}{mark}"
    return lines


def discretize(
    values: Any,
    method: str,
    *,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
    sample_weight: Any = None,
    **options: Any,
) -> Any:
    """Return the thresholds by which a method discretizes each continuous variable.

    Args:
        values: [N, n] array or data frame, or one column [N].
        method: of `cutpoint.method.registry.DISCRETIZERS`, or ``module:function``.
        discrete, continuous, sample_weight: see `learn`.
        options: such as ``bins=3``.

    Returns:
        A `Thresholds`: one sorted float64 array per variable; a single array for one column. An unknown method or
        option, or values that cannot be discretized, are an InputError.

    Examples:
        >>> cp.discretize(values, "equal_width", bins=2)
        [array([-0.22438134]), array([-0.48789696]), array([-0.5823197])]
    """
    single = np.ndim(values) == 1
    records, _ = designed(np.asarray(values)[:, None] if single else values, None, sample_weight)
    table = read_table(records, discrete, continuous)
    lists = thresholds_of(table, method, options, method)
    return lists[0] if single else _named(lists, table)


def _named(thresholds: list[np.ndarray], table: Table) -> Thresholds:
    """Return thresholds with the names and states of a table, whose discrete columns keep their codes."""
    columns = zip(table.values.T, table.discrete, thresholds, strict=True)
    kept = [discrete_thresholds(x) if is_discrete else cuts for x, is_discrete, cuts in columns]
    return Thresholds(kept, table.variables if table.named else None, table.levels, table.times)


def thresholds_of(table: Table, method: str, options: Mapping[str, Any], source: str) -> list[np.ndarray]:
    """Return the thresholds of the columns of a table; a message on a wrong option begins with the source."""
    if isinstance(method, str) and method not in registry.DISCRETIZERS and (hint := thresholds_hint(method)):
        raise InputError(hint)
    path, options = registry.lookup(registry.DISCRETIZERS, method, "discretizer"), plain(options)
    check_options(parameters_of(path), options, source)
    seen = Arranged.of(table)
    return seen.restored(DiscretizerFunction(path, options).find(seen.values, seen.discrete, seen.names))


def encode(values: Any, thresholds: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """Return codes: x has code k when t_k <= x < t_(k+1); values beyond all thresholds get the first or last code.

    Args:
        values: data frame or array [N, n], or one record: a dict, a pandas Series or an array [n]. Columns and states
            are matched by name with those that the thresholds were learned from, those of an array by position.
        thresholds: what `discretize` or `learn` returned, or one array per column, which knows no names or states.
            The thresholds of a single column code one column [N].

    Returns:
        int32 [N, n], columns in the order of the thresholds; [n] for one record, [N] for one column. An InputError
        names columns that are missing or unknown, or the place of an unknown state or of a cell that is no number.

    Examples:
        >>> cp.encode(values[0], model.thresholds)
        array([1, 2, 2], dtype=int32)
    """
    if not isinstance(thresholds, Thresholds) and all(np.ndim(cuts) == 0 for cuts in thresholds):
        return Thresholds([thresholds]).encode(np.asarray(values)[:, None])[:, 0]
    return _as_thresholds(thresholds).encode(values)


def score(
    codes: Any, dag: np.ndarray, name: str, *, cardinalities: Any = None, sample_weight: Any = None, **options: Any
) -> float:
    """Return the score of a graph on discrete data; higher is better.

    What is no score, option, code or DAG over these variables is an InputError.

    Args:
        codes, cardinalities: as of `hill_climb`.
        dag: bool [n, n].
        name: ll, aic, bic, mdl (minus the description length), k2 or bdeu.
        sample_weight: how many equal records each one stands for, whole numbers [N].
        options: of the score, such as ``ess=1.0``.

    Examples:
        >>> cp.score(codes, learned.dag, "bdeu") > cp.score(codes, network.dag, "bdeu")
        True
    """
    function, options = resolve(registry.lookup(registry.SCORES, str(name), "score")), plain(options)
    check_options(parameters_of(function), options, name)
    scorer = _scorer(function, codes, cardinalities, options, sample_weight)
    return network_score(scorer, _dag(dag, scorer.n))


def policy_score(
    values: Any, thresholds: Sequence, dag: np.ndarray, name: str, *, ess: float = 1.0, sample_weight: Any = None
) -> float:
    """Return the score of a discretization given a graph.

    Args:
        values, thresholds: as of `encode`. Discrete columns of a data frame contribute no term of their own.
        dag: bool [n, n], in the order of the thresholds.
        name: steck, monti or monti_total: higher is better; friedman: description length in nats, lower is better.
            monti is the sum over variables that the method maximises, monti_total the log marginal likelihood, which
            counts each family once.
        ess: equivalent sample size, of all but friedman.
        sample_weight: as of `score`. Each InputError is one of `encode` or `score`.

    Examples:
        >>> round(cp.policy_score(values, model.thresholds, model.dag, "steck"), 1)
        -7595.7
    """
    lists = _as_thresholds(thresholds)
    records, _ = designed(lists.read(values), None, sample_weight)
    graph = _dag(dag, len(lists), lists.variables)
    return _policy_score(records, lists, graph, name, ess=ess, discrete=lists.discrete)


def _as_thresholds(thresholds: Sequence[np.ndarray] | np.ndarray) -> Thresholds:
    return thresholds if isinstance(thresholds, Thresholds) else Thresholds(thresholds)


def _dag(graph: np.ndarray, n: int, variables: Sequence[str] | None = None) -> np.ndarray:
    dag = np.asarray(graph, bool)
    if dag.shape != (n, n):
        raise InputError(f"dag: a matrix of shape {(n, n)} is expected, not {dag.shape}")
    check_acyclic(dag, "dag", variables or numbered(n))
    return dag


def learn(
    values: Any,
    method: str = DEFAULT,
    *,
    discrete: Sequence[str] = (),
    ordered: Sequence[str] = (),
    continuous: Sequence[str] = (),
    seed: int = 0,
    knowledge: KnowledgeOrPath = None,
    missing: Missing = "refuse",
    interventions: Any = None,
    sample_weight: Any = None,
    **options: Any,
) -> Result:
    """Return a `Result`: the graph of a Bayesian network, and thresholds that discretize its continuous variables.

    Args:
        values: [N, n] array, all of whose columns are continuous, or data frame. In a frame text, two distinct numbers
            and few whole or evenly spaced numbers are discrete; those evenly spaced, as answers 1 to 5, are ordered.
        method: a row of `methods`, such as "steck3"; without one the consensus of searches with several kinds of
            models, see `cutpoint.discretization.consensus`.
        discrete, ordered, continuous: names of columns that are so whatever the rule says; x0, x1, ... of an array.
        seed: of the imputation of missing cells, and of methods that draw random numbers (an option `seed`).
        knowledge: prior knowledge of arcs and thresholds by column name: a `Knowledge`, or the path of a file.
        missing: "refuse" missing cells, "drop" their records, or "impute" them, see `cutpoint.data.imputation`.
        interventions: which variables an experiment set in each record: the name of a column that says so, or a name,
            a list of names or None for each of the N records, or bool [N, n]. Methods that search graphs by a score
            take them, "ges" excepted; see docs/knowledge.md.
        sample_weight: how many equal records each one stands for, whole numbers [N], or the name of a column of them;
            the result is that of the repeated records, for every method.
        options: replace those of the row. An InputError names an unknown method or option, values that cannot be used,
            knowledge that contradicts itself, or a method that would take more than a week or than this machine's
            memory.

    `note` of the result says in one line what the method did, `warnings` what in the data to worry about.

    Examples:
        >>> cp.learn(values, "steck3").edges()[0]
        Edge(source='x0', target='x1', directed=False)
    """
    check_functions(options)
    values, targets = designed(values, interventions, sample_weight)
    chosen, table = method_of(method, options), read_table(values, discrete, continuous, missing, ordered)
    if not options:
        check_forecast(method, *table.values.shape)
    if seed and any("seed" in options_of(function.path) for function in chosen.functions.values()):
        chosen = method_of(method, options | {"seed": seed})
    checked = _checked(knowledge, table.variables, table.discrete)
    asked = table.variables if isinstance(values, Table) else {*(discrete or ()), *(ordered or ()), *(continuous or ())}
    codes = {name: why for name, why in codes_of(table).items() if name not in asked}
    known = checked if not codes else apart(checked, codes, table.variables)
    _warm(chosen)
    hint = "Name it in discrete or continuous to have edges there"
    warnings = [] if isinstance(values, Table) else [*table.notes]
    needed = {name for arc in (checked.content.required if checked else ()) for name in arc}
    none = {name: "no edges but those required" if name in needed else "no edges" for name in codes}
    warnings += [f"codes: {name} has {none[name]}, as {why}. {hint}" for name, why in codes.items()]
    others = table.without(codes)
    warnings += slips_of(others)
    weighted = sample_weight is not None or others.roles.weights is not None
    reasons = worries(others.values, others.discrete, others.variables, weighted, others.dropped_rows)
    warnings += [each.line for each in reasons if each.is_one]
    table = filled(table, seed)
    seen = Arranged.of(table, checked.content.thresholds if checked else ())
    was_set = None if targets is None else set_in(targets, seen.names, len(seen.values))[seen.records]
    chosen = chosen if was_set is None else with_interventions(chosen, method, was_set)
    with threadpool_limits(1, "blas"):  # more would wait for each other, as products are small
        learned = chosen.learn(seen.values, seen.discrete, None, seen.names, known, seen.ordered)
    if was_set is not None and learned.cpdag is not None and learned.dag is not None:
        learned.cpdag = interventional_pattern(learned.cpdag, learned.dag, was_set)
    learned.warnings = warnings
    return _restored(learned, table, seen, checked)


def posterior(
    values: Any, *, seed: int = 0, knowledge: KnowledgeOrPath = None, missing: Missing = "refuse", **options: Any
) -> Result:
    """Return how probable each edge, kind of model and threshold is, and the graph that is nearest to all of it.

    Of the result `uncertainty.edges` has P(edge) and P(i -> j), `uncertainty.kinds` the probability of each kind,
    `uncertainty.intervals` quantiles of thresholds and `uncertainty.diagnostics` whether the chains agree; `fit` makes
    the network. Up to 40 variables; see `cutpoint.posteriors.posterior.posterior` for the options.

    Args:
        values, seed, knowledge, missing: as of `learn`.
        options: those of `learn`, or of the method, such as ``sweeps=100`` for longer chains; others are an InputError.

    Examples:
        >>> probable = cp.posterior(values, sweeps=20).uncertainty.edges.adjacent  # P(edge), float64 [3, 3]
        >>> bool(probable[0, 1] > 0.9)
        True
    """
    return learn(values, "posterior", seed=seed, knowledge=knowledge, missing=missing, **options)


def certify(
    values: Any,
    score: str,
    *,
    candidates: AtLeast1 | Sequence[Any] = 12,
    max_levels: AtLeast1 = 3,
    max_parents: AtLeast0 = 2,
    ess: AboveZero = 1.0,
    seconds: NotNegative = 60.0,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
) -> Certified:
    """Return the graph and thresholds with the highest score of all, and a proof or the gap that is left.

    Of all are those graphs in which a variable has at most `max_parents` parents, and those lists of at most
    `max_levels` levels whose thresholds are among the candidates. Discrete columns keep their levels.

    Args:
        values: [N, n] array or data frame of at most 8 columns, none with missing cells.
        score: "steck", "friedman" (minus the description length) or "monti_total", each as in `policy_score`. The sum
            that the method of Monti raises, "monti", counts a family once for each member, which rewards no edge.
        candidates: how many thresholds each variable may choose from, of equal frequency; or a list or array with
            those, sorted, of each variable.
        max_levels, max_parents: see above. Time grows with the lists of a variable to the power of max_parents + 1.
        ess: equivalent sample size of BDeu, for "steck" and "monti_total".
        seconds: CPU time after which the proof stops; the scores of the families, some seconds, come in any case.
        discrete, continuous: see `learn`.

    Returns:
        A `Result` with `score`, `bound`, `gap` and `nodes`: with gap 0 nothing is better by more than 1e-6 nats. An
        InputError names more than 8 variables, missing cells, an unknown score or a wrong option.

    Examples:
        >>> cp.certify(values, "steck", candidates=4).gap
        0.0
    """
    options: dict[str, Any] = {"max_levels": max_levels, "max_parents": max_parents, "ess": ess, "seconds": seconds}
    candidates = candidates.tolist() if isinstance(candidates, np.ndarray) else candidates
    check_options(parameters_of(certify), plain(options | {"candidates": candidates}), "certify")
    table = read_table(values, discrete, continuous)
    seen = Arranged.of(table, table.variables)  # whose columns are not turned round, as the candidates are not
    lists = _candidates(seen, candidates)
    learned, bound, nodes = certified.best_network(seen.values, seen.discrete, lists, score, **options)
    return Certified(**vars(_restored(learned, table, seen, None)), bound=bound, nodes=nodes)


def _candidates(seen: Arranged, candidates: int | Sequence[Any]) -> list[np.ndarray]:
    """Return sorted candidate thresholds of each column as seen; of a discrete one those of its codes."""
    if not isinstance(candidates, Sequence):
        return equal_frequency(seen.values, seen.discrete, bins=candidates + 1)
    if len(candidates) != len(seen.names):
        raise InputError(f"candidates: {len(candidates)} lists for {len(seen.names)} variables")
    lists = [checked_cuts(cuts, f"candidates: list {i + 1}") for i, cuts in enumerate(candidates)]
    columns = zip(seen.values.T, seen.discrete, seen.order, strict=True)
    return [discrete_thresholds(x) if kept else lists[i] for x, kept, i in columns]


def _checked(knowledge: KnowledgeOrPath, variables: Sequence[str], discrete: np.ndarray) -> Knowledge | None:
    if knowledge is None:
        return None
    checked = knowledge_of(knowledge)
    checked.check(variables, discrete)
    return checked


def fit(
    values: Any,
    method: str = DEFAULT,
    *,
    seed: int = 0,
    missing: Missing = "refuse",
    interventions: Any = None,
    sample_weight: Any = None,
    **options: Any,
) -> Model:
    """Return a `Model`: a learned network with tables of the same records, ``learn(values, method, ...).fit(values)``.

    Args:
        values, method, options: as of `learn`, `discrete`, `continuous` and `knowledge` among the options. The tables
            have the equivalent sample size 1; for another one, or for a method without thresholds, take the two steps.
        seed, missing, interventions, sample_weight: as of `learn`; the tables rest on the cells that the graph was
            learned from. Each InputError is one of `learn` or of `cutpoint.models.fitting.fit`.

    Examples:
        >>> cp.fit(values, "steck3").variables
        ['x0', 'x1', 'x2']
    """
    design = {"interventions": interventions, "sample_weight": sample_weight}
    learned = learn(values, method, seed=seed, missing=missing, **design, **options)
    return learned.fit(values, missing=missing, seed=seed, **design)


def _restored(learned: Learned, table: Table, seen: Arranged, knowledge: Knowledge | None) -> Result:
    """Return a result in the user's order of columns."""
    thresholds, learned.thresholds = learned.thresholds, None
    if (sure := learned.uncertainty) is not None:
        sure.spreads = sure.spreads and [a if s > 0 else a[::-1] for a, s in zip(sure.spreads, seen.signs, strict=True)]
        sure.intervals = sure.intervals and [
            a if s > 0 else -a[::-1, ::-1] for a, s in zip(sure.intervals, seen.signs, strict=True)
        ]
        if sure.effects is not None:
            signs = np.sign(np.outer(seen.signs, seen.signs))
            sure.effects = np.where(signs > 0, sure.effects, -sure.effects[[0, 2, 1]])
    learned.variables, learned.knowledge = list(table.variables), knowledge
    reorder(learned, seen.back, learned.variables)
    if thresholds is not None:
        learned.thresholds = _named(seen.restored(thresholds), table)
    return Result.of(learned)


def hill_climb(
    codes: Any, score: str = "bdeu", *, cardinalities: Any = None, knowledge: KnowledgeOrPath = None, **options: Any
) -> Result:
    """Learn a graph by hill climbing: add, delete or reverse the arc that raises the score most, until none does.

    Args:
        codes: integer [N, n], levels 0..r-1.
        score: ll, aic, bic, mdl, k2, fnml or bdeu.
        cardinalities: levels of each variable where they are not the highest code + 1.
        knowledge: of arcs, by the names of the columns, x0, x1, ... of an array; see `learn`.
        options: of `cutpoint.learners.greedy.hill_climbing`, such as ``max_parents=3``, a first graph ``start`` or
            ``order="stable"``, and of the score, such as ``ess=1.0``; or ``sample_weight`` as of `score`.

    Returns:
        A `Result` with the graph as `dag`, its equivalence class as `cpdag`, and its `score`. An InputError names an
        unknown score, a wrong option, invalid codes, or a first graph that is not a DAG.

    Examples:
        >>> for search in (cp.hill_climb, cp.tabu, cp.order_search, cp.boss, cp.ges, cp.exact):
        ...     assert round(search(codes, "bic").score, 1) == -2255.3
    """
    return _search(greedy.hill_climbing, codes, score, cardinalities, knowledge, options)


def tabu(
    codes: Any, score: str = "bdeu", *, cardinalities: Any = None, knowledge: KnowledgeOrPath = None, **options: Any
) -> Result:
    """Learn a graph by tabu search: hill climbing that goes on past a maximum and does not undo its last moves.

    See `hill_climb` for all but options: those of `cutpoint.learners.greedy.tabu`, such as ``tabu_length=10``.
    """
    return _search(greedy.tabu, codes, score, cardinalities, knowledge, options)


def order_search(
    codes: Any, score: str = "bdeu", *, cardinalities: Any = None, knowledge: KnowledgeOrPath = None, **options: Any
) -> Result:
    """Learn a graph by a search over the orders of the variables (Teyssier and Koller 2005).

    See `hill_climb` for all but options: those of `cutpoint.learners.order.order_search`, such as ``restarts=50``.
    """
    return _search(orders.order_search, codes, score, cardinalities, knowledge, options)


def boss(
    codes: Any, score: str = "bdeu", *, cardinalities: Any = None, knowledge: KnowledgeOrPath = None, **options: Any
) -> Result:
    """Learn a graph by moving one variable at a time to its best place in an order (BOSS, Andrews et al. 2023).

    See `hill_climb` for all but options: those of `cutpoint.learners.boss.boss`, such as ``restarts=40``.
    """
    return _search(permutations.boss, codes, score, cardinalities, knowledge, options)


def ges(
    codes: Any, score: str = "bdeu", *, cardinalities: Any = None, knowledge: KnowledgeOrPath = None, **options: Any
) -> Result:
    """Learn an equivalence class of graphs by inserting and deleting edges (GES, Chickering 2002).

    See `hill_climb` for all but options: those of `cutpoint.learners.ges.ges`, such as ``tries=100``.
    """
    return _search(equivalence.ges, codes, score, cardinalities, knowledge, options)


def exact(
    codes: Any, score: str = "bdeu", *, cardinalities: Any = None, knowledge: KnowledgeOrPath = None, **options: Any
) -> Result:
    """Return a graph with the highest score of all graphs; feasible for up to about 25 variables.

    See `hill_climb` for all but options: those of `cutpoint.learners.order.exact`, such as ``max_parents=5``.
    """
    return _search(orders.exact, codes, score, cardinalities, knowledge, options)


def pc(
    values: Any,
    *,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
    knowledge: KnowledgeOrPath = None,
    **options: Any,
) -> Result:
    """Learn an equivalence class of graphs by the PC algorithm, with Fisher's Z test of partial correlations.

    Args:
        values, discrete, continuous: as of `learn`, with its errors, such as an InputError for an unknown column.
        knowledge: of arcs.
        options: those of `cutpoint.learners.constraint.pc_fisherz`, such as ``alpha=0.05``.

    Returns:
        A `Result` whose `cpdag` is the pattern; it has no `dag`.

    Examples:
        >>> cp.pc(values, alpha=0.01)
        <Learned pdag: 3 variables, 2 edges>
    """
    return learn(values, "pc_fisherz", discrete=discrete, continuous=continuous, knowledge=knowledge, **options)


def _search(learner, codes, name, cardinalities, knowledge, options) -> Result:
    function, options = resolve(registry.lookup(registry.SCORES, str(name), "score")), plain(options)
    start = options.pop("start", None) if "start" in options_of(learner) else None
    weight = options.pop("sample_weight", None)
    check_options(parameters_of(learner, function), options, learner.__name__)
    scorer = _scorer(function, codes, cardinalities, accepted(function, options), weight)
    of_learner, variables = accepted(learner, options), names_of(codes) or numbered(scorer.n)
    checked = _checked(knowledge, variables, np.ones(scorer.n, bool))
    arcs = None if checked is None else checked.arcs(variables)
    if arcs is not None:
        of_learner["arcs"] = arcs
    if start is not None:
        of_learner["start"] = _dag(start, scorer.n, variables)
    began = time.process_time()
    result = learner(scorer, **of_learner)
    seconds = time.process_time() - began
    learned = from_search(checks.search(result, scorer.n, learner.__name__), learn_seconds=seconds)
    learned.variables, learned.knowledge = variables, checked
    if arcs is not None and learned.cpdag is not None:
        learned.cpdag = arcs.oriented(learned.cpdag)
    return Result.of(learned)


def _scorer(function, codes, cardinalities, options, sample_weight):
    array = np.asarray(codes)
    if np.ma.is_masked(codes):
        raise InputError("codes: missing cells; leave these records out")
    if array.ndim == 2 and 0 in array.shape:
        raise InputError(f"codes: at least one record and one variable are expected, not shape {array.shape}")
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.integer) or array.min() < 0:
        raise InputError("codes: a two-dimensional array of integers from 0 is expected")
    if sample_weight is not None:
        array = array[repeated(sample_weight, *array.shape)]
    most = array.max(axis=0).astype(int)
    levels = most + 1 if cardinalities is None else np.asarray(cardinalities)
    if levels.shape != most.shape or not np.issubdtype(levels.dtype, np.integer) or (most >= levels).any():
        raise InputError("cardinalities: one integer per column, above its highest code")
    return checks.score(function(array, levels, **options), function.__name__)


def edge_confidence(
    values: Any,
    method: str,
    *,
    resample: Resample = "bootstrap",
    delete: AtLeast1 | None = None,
    samples: AtLeast1 = 100,
    seed: AtLeast0 = 0,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
    knowledge: KnowledgeOrPath = None,
    missing: Missing = "refuse",
    **options: Any,
) -> EdgeFrequencies:
    """Return how often a method learns each edge from resamples of the records, each discretized anew.

    The columns of each resample are permuted, since their order would otherwise decide the direction of many edges.
    Edges are those of the equivalence class (`Learned.cpdag`). With more samples the first resamples stay the same.

    Args:
        values, method, discrete, continuous, knowledge, missing: as of `learn`, whose InputError for all that cannot be
            used it has; missing cells are imputed in each resample anew, from its own records.
        resample: "bootstrap" or "jackknife"; bootstrap frequencies are better calibrated (study `calibration`).
        delete: number of records that each jackknife sample leaves out, 30 by default.
        samples, seed: number of resamples, and what they are drawn by.
        options: replace those of the row.

    Examples:
        >>> cp.edge_confidence(values, "eqfreq3", samples=20)
        <EdgeFrequencies: 2 pairs of 3 variables in 20 resamples>
    """
    resampling = plain({"resample": resample, "delete": delete, "samples": samples, "seed": seed})
    check_options(parameters_of(edge_confidence), resampling, "edge_confidence")
    if resample == "bootstrap" and delete is not None:
        raise InputError("edge_confidence: delete: the bootstrap leaves nothing out; add resample='jackknife'")
    check_functions(options)
    chosen, table = method_of(method, options), read_table(values, discrete, continuous, missing)
    checked = _checked(knowledge, table.variables, table.discrete)
    purposes = resample, "columns", "impute"
    rng, orders, donors = (generator_for(seed, "edge_confidence", each) for each in purposes)
    seen, graphs, how = Arranged.of(table), [], {} if resample == "bootstrap" else {"delete": delete or 30}
    for _ in range(samples):
        drawn = redraw(seen.values, seen.discrete, rng, kind=resample, **how)
        if np.isnan(drawn).any():
            drawn = impute(drawn, seen.discrete, donors)
        order = orders.permutation(len(seen.names))
        pattern = chosen.pattern(drawn, seen.discrete, order, seen.names, checked)
        graphs.append(pattern[np.ix_(seen.back, seen.back)])
    return edge_frequencies(np.array(graphs), list(table.variables))

"""The metrics of runs, a line each: what a metric is, its unit, what it can be, and which of two values is better.

Everything else that says something of a metric reads it here: the columns of files, docs/columns.md, the intervals of
tables, the explorer of the report.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

INF = float("inf")


class Scale(NamedTuple):
    """What numbers a metric takes: the type of its column, its unit, the least and the largest one."""

    type: Literal["int64", "float64", "bool"]
    unit: str
    low: float
    high: float


class Metric(NamedTuple):
    """A metric of a run: a column of metrics.parquet, or a number that studies derive from some of them."""

    name: str
    scale: Scale
    better: Literal["lower", "higher", "neither"]
    meaning: str


SECONDS = Scale("float64", "s", 0, INF)
MEGABYTES = Scale("float64", "MB", 0, INF)
CALLS = Scale("int64", "calls", 0, INF)
ROUNDS = Scale("int64", "rounds", 0, INF)
ANY = Scale("float64", "", -INF, INF)
LEVELS = Scale("float64", "levels", 1, INF)
PAIRS = Scale("int64", "pairs", 0, INF)
EDGES = Scale("int64", "edges", 0, INF)
SHARE = Scale("float64", "", 0, 1)
DEVIATIONS = Scale("float64", "SD", 0, INF)
LEVELS_FROM_0 = Scale("float64", "levels", 0, INF)
CORRELATION = Scale("float64", "", -1, 1)
NATS = Scale("float64", "nats", -INF, INF)
POSITIVE = Scale("float64", "", 0, INF)
TRUTH = Scale("bool", "", 0, 1)
PAIRS_PER_EDGE = Scale("float64", "pairs per true edge", 0, INF)
EDGES_PER_EDGE = Scale("float64", "edges per true edge", 0, INF)

COSTS = (
    Metric(
        "discretize_seconds",
        SECONDS,
        "lower",
        "CPU seconds of discretization in the child process, with compiled kernels loaded",
    ),
    Metric("learn_seconds", SECONDS, "lower", "CPU seconds of learning, likewise"),
    Metric("wall_seconds", SECONDS, "lower", "of the child, its start included"),
    Metric("peak_mb", MEGABYTES, "lower", "resident megabytes above those that its process was born with"),
    Metric(
        "score_calls",
        CALLS,
        "lower",
        "family evaluations, or independence tests, that the search requested; no credit for caching",
    ),
    Metric("evaluations", CALLS, "lower", "how many of them were computed"),
    Metric(
        "discretization_calls",
        CALLS,
        "lower",
        "candidate thresholds that an integrated method scored; runs of EM for `mgcd`",
    ),
    Metric("iterations", ROUNDS, "lower", "rounds of an integrated method, moves of a search"),
    Metric("score", ANY, "neither", "what the method maximised"),
    Metric("levels", LEVELS, "neither", "mean number of levels of a variable; null for a method without thresholds"),
    Metric("seconds", SECONDS, "lower", "sum of both"),
)
QUALITIES = (
    Metric(
        "shd_fu2005",
        PAIRS,
        "lower",
        "structural Hamming distance as Fu (2005) counts it: a missing or extra directed edge is 2, an undirected "
        "one 1, another orientation 1",
    ),
    Metric(
        "shd_standard",
        PAIRS,
        "lower",
        "pairs of variables that differ in any way, each 1 (Tsamardinos, Brown and Aliferis 2006)",
    ),
    Metric("true_edges", EDGES, "neither", "edges of the true pattern, directed or not"),
    Metric("learned_edges", EDGES, "neither", "edges of the learned pattern, directed or not"),
    Metric("right", EDGES, "higher", "edges of both patterns with the same orientation"),
    Metric("reversed", EDGES, "lower", "edges of both with another orientation, also directed against undirected"),
    Metric("extra", EDGES, "lower", "learned edges where no true one is"),
    Metric("missing", EDGES, "lower", "true edges that were not learned"),
    Metric("tpr_mabrouk2015", SHARE, "higher", "of the *learned* edges, the share that is right"),
    Metric(
        "fpr_mabrouk2015",
        SHARE,
        "lower",
        "of the *learned* edges, the share that is extra or has another orientation; with the one above it sums to "
        "1 (one minus it is a precision)",
    ),
    Metric("tpr_standard", SHARE, "higher", "right edges over true edges"),
    Metric(
        "fpr_standard",
        SHARE,
        "lower",
        "*extra* edges over pairs without a true edge; a wrong orientation counts in neither rate",
    ),
    Metric("tpr_skeleton", SHARE, "higher", "found adjacencies over true ones, any orientation"),
    Metric(
        "fpr_skeleton",
        SHARE,
        "lower",
        "extra edges over pairs without a true edge, so that it equals `fpr_standard`",
    ),
    Metric("precision_skeleton", SHARE, "higher", "true adjacencies over learned ones, any orientation"),
    Metric("recall_skeleton", SHARE, "higher", "true adjacencies that were learned over true ones"),
    Metric("f1_skeleton", SHARE, "higher", "harmonic mean of both"),
    Metric("precision_pattern", SHARE, "higher", "edges with the right orientation over learned edges"),
    Metric("recall_pattern", SHARE, "higher", "edges with the right orientation over true edges"),
    Metric("f1_pattern", SHARE, "higher", "harmonic mean of both"),
    Metric(
        "parent_aid",
        SHARE,
        "lower",
        "share, 0 to 1, of the n (n - 1) ordered pairs (t, y) for which the effect of t on y is read wrongly off "
        "the learned pattern by adjusting for the parents of t (parent adjustment identification distance, Henckel,"
        " Würtzen and Weichwald 2024)",
    ),
    Metric(
        "ancestor_aid",
        SHARE,
        "lower",
        "the same by adjusting for the ancestors of t, and with no effect on what is no descendant",
    ),
    Metric(
        "threshold_error",
        DEVIATIONS,
        "lower",
        "mean distance of a true threshold to the nearest learned one, in standard deviations of the variable; half"
        " the range where none was learned",
    ),
    Metric(
        "level_error",
        LEVELS_FROM_0,
        "lower",
        "mean absolute difference between the learned and the true number of levels",
    ),
    Metric(
        "adjusted_rand",
        CORRELATION,
        "higher",
        "mean agreement of the learned and the true codes, 1 for the same (Hubert and Arabie 1985)",
    ),
    Metric(
        "kgv_gain",
        ANY,
        "higher",
        "real data: gain over the empty graph in Bach's score of the graph, made a DAG as far as it goes",
    ),
    Metric(
        "held_out_splines",
        NATS,
        "higher",
        "grids with `held_out`: mean log density of new records of the same network and noise above that without "
        "edges, in nats per record and variable, by additive splines of the parents "
        "(`cutpoint.bench.evaluation.new_records`)",
    ),
    Metric(
        "held_out_tables",
        NATS,
        "higher",
        "the same by tables of five levels of equal frequency, also for methods without thresholds",
    ),
    Metric(
        "held_out_own",
        NATS,
        "higher",
        "the same by tables of the method's own levels; null for a method without thresholds",
    ),
    Metric(
        "var_sortability",
        SHARE,
        "neither",
        "of the data and not of a method: how often the variance of a variable is larger at the end of a directed "
        "path than at its start, ties half (Reisach et al. 2021); 1/2 says nothing of the order",
    ),
    Metric(
        "r2_sortability",
        SHARE,
        "neither",
        "the same of the share of a variable's variance that all others explain (Reisach et al. 2023)",
    ),
    Metric(
        "discrete_share",
        SHARE,
        "neither",
        "of the data, like those below: columns that hold codes, over all columns",
    ),
    Metric(
        "tied_share",
        SHARE,
        "neither",
        "of continuous columns, the mean share of records whose value another record has",
    ),
    Metric("skewness", POSITIVE, "neither", "mean absolute skewness of the continuous columns"),
    Metric(
        "normality",
        SHARE,
        "neither",
        "mean squared correlation of the sorted continuous columns with normal scores, 1 for normal data (Shapiro "
        "and Francia 1972)",
    ),
    Metric(
        "curvature",
        CORRELATION,
        "neither",
        "over pairs of continuous columns, the mean squared correlation of one with the square of the other, less 1"
        " / N; 0 for independent and for jointly normal ones",
    ),
    Metric(
        "extension_exact",
        TRUTH,
        "neither",
        "whether the learned graph stands for a class of DAGs; a pattern (such as PC's) that has no consistent "
        "extension does not, and has no `parent_aid` and `ancestor_aid`",
    ),
)
DERIVED = (
    Metric("loss", PAIRS_PER_EDGE, "lower", "SHD over the number of true edges; 1 for a run that failed"),
    Metric("shd_per_edge", PAIRS_PER_EDGE, "lower", "the standard SHD over the number of true edges"),
    Metric("extra_per_edge", EDGES_PER_EDGE, "lower", "extra edges over the number of true edges"),
    Metric("missing_per_edge", EDGES_PER_EDGE, "lower", "missing edges over the number of true edges"),
)
METRICS = {metric.name: metric for metric in (*COSTS, *QUALITIES, *DERIVED)}


def possible(name: str) -> tuple[float, float]:
    """Return the least and the largest number that a metric can be; anything for what is no metric."""
    return METRICS[name].scale[2:] if name in METRICS else (-INF, INF)

"""The metrics of runs, a line each: what a metric is, its unit, what it can be, and which of two values is better.

Everything else that says something of a metric reads it here: the columns of files, docs/columns.md, the intervals of
tables, the explorer of the report.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

INF = float("inf")


class Metric(NamedTuple):
    """A metric of a run: a column of metrics.parquet, or a number that studies derive from some of them."""

    name: str
    type: Literal["int64", "float64", "bool"]
    unit: str
    low: float
    high: float
    better: Literal["lower", "higher", "neither"]
    meaning: str


COSTS = (
    Metric(
        "discretize_seconds",
        "float64",
        "s",
        0,
        INF,
        "lower",
        "CPU seconds of discretization in the child process, with compiled kernels loaded",
    ),
    Metric("learn_seconds", "float64", "s", 0, INF, "lower", "CPU seconds of learning, likewise"),
    Metric("wall_seconds", "float64", "s", 0, INF, "lower", "of the child, its start included"),
    Metric(
        "peak_mb", "float64", "MB", 0, INF, "lower", "resident megabytes above those that its process was born with"
    ),
    Metric(
        "score_calls",
        "int64",
        "calls",
        0,
        INF,
        "lower",
        "family evaluations, or independence tests, that the search requested; no credit for caching",
    ),
    Metric("evaluations", "int64", "calls", 0, INF, "lower", "how many of them were computed"),
    Metric(
        "discretization_calls",
        "int64",
        "calls",
        0,
        INF,
        "lower",
        "candidate thresholds that an integrated method scored; runs of EM for `mgcd`",
    ),
    Metric("iterations", "int64", "rounds", 0, INF, "lower", "rounds of an integrated method, moves of a search"),
    Metric("score", "float64", "", -INF, INF, "neither", "what the method maximised"),
    Metric(
        "levels",
        "float64",
        "levels",
        1,
        INF,
        "neither",
        "mean number of levels of a variable; null for a method without thresholds",
    ),
    Metric("seconds", "float64", "s", 0, INF, "lower", "sum of both"),
)
QUALITIES = (
    Metric(
        "shd_fu2005",
        "int64",
        "pairs",
        0,
        INF,
        "lower",
        "structural Hamming distance as Fu (2005) counts it: a missing or extra directed edge is 2, an undirected "
        "one 1, another orientation 1",
    ),
    Metric(
        "shd_standard",
        "int64",
        "pairs",
        0,
        INF,
        "lower",
        "pairs of variables that differ in any way, each 1 (Tsamardinos, Brown and Aliferis 2006)",
    ),
    Metric("true_edges", "int64", "edges", 0, INF, "neither", "edges of the true pattern, directed or not"),
    Metric("learned_edges", "int64", "edges", 0, INF, "neither", "edges of the learned pattern, directed or not"),
    Metric("right", "int64", "edges", 0, INF, "higher", "edges of both patterns with the same orientation"),
    Metric(
        "reversed",
        "int64",
        "edges",
        0,
        INF,
        "lower",
        "edges of both with another orientation, also directed against undirected",
    ),
    Metric("extra", "int64", "edges", 0, INF, "lower", "learned edges where no true one is"),
    Metric("missing", "int64", "edges", 0, INF, "lower", "true edges that were not learned"),
    Metric("tpr_mabrouk2015", "float64", "", 0, 1, "higher", "of the *learned* edges, the share that is right"),
    Metric(
        "fpr_mabrouk2015",
        "float64",
        "",
        0,
        1,
        "lower",
        "of the *learned* edges, the share that is extra or has another orientation; with the one above it sums to "
        "1 (one minus it is a precision)",
    ),
    Metric("tpr_standard", "float64", "", 0, 1, "higher", "right edges over true edges"),
    Metric(
        "fpr_standard",
        "float64",
        "",
        0,
        1,
        "lower",
        "*extra* edges over pairs without a true edge; a wrong orientation counts in neither rate",
    ),
    Metric("tpr_skeleton", "float64", "", 0, 1, "higher", "found adjacencies over true ones, any orientation"),
    Metric(
        "fpr_skeleton",
        "float64",
        "",
        0,
        1,
        "lower",
        "extra edges over pairs without a true edge, so that it equals `fpr_standard`",
    ),
    Metric("precision_skeleton", "float64", "", 0, 1, "higher", "true adjacencies over learned ones, any orientation"),
    Metric("recall_skeleton", "float64", "", 0, 1, "higher", "true adjacencies that were learned over true ones"),
    Metric("f1_skeleton", "float64", "", 0, 1, "higher", "harmonic mean of both"),
    Metric("precision_pattern", "float64", "", 0, 1, "higher", "edges with the right orientation over learned edges"),
    Metric("recall_pattern", "float64", "", 0, 1, "higher", "edges with the right orientation over true edges"),
    Metric("f1_pattern", "float64", "", 0, 1, "higher", "harmonic mean of both"),
    Metric(
        "parent_aid",
        "float64",
        "",
        0,
        1,
        "lower",
        "share, 0 to 1, of the n (n - 1) ordered pairs (t, y) for which the effect of t on y is read wrongly off "
        "the learned pattern by adjusting for the parents of t (parent adjustment identification distance, Henckel,"
        " Würtzen and Weichwald 2024)",
    ),
    Metric(
        "ancestor_aid",
        "float64",
        "",
        0,
        1,
        "lower",
        "the same by adjusting for the ancestors of t, and with no effect on what is no descendant",
    ),
    Metric(
        "threshold_error",
        "float64",
        "SD",
        0,
        INF,
        "lower",
        "mean distance of a true threshold to the nearest learned one, in standard deviations of the variable; half"
        " the range where none was learned",
    ),
    Metric(
        "level_error",
        "float64",
        "levels",
        0,
        INF,
        "lower",
        "mean absolute difference between the learned and the true number of levels",
    ),
    Metric(
        "adjusted_rand",
        "float64",
        "",
        -1,
        1,
        "higher",
        "mean agreement of the learned and the true codes, 1 for the same (Hubert and Arabie 1985)",
    ),
    Metric(
        "kgv_gain",
        "float64",
        "",
        -INF,
        INF,
        "higher",
        "real data: gain over the empty graph in Bach's score of the graph, made a DAG as far as it goes",
    ),
    Metric(
        "held_out_splines",
        "float64",
        "nats",
        -INF,
        INF,
        "higher",
        "grids with `held_out`: mean log density of new records of the same network and noise above that without "
        "edges, in nats per record and variable, by additive splines of the parents "
        "(`cutpoint.bench.evaluation.new_records`)",
    ),
    Metric(
        "held_out_tables",
        "float64",
        "nats",
        -INF,
        INF,
        "higher",
        "the same by tables of five levels of equal frequency, also for methods without thresholds",
    ),
    Metric(
        "held_out_own",
        "float64",
        "nats",
        -INF,
        INF,
        "higher",
        "the same by tables of the method's own levels; null for a method without thresholds",
    ),
    Metric(
        "var_sortability",
        "float64",
        "",
        0,
        1,
        "neither",
        "of the data and not of a method: how often the variance of a variable is larger at the end of a directed "
        "path than at its start, ties half (Reisach et al. 2021); 1/2 says nothing of the order",
    ),
    Metric(
        "r2_sortability",
        "float64",
        "",
        0,
        1,
        "neither",
        "the same of the share of a variable's variance that all others explain (Reisach et al. 2023)",
    ),
    Metric(
        "discrete_share",
        "float64",
        "",
        0,
        1,
        "neither",
        "of the data, like those below: columns that hold codes, over all columns",
    ),
    Metric(
        "tied_share",
        "float64",
        "",
        0,
        1,
        "neither",
        "of continuous columns, the mean share of records whose value another record has",
    ),
    Metric("skewness", "float64", "", 0, INF, "neither", "mean absolute skewness of the continuous columns"),
    Metric(
        "normality",
        "float64",
        "",
        0,
        1,
        "neither",
        "mean squared correlation of the sorted continuous columns with normal scores, 1 for normal data (Shapiro "
        "and Francia 1972)",
    ),
    Metric(
        "curvature",
        "float64",
        "",
        -1,
        1,
        "neither",
        "over pairs of continuous columns, the mean squared correlation of one with the square of the other, less 1"
        " / N; 0 for independent and for jointly normal ones",
    ),
    Metric(
        "extension_exact",
        "bool",
        "",
        0,
        1,
        "neither",
        "whether the learned graph stands for a class of DAGs; a pattern (such as PC's) that has no consistent "
        "extension does not, and has no `parent_aid` and `ancestor_aid`",
    ),
)
DERIVED = (
    Metric(
        "loss",
        "float64",
        "pairs per true edge",
        0,
        INF,
        "lower",
        "SHD over the number of true edges; 1 for a run that failed",
    ),
    Metric(
        "shd_per_edge",
        "float64",
        "pairs per true edge",
        0,
        INF,
        "lower",
        "the standard SHD over the number of true edges",
    ),
    Metric(
        "extra_per_edge", "float64", "edges per true edge", 0, INF, "lower", "extra edges over the number of true edges"
    ),
    Metric(
        "missing_per_edge",
        "float64",
        "edges per true edge",
        0,
        INF,
        "lower",
        "missing edges over the number of true edges",
    ),
)
METRICS = {metric.name: metric for metric in (*COSTS, *QUALITIES, *DERIVED)}


def possible(name: str) -> tuple[float, float]:
    """Return the least and the largest number that a metric can be; anything for what is no metric."""
    return METRICS[name][3:5] if name in METRICS else (-INF, INF)

"""What the columns of the files of results mean; docs/columns.md is made from here."""

from __future__ import annotations

from cutpoint.bench.data.schemas import ALL_RUNS

IDENTITY = {
    "study": "study that the run belongs to",
    "scale": "scale of the study",
    "seed": "seed of the whole run, from which all random numbers derive",
    "version": "version of cutpoint",
    "grid": "grid of the study",
    "cell": "network, number of records and noise, or data set, as one word",
    "network": "true network; for random networks their family",
    "dataset": "real data set",
    "n": "number of records",
    "noise": "noise or generator of the study that made the values",
    "sigma": "standard deviation of the noise, where it is normal",
    "replicate": "number of the data set within its cell; those of two noises differ in nothing else",
    "method": "row of config/methods.yaml",
    "label": "what tables call the method",
    "category": "`prediscretization`, `integrated`, `direct` or `external`",
    "discretizer": "what cuts the columns before a search",
    "policy": "what chooses thresholds together with the graph",
    "learner": "search or test that learns the graph",
    "score_name": "score that the search maximises",
    "options": "all other settings of the row, as JSON",
}
ENDING = {
    "status": "`ok`, `timeout`, `memory`, `error`, or `unavailable` where there are no data",
    "message": "why the run has no result, on one line",
    "kind": "`dag`, or `pdag` for a pattern such as PC's",
}
COSTS = {
    "discretize_seconds": "CPU seconds of discretization in the child process, with compiled kernels loaded",
    "learn_seconds": "CPU seconds of learning, likewise",
    "seconds": "sum of both",
    "wall_seconds": "of the child, its start included",
    "peak_mb": "resident megabytes above those that its process was born with",
    "score_calls": "family evaluations, or independence tests, that the search requested; no credit for caching",
    "evaluations": "how many of them were computed",
    "discretization_calls": "candidate thresholds that an integrated method scored; runs of EM for `mgcd`",
    "iterations": "rounds of an integrated method, moves of a search",
    "score": "what the method maximised",
    "levels": "mean number of levels of a variable; null for a method without thresholds",
}
METRICS = {
    "true_edges": "edges of the true pattern, directed or not",
    "learned_edges": "edges of the learned pattern, directed or not",
    "right": "edges of both patterns with the same orientation",
    "reversed": "edges of both with another orientation, also directed against undirected",
    "extra": "learned edges where no true one is",
    "missing": "true edges that were not learned",
    "shd_fu2005": "structural Hamming distance as Fu (2005) counts it: a missing or extra directed edge is 2, an "
    "undirected one 1, another orientation 1",
    "shd_standard": "pairs of variables that differ in any way, each 1 (Tsamardinos, Brown and Aliferis 2006)",
    "tpr_mabrouk2015": "of the *learned* edges, the share that is right",
    "fpr_mabrouk2015": "of the *learned* edges, the share that is extra or has another orientation; with the one "
    "above it sums to 1 (one minus it is a precision)",
    "tpr_standard": "right edges over true edges",
    "fpr_standard": "*extra* edges over pairs without a true edge; a wrong orientation counts in neither rate",
    "tpr_skeleton": "found adjacencies over true ones, any orientation",
    "fpr_skeleton": "extra edges over pairs without a true edge, so that it equals `fpr_standard`",
    "precision_skeleton": "true adjacencies over learned ones, any orientation",
    "recall_skeleton": "true adjacencies that were learned over true ones",
    "f1_skeleton": "harmonic mean of both",
    "precision_pattern": "edges with the right orientation over learned edges",
    "recall_pattern": "edges with the right orientation over true edges",
    "f1_pattern": "harmonic mean of both",
    "parent_aid": "share, 0 to 1, of the n (n - 1) ordered pairs (t, y) for which the effect of t on y is read wrongly "
    "off the learned pattern by adjusting for the parents of t (parent adjustment identification distance, Henckel, "
    "Würtzen and Weichwald 2024)",
    "ancestor_aid": "the same by adjusting for the ancestors of t, and with no effect on what is no descendant",
    "extension_exact": "whether the learned graph stands for a class of DAGs; a pattern (such as PC's) that has no "
    "consistent extension does not, and has no `parent_aid` and `ancestor_aid`",
    "threshold_error": "mean distance of a true threshold to the nearest learned one, in standard deviations of the "
    "variable; half the range where none was learned",
    "level_error": "mean absolute difference between the learned and the true number of levels",
    "adjusted_rand": "mean agreement of the learned and the true codes, 1 for the same (Hubert and Arabie 1985)",
    "held_out_splines": "grids with `held_out`: mean log density of new records of the same network and noise above "
    "that without edges, in nats per record and variable, by additive splines of the parents "
    "(`cutpoint.bench.evaluation.new_records`)",
    "held_out_tables": "the same by tables of five levels of equal frequency, also for methods without thresholds",
    "held_out_own": "the same by tables of the method's own levels; null for a method without thresholds",
    "kgv_gain": "real data: gain over the empty graph in Bach's score of the graph, made a DAG as far as it goes",
    "var_sortability": "of the data and not of a method: how often the variance of a variable is larger at the end of "
    "a directed path than at its start, ties half (Reisach et al. 2021); 1/2 says nothing of the order",
    "r2_sortability": "the same of the share of a variable's variance that all others explain (Reisach et al. 2023)",
    "discrete_share": "of the data, like those below: columns that hold codes, over all columns",
    "tied_share": "of continuous columns, the mean share of records whose value another record has",
    "skewness": "mean absolute skewness of the continuous columns",
    "normality": "mean squared correlation of the sorted continuous columns with normal scores, 1 for normal data "
    "(Shapiro and Francia 1972)",
    "curvature": "over pairs of continuous columns, the mean squared correlation of one with the square of the other, "
    "less 1 / N; 0 for independent and for jointly normal ones",
}
GROUPS = {"What the run is": IDENTITY, "How it ended": ENDING, "Costs": COSTS, "Metrics": METRICS}
MEANINGS = {name: text for group in GROUPS.values() for name, text in group.items()}


def to_markdown() -> str:
    """Return the page of all columns."""
    types = {field.name: str(field.type) for field in ALL_RUNS}
    lines = [
        "# Columns of runs.parquet and metrics.parquet",
        "",
        "The columns of `results/runs.parquet`, `results/runs.csv.gz` and their schema `results/runs.schema.json`: a",
        "row for each run of all studies, key `study`, `grid`, `cell`, `replicate`, `method`. `cp.results(STUDY)`",
        "reads them. `results/STUDY/metrics.parquet` has those from `grid` on but for what a method is made of. What",
        "does not apply is null. A metric compares completed patterns (CPDAGs); an edge is *right* when it has the",
        "same direction, or none, in both.",
    ]
    for title, columns in GROUPS.items():
        lines += ["", f"## {title}", "", "| column | type | meaning |", "| --- | --- | --- |"]
        lines += [f"| `{name}` | {types[name]} | {text} |" for name, text in columns.items()]
    return "\n".join(lines) + "\n"

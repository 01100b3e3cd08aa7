"""The columns of the files that runs leave behind; docs/files.md says what they mean."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import pyarrow as pa

from cutpoint.bench.data.metrics import COSTS, QUALITIES, Metric

Row = dict[str, Any]  # of a file, by column
KINDS = {"int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}
# The types of the columns that are neither text nor metrics, and the columns.
NAMES = {
    pa.int32(): "replicate position",
    pa.int64(): "seed n records observed levels runs",
    pa.float64(): "sigma threshold log_likelihood own gaussian splines eqfreq independence share expected sampled "
    "argmax ceiling_expected ceiling_argmax any forward backward undirected",
    pa.bool_(): "directed",
}
TYPES = {name: kind for kind, names in NAMES.items() for name in names.split()}


def _schema(names: str, metrics: Iterable[Metric] = (), further: str = "") -> pa.Schema:
    """Return the columns of some names, then metrics, then further names."""
    before, after = ([(name, TYPES.get(name, pa.string())) for name in each.split()] for each in (names, further))
    return pa.schema([*before, *((metric.name, KINDS[metric.type]) for metric in metrics), *after])


IDENTITY = ("method", "cell", "replicate")
RUNS = _schema("method cell replicate status message kind", (m for m in COSTS if m.name != "seconds"))
# The thresholds that discretizers found, with how each run ended: a row for each threshold, and one without a variable
# for a run that found none.
DISCRETIZED = _schema(
    "discretizer cell replicate status message",
    (metric for metric in COSTS if metric.name in ("discretize_seconds", "wall_seconds", "peak_mb")),
    "variable position threshold",
)
# `family` is of a method that compares kinds of models: which suits the target given its parents.
EDGES = _schema("method cell replicate source target directed family")
OPTIONAL = "family"  # a column that a file may lack
THRESHOLDS = _schema("method cell replicate variable position threshold")
METRICS = _schema(
    "study grid cell network dataset n noise sigma replicate method status message kind", (*COSTS, *QUALITIES)
)
PREDICTIONS = _schema(
    "study grid cell network n noise replicate method target share observed records "
    "expected sampled argmax ceiling_expected ceiling_argmax status message"
)
# The log-likelihoods of a fold's records under the graph learned from the others, in nats: `log_likelihood` under the
# evaluator that is named, then under each.
HELD_OUT = _schema(
    "study grid cell dataset replicate method records log_likelihood evaluator "
    "own gaussian splines eqfreq levels independence status message"
)
NO_EDGES = "independence"  # the column of the model without edges, and the key of its row in tables
# One row per run of all studies, in `results/runs.parquet`: METRICS behind what a method is made of.
RUN_COLUMNS = "study scale seed version label category discretizer policy learner score_name options"
ALL_RUNS = pa.schema([*_schema(RUN_COLUMNS), *(field for field in METRICS if field.name != "study")])
# The columns that identify a row of metrics or predictions; the files of a study are sorted by them.
ORDER = ("grid", "cell", "replicate", "method", "target", "share")
# The columns that may differ between two runs of the same config; all others are equal (see the docs).
MEASURED = ("discretize_seconds", "learn_seconds", "seconds", "wall_seconds", "peak_mb", "message")
# How often the resamples of a data set led to each edge; source < target by name, forward is source -> target.
EDGE_SHARES = _schema("dataset cell method source target runs any forward backward undirected")
SAMPLES = "samples"  # the column of rows over all samples of an experiment: how many they are


class Reading(NamedTuple):
    """A row of an experiment on readings of a paper: what is supposed, and a number in print, of ours and under it."""

    reading: str
    published: float
    ours: float
    supposed: float

    def over(self, samples: int) -> dict[str, Any]:
        """Return the row, with the number of samples that it rests on."""
        return self._asdict() | {SAMPLES: samples}

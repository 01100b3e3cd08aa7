"""The columns of the files that runs leave behind; docs/files.md says what they mean."""

import pyarrow as pa

from cutpoint.bench.data.metrics import COSTS, QUALITIES

TYPES = {"int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}

_IDENTITY = [("method", pa.string()), ("cell", pa.string()), ("replicate", pa.int32())]
IDENTITY = tuple(name for name, _ in _IDENTITY)
_COSTS = [(metric.name, TYPES[metric.type]) for metric in COSTS if metric.name != "seconds"]
_ENDING = [("status", pa.string()), ("message", pa.string()), ("kind", pa.string())]
RUNS = pa.schema([*_IDENTITY, *_ENDING, *_COSTS])
# The thresholds that discretizers found, with how each run ended: a row for each threshold, and one without a variable
# for a run that found none.
DISCRETIZED = pa.schema(
    [
        ("discretizer", pa.string()),
        *_IDENTITY[1:],
        *_ENDING[:2],
        *(cost for cost in _COSTS if cost[0] in ("discretize_seconds", "wall_seconds", "peak_mb")),
        *(("variable", pa.string()), ("position", pa.int32()), ("threshold", pa.float64())),
    ]
)
EDGES = pa.schema(
    [*_IDENTITY, ("source", pa.string()), ("target", pa.string()), ("directed", pa.bool_())],
)
THRESHOLDS = pa.schema(
    [*_IDENTITY, ("variable", pa.string()), ("position", pa.int32()), ("threshold", pa.float64())],
)
METRICS = pa.schema(
    [
        *((name, pa.string()) for name in ("study", "grid", "cell", "network", "dataset")),
        ("n", pa.int64()),
        ("noise", pa.string()),
        ("sigma", pa.float64()),
        ("replicate", pa.int32()),
        ("method", pa.string()),
        *_ENDING,
        *((metric.name, TYPES[metric.type]) for metric in (*COSTS, *QUALITIES)),
    ]
)
PREDICTIONS = pa.schema(
    [
        *((name, pa.string()) for name in ("study", "grid", "cell", "network")),
        ("n", pa.int64()),
        ("noise", pa.string()),
        ("replicate", pa.int32()),
        *((name, pa.string()) for name in ("method", "target")),
        ("share", pa.float64()),
        *((name, pa.int64()) for name in ("observed", "records")),
        *((name, pa.float64()) for name in ("expected", "sampled", "argmax", "ceiling_expected", "ceiling_argmax")),
        *((name, pa.string()) for name in ("status", "message")),
    ]
)
# The log-likelihoods of a fold's records under the graph learned from the others, in nats: `log_likelihood` under the
# evaluator that is named, then under each.
HELD_OUT = pa.schema(
    [
        *((name, pa.string()) for name in ("study", "grid", "cell", "dataset")),
        ("replicate", pa.int32()),
        ("method", pa.string()),
        ("records", pa.int64()),
        ("log_likelihood", pa.float64()),
        ("evaluator", pa.string()),
        *((name, pa.float64()) for name in ("own", "gaussian", "splines", "eqfreq")),
        ("levels", pa.int64()),
        ("independence", pa.float64()),
        *((name, pa.string()) for name in ("status", "message")),
    ]
)
# One row per run of all studies, in `results/runs.parquet`: METRICS behind what a method is made of.
ALL_RUNS = pa.schema(
    [
        *((name, pa.string()) for name in ("study", "scale")),
        ("seed", pa.int64()),
        *(
            (name, pa.string())
            for name in ("version", "label", "category", "discretizer", "policy", "learner", "score_name", "options")
        ),
        *(field for field in METRICS if field.name != "study"),
    ]
)
# The columns that identify a row of metrics or predictions; the files of a study are sorted by them.
ORDER = ("grid", "cell", "replicate", "method", "target", "share")
# The columns that may differ between two runs of the same config; all others are equal (see the docs).
MEASURED = ("discretize_seconds", "learn_seconds", "seconds", "wall_seconds", "peak_mb", "message")
# How often the resamples of a data set led to each edge; source < target by name, forward is source -> target.
EDGE_SHARES = pa.schema(
    [
        *((name, pa.string()) for name in ("dataset", "cell", "method", "source", "target")),
        ("runs", pa.int64()),
        *((name, pa.float64()) for name in ("any", "forward", "backward", "undirected")),
    ]
)

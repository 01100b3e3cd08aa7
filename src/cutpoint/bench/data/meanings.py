"""What the columns of the files of results mean; docs/files.md lists them from here."""

from cutpoint.bench.data.metrics import COSTS, QUALITIES
from cutpoint.bench.data.status import FAILED, OK, STARVED, UNAVAILABLE

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
    "category": "`prediscretization`, `integrated`, `direct`, `reference` or `external`",
    "discretizer": "what cuts the columns before a search",
    "policy": "what chooses thresholds together with the graph",
    "learner": "search or test that learns the graph",
    "score_name": "score that the search maximises",
    "options": "all other settings of the row, as JSON",
}
ENDING = {
    "status": f"{', '.join(f'`{status}`' for status in (OK, *FAILED))}, `{STARVED}` where a loaded machine gave it too "
    f"little CPU time, or `{UNAVAILABLE}` where there are no data",
    "message": "why the run has no result, on one line",
    "kind": "`dag`, or `pdag` for a pattern such as PC's",
}
GROUPS = {
    "What the run is": IDENTITY,
    "How it ended": ENDING,
    "Costs": {metric.name: metric.meaning for metric in COSTS},
    "Metrics": {metric.name: metric.meaning for metric in QUALITIES},
}
MEANINGS = {name: text for group in GROUPS.values() for name, text in group.items()}

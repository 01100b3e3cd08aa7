"""What the columns of the files of results mean, `meanings.csv` those that say what a run is; for docs/files.md."""

from pathlib import Path

from cutpoint.bench.data.metrics import COSTS, QUALITIES
from cutpoint.bench.data.status import FAILED, KILLED, OK, STARVED, UNAVAILABLE
from cutpoint.data.csv_files import read_csv

IDENTITY = {row["name"]: row["meaning"] for row in read_csv(Path(__file__).with_suffix(".csv"))}  # of runs
ENDING = {
    "status": f"{', '.join(f'`{status}`' for status in (OK, *FAILED))}, `{STARVED}` where a loaded machine gave it too "
    f"little CPU time, `{KILLED}` where something else than a limit ended it, or `{UNAVAILABLE}` where there are no "
    "data",
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

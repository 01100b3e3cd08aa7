"""What a run cost, by method and by rule."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from cutpoint.bench.data.status import OK
from cutpoint.bench.runs.jobs import Spent


def by_method(runs: pd.DataFrame, labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the cost of every method over its runs that succeeded, in the order of the labels by name.

    It is the number of runs, median and sum of their CPU seconds, and the peak in MB; None where nothing is reported.
    """
    good = runs[runs["status"] == OK].groupby("method")
    costs = pd.DataFrame(
        {
            "runs": good.size(),
            "median": good["seconds"].median(),
            "total": good["seconds"].sum(min_count=1),
            "peak": good["peak_mb"].max(),
        }
    ).reindex(list(labels))
    costs.insert(0, "label", list(labels.values()))
    costs["runs"] = costs["runs"].fillna(0).astype(int)
    return costs.astype(object).where(costs.notna(), None).to_dict("records")


def by_rule(folder: Path) -> list[dict[str, Any]]:
    """Return the jobs of every rule with their CPU and wall seconds, the longest first.

    The logs of a study, one a job, stand below a folder with the name of its rule, or have it.
    """
    logs = {path: path.relative_to(folder).parts[0].removesuffix(".log") for path in folder.rglob("*.log")}
    jobs = [{"rule": rule, **spent._asdict()} for path, rule in logs.items() if (spent := Spent.read(path))]
    by = pd.DataFrame(jobs, columns=["rule", *Spent._fields]).groupby("rule", as_index=False)
    costs = by.agg(jobs=("cpu", "size"), cpu=("cpu", "sum"), wall=("wall", "sum"))
    return costs.sort_values(["cpu", "rule"], ascending=[False, True]).to_dict("records")

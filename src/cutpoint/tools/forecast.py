"""The page that `snakemake cost` prints: runs, jobs, time and disk of every study and of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cutpoint.tools.costs import Estimate, Model

LINES = ("report", "all")  # jobs that there is one of, whatever the studies


def total(loads: Sequence[Mapping[str, Any]], each: Sequence[Estimate], model: Model) -> Estimate:
    """Return the sum over studies, with the report; a data set that several studies have is made once."""
    jobs = sum((Counter(estimate.jobs) for estimate in each), Counter())
    sets = set().union(*(load["datasets"] for load in loads))
    twice = sum(len(load["datasets"]) for load in loads) - len(sets)
    if twice:
        jobs["dataset"] -= twice
    seconds = sum(e.seconds for e in each) - twice * model.job("job", "dataset") + model.job("job", "report")
    return Estimate(
        study="all",
        runs=sum(e.runs for e in each),
        jobs=dict(jobs + Counter(LINES)),
        seconds=seconds,
        longest=max((e.longest for e in each), default=0.0),
        megabytes=sum(e.megabytes for e in each),
        guessed=set().union(*(e.guessed for e in each)),
    )


def text(loads: Sequence[Mapping[str, Any]], model: Model, cores: int) -> str:
    """Return the page.

    Args:
        loads: `cutpoint.tools.workload.Load` of every study, as plain values.
        model: of the costs.
        cores: that the jobs share.
    """
    each = [model.estimate(load) for load in loads]
    whole = total(loads, each, model)
    wall = f"wall on {cores} core{'s' * (cores != 1)}"
    lines = [f"{'study':<14}{'runs':>9}{'jobs':>8}{'CPU':>12}{wall:>18}{'disk':>10}"]
    lines += [_line(estimate, cores) for estimate in (*each, whole)]
    lines += ["", "jobs by rule: " + ", ".join(f"{rule} {n}" for rule, n in sorted(whole.jobs.items()))]
    if whole.guessed:
        names = ", ".join(sorted(whole.guessed))
        lines += [f"no measured cost, taken for the median of the category: {names}"]
    lines += ["as if nothing were there yet; from data/costs.csv, see docs/cost.md"]
    return "\n".join(lines)


def _line(estimate: Estimate, cores: int) -> str:
    cells = (span(estimate.seconds), span(estimate.wall(cores)), volume(estimate.megabytes))
    jobs = sum(estimate.jobs.values())
    return f"{estimate.study:<14}{estimate.runs:>9}{jobs:>8}{cells[0]:>12}{cells[1]:>18}{cells[2]:>10}"


def span(seconds: float) -> str:
    """Return a time as it is best read: "48 s", "3.2 min" or "5.1 h"."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 5970 else f"{seconds / 3600:.1f} h"


def volume(megabytes: float) -> str:
    """Return a size on disk: "12 MB" or "1.3 GB"."""
    return f"{megabytes:.0f} MB" if megabytes < 1000 else f"{megabytes / 1000:.1f} GB"

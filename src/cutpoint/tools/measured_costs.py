"""From finished runs to the laws of `cutpoint.tools.costs`: methods from the study `growth`, jobs from any."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data import parquet, schemas
from cutpoint.method.rows_file import job_of
from cutpoint.networks.network import read_network
from cutpoint.statistics.powers import power_law
from cutpoint.tools import resources
from cutpoint.tools.costs import RECORDS, VARIABLES, Law, digest, group_of

STUDY = "growth"
SPENT = re.compile(r"^([0-9.]+) CPU seconds$", re.MULTILINE)
FOLDERS = {"experiment": "experiments"}  # of logs, where it is not that of the benchmarks
LEARN, DISCRETIZE = COSTS = ("learn_seconds", "discretize_seconds")
Row = Mapping[str, Any]


def measure(folders: Sequence[Path], rows: Mapping[str, Row]) -> list[Law]:
    """Return the laws of all methods and jobs of some runs.

    Args:
        folders: those that ``results/`` and ``logs/`` stand in; one of them holds the study `growth`.
        rows: of the methods file.

    Raises:
        InputError: no run of `growth`, or a folder without benchmarks.
    """
    found = [folder for folder in folders if (folder / "results" / STUDY / "metrics.parquet").exists()]
    if not found:
        raise InputError(
            f"{folders[0]}: no results/{STUDY}/metrics.parquet; run snakemake --config study={STUDY} first"
        )
    return [*of_methods(found[-1], rows), *of_jobs(folders, rows)]


def of_methods(folder: Path, rows: Mapping[str, Row]) -> list[Law]:
    """Return the laws of the methods, and of the discretizations of those that discretize beforehand.

    The value at the sizes of reference is that of the law by records: its network has as many variables.
    """
    runs, _ = parquet.read_records(folder / "results" / STUDY / "metrics.parquet", schemas.METRICS)
    networks = {path.stem: path for path in (folder / "results" / STUDY / "networks").glob("*.bif")}
    counts = {name: float(len(read_network(path).variables)) for name, path in networks.items()}
    laws = []
    for method in dict.fromkeys(run["method"] for run in runs):
        mine = [run for run in runs if run["method"] == method and run["status"] == "ok"]
        row = rows.get(method, {})
        stages = {"learn": LEARN, "discretize": DISCRETIZE} if "discretizer" in row else {"learn": "seconds"}
        for kind, column in stages.items():
            if (law := _law(mine, counts, column)) is not None:
                laws.append(Law(kind, method, group_of(row), *law))
    return laws


def _law(runs: Sequence[Row], counts: Mapping[str, float], column: str) -> tuple[float, float, float] | None:
    records: dict[float, list[float]] = {}  # size: seconds of each run
    variables: dict[float, list[float]] = {}
    for run in (run for run in runs if run[column] is not None):
        if run["grid"] == "records":
            records.setdefault(float(run["n"]), []).append(run[column])
        elif (size := counts.get(f"{run['network']}-{run['replicate']}")) is not None:
            variables.setdefault(size, []).append(run[column])
    by_n, by_v = _fit(records, RECORDS), _fit(variables, VARIABLES)
    if by_n is None and by_v is None:
        return None
    start = (by_n or by_v or (0.0, 0.0))[1]
    return max(start, 1e-6), by_n[0] if by_n else 0.0, by_v[0] if by_v else 0.0


def _fit(values: Mapping[float, Sequence[float]], reference: float) -> tuple[float, float] | None:
    """Return the exponent and the value at the reference, None without two sizes."""
    law = power_law(np.array(list(values)), np.array([median(v) for v in values.values()]), reference)
    return (float(law.exponent), float(law.scale)) if np.isfinite(law.exponent) else None


def of_jobs(folders: Sequence[Path], rows: Mapping[str, Row]) -> list[Law]:
    """Return what the jobs of each rule spend beside the methods: at their start, and on each run; and experiments."""
    external = {job_of(name, row) for name, row in rows.items() if row["category"] == "external"}
    prepared = {name for name, row in rows.items() if "discretizer" in row}
    spent: dict[str, list[tuple[float, float]]] = {}
    laws: dict[tuple[str, str], Law] = {}
    for folder in folders:
        for path, cpu in job_seconds(folder).items():
            rule = resources.rule_of(path, external)
            if rule in ("experiment", "experiments"):
                law = _experiment(folder, path, cpu)
                laws[law.name, law.group] = law
                continue
            runs, inside = _runs_of(folder, path, prepared)
            spent.setdefault(rule, []).append((runs, max(cpu - inside, 0.0)))
    found = list(laws.values())
    for rule, jobs in spent.items():
        start, each = line(jobs)
        found.append(Law("job", rule, "", start))
        found += [Law("run", rule, "", each)] if each else []
    return found


def job_seconds(folder: Path) -> dict[Path, float]:
    """Return the CPU seconds of every job by the path of its benchmark: what its log says, else its wall seconds.

    Raises:
        InputError: no benchmarks.
    """
    root = folder / "logs" / "benchmarks"
    paths = sorted(root.rglob("*.tsv"))
    if not paths:
        raise InputError(f"{root}: no benchmarks; name the folder of a finished run")
    found = {}
    for path in paths:
        below = path.relative_to(root)
        log = folder / "logs" / Path(*(FOLDERS.get(part, part) for part in below.with_suffix(".log").parts))
        said = SPENT.findall(log.read_text(encoding="utf-8")) if log.is_file() else []
        found[below] = float(said[-1]) if said else resources.benchmark(path)[0]
    return found


def _experiment(folder: Path, path: Path, cpu: float) -> Law:
    study, name = path.parts[0], path.stem
    _, about = parquet.read_table(folder / "results" / study / "experiments" / f"{name}.parquet")
    return Law("experiment", f"{study}/{name}", digest(about["options"]), cpu)


def _runs_of(folder: Path, path: Path, prepared: set[str]) -> tuple[int, float]:
    """Return how many runs a job went through, and their CPU seconds where it is the job that ran them."""
    if len(path.parts) < 3:
        return 0, 0.0
    study, rule = path.parts[:2]
    root = folder / "results" / study / "batches" / path.parts[2].removesuffix(".tsv")
    if rule in ("learn", "discretize"):
        part = "methods" if rule == "learn" else "discretizers"
        rows, _ = parquet.read_records(root / part / path.stem / "runs.parquet", schemas.RUNS)
        apart = prepared if rule == "learn" else ()  # another job discretized for these
        inside = [run[key] or 0.0 for run in rows for key in COSTS if key != DISCRETIZE or run["method"] not in apart]
        return len(rows), sum(inside)
    if rule == "evaluate":
        return len(parquet.read_records(root / "metrics.parquet", schemas.METRICS)[0]), 0.0
    return 0, 0.0


def line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the start and the slope of a line through (runs, seconds), neither below 0."""
    x, y = np.array(points, float).T
    spread = float(((x - x.mean()) ** 2).sum())
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread if spread else 0.0
    slope = max(slope, 0.0)
    start = float(y.mean() - slope * x.mean())
    return (start, slope) if start > 0 else (0.0, float(y.sum() / max(x.sum(), 1.0)))

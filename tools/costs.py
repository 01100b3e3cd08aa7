"""Fit the costs that `snakemake cost` predicts from to finished runs: `uv run tools/costs.py FOLDER...`.

Each method gets one law, from its runs on simulated data of all these studies; `growth` spreads records and variables
widest. Experiments and what jobs spend beside the methods follow. Only the files of batches and the last line of each
log are read.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from scipy.optimize import nnls

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.declaration import study_file
from cutpoint.bench.report.artefacts import records
from cutpoint.bench.workflow.forecast import (
    FIELDS,
    KINDS,
    MEASURED,
    RECORDS,
    VARIABLES,
    Law,
    experiment_at,
    group_of,
    read_laws,
)
from cutpoint.method.rows import load_methods
from cutpoint.networks.network import network, read_network

SPENT = re.compile(r"^([0-9.]+) CPU seconds$", re.MULTILINE)  # the last line of a log, see cutpoint.bench.runs.jobs
DATA = ("sample", "noise", "resample")  # the rules that make data of a batch
Row = Mapping[str, Any]
Size = tuple[float, float]  # records, variables


def measure(folders: Sequence[Path], rows: Mapping[str, Row]) -> list[Law]:
    """Return the laws fitted to finished runs.

    Args:
        folders: each with ``results/`` and ``logs/``.
        rows: of methods.yaml.

    Raises:
        InputError: none of the folders holds the results of a study.
    """
    studies = [(folder, path.parent.name) for folder in folders for path in folder.glob("results/*/claims.csv")]
    if not studies:
        raise InputError(f"{folders[0]}: no results/STUDY/claims.csv; name the folder of a finished run")
    return [*of_methods(studies, rows), *of_experiments(studies), *of_jobs(studies)]


def of_methods(studies: Sequence[tuple[Path, str]], rows: Mapping[str, Row]) -> Iterable[Law]:
    """Yield the law of each method, fitted by least squares of logarithms to the medians over replicates.

    Args:
        studies: folder of the run and name of the study.
        rows: of methods.yaml.
    """
    seconds: dict[str, dict[Size, list[float]]] = {}
    failed: dict[str, set[float]] = {}  # variables with which a method ends with an error
    for run, variables in simulated_runs(studies):
        if run["status"] == "ok" and run["seconds"]:
            seconds.setdefault(run["method"], {}).setdefault((run["n"], variables), []).append(run["seconds"])
        elif run["status"] == "error":
            failed.setdefault(run["method"], set()).add(variables)
    for method, sizes in seconds.items():
        law = power_law({size: median(values) for size, values in sizes.items()})
        most = max(variables for _, variables in sizes)
        limit = most if any(variables > most for variables in failed.get(method, ())) else math.inf
        yield Law("method", method, group_of(rows.get(method, {})), *law, limit)


def simulated_runs(studies: Sequence[tuple[Path, str]]) -> Iterable[tuple[Row, int]]:
    """Yield the runs on data of networks, each with the number of variables."""
    for folder, study in studies:
        results = folder / "results" / study
        random = {path.stem: len(read_network(path).variables) for path in results.glob("networks/*.bif")}
        for path in results.glob("batches/*/metrics.parquet"):
            for run in parquet.read_records(path, schemas.METRICS)[0]:
                if run["network"]:
                    drawn = random.get(f"{run['network']}-{run['replicate']}")
                    yield run, drawn or shipped_size(run["network"])


@cache
def shipped_size(name: str) -> int:
    """Return the number of variables of a shipped network."""
    return len(network(name).variables)


def power_law(points: Mapping[Size, float]) -> tuple[float, float, float]:
    """Return the value at the reference sizes and the exponents of records and of variables.

    Args:
        points: seconds by number of records and of variables; an exponent is 0 if only one size is known.
    """
    logs = np.log([(n / RECORDS, v / VARIABLES) for n, v in points])
    found = np.linalg.lstsq(np.column_stack([np.ones(len(logs)), logs]), np.log(list(points.values())), rcond=None)[0]
    return float(np.exp(found[0])), float(found[1]), float(found[2])


def of_experiments(studies: Sequence[tuple[Path, str]]) -> Iterable[Law]:
    """Yield what experiments took, with the options of which scale; those with other options are left out."""
    for folder, study in studies:
        scales = read_yaml(study_file(study))["scales"]
        names = [MEASURED, *(name for name in scales if name != MEASURED)]
        for path in sorted((folder / "results" / study / "experiments").glob("*.parquet")):
            log = folder / "logs" / study / "experiments" / f"{path.stem}.log"
            options, spent = parquet.read_table(path)[1]["options"], cpu_seconds([log])
            at = (name for name in names if scales[name].get("experiments", {}).get(path.stem, {}) == options)
            if spent and (scale := next(at, None)):
                yield Law("experiment", experiment_at(f"{study}/{path.stem}", scale), "", spent[0])


def of_jobs(studies: Sequence[tuple[Path, str]]) -> Iterable[Law]:
    """Yield the overhead beside methods and experiments: by job and run of a batch, data set and study.

    The jobs of a batch are taken to spend ``job * jobs + run * runs`` beside its methods, by least squares.
    """
    spent, counts, data, rest = [], [], [], []
    for folder, study in studies:
        logs = folder / "logs" / study
        batches = {path.parent.name: path.parent for path in folder.glob(f"results/{study}/batches/*/metrics.parquet")}
        of_batch: dict[str, list[Path]] = {name: [] for name in batches}
        for log in logs.glob("*/**/*.log"):
            rule, *names = [part.removesuffix(".log") for part in log.relative_to(logs).parts]
            if rule in DATA:
                data += cpu_seconds([log])
            elif batch := batches.keys() & names:
                of_batch[batch.pop()].append(log)
        rest.append(sum(cpu_seconds(logs.glob("*.log"))))
        for name, path in batches.items():
            runs, _ = parquet.read_records(path / "metrics.parquet", schemas.METRICS)
            methods = sum(run["seconds"] or 0.0 for run in runs)
            spent.append(max(sum(cpu_seconds(of_batch[name])) - methods, 0.0))
            counts.append((1 + len(list(path.glob("methods/*"))), len(runs)))  # and the job that evaluates
    if spent:
        job, run = nnls(np.array(counts, float), np.array(spent))[0]
        yield from (Law("job", "", "", float(job)), Law("run", "", "", float(run)))
    if data:
        yield Law("data", "", "", mean(data))
    yield Law("study", "", "", mean(rest))


def cpu_seconds(logs: Iterable[Path]) -> list[float]:
    """Return the CPU seconds that logs end with, children and imports included."""
    texts = (log.read_text(encoding="utf-8", errors="replace") for log in logs if log.is_file())
    return [float(found[-1]) for text in texts if (found := SPENT.findall(text))]


def write(path: Path, laws: Iterable[Law]) -> None:
    """Write laws, sorted; those of the file that were not measured again stay."""
    known = {(law.kind, law.name): law for law in [*(read_laws(path) if path.exists() else []), *laws]}
    rows = sorted(known.values(), key=lambda law: (KINDS.index(law.kind), law.name))
    lines = [[value if isinstance(value, str) else f"{value:.4g}" for value in astuple(law)] for law in rows]
    path.write_text(records(FIELDS, lines), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file of laws."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path, help="with results/ and logs/ of a run")
    parser.add_argument("--methods", type=Path, default=Path("config", "methods.yaml"), help="default %(default)s")
    parser.add_argument("--write", type=Path, default=Path("data", "costs.csv"), help="default %(default)s")
    options = parser.parse_args(arguments)
    try:
        laws = measure(options.folders, load_methods(options.methods))
        write(options.write, laws)
    except InputError as problem:
        sys.exit(f"costs: {problem}")
    print(f"{options.write}: {len(laws)} laws measured")


if __name__ == "__main__":
    main()

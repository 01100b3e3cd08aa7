"""Derive the memory and run times of a cluster profile from finished runs: `uv run tools/resources.py FOLDER...`.

What a job took stands in the last line of its log.
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
from cutpoint.bench.runs.jobs import Spent

PACKAGES_MB = 250.0  # resident, of a job before its runs
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
        InputError: no logs of finished jobs.
    """
    used: dict[str, Use] = {}
    for folder in folders:
        root = folder / "logs"
        jobs = {path: spent for path in sorted(root.rglob("*.log")) if (spent := Spent.read(path))}
        if not jobs:
            raise InputError(f"{root}: no logs of finished jobs; name the folder of a finished run")
        for path, spent in jobs.items():
            place = path.relative_to(root)
            for name in {rule_of(place), *(MADE_FROM if "external" in place.parts[:-1] else ())}:
                use = used.setdefault(name, Use(supervised=len(place.parts) == 5))
                use.seconds.append(spent.wall)
                use.megabytes.append(spent.mb)
    return used


def rule_of(path: Path) -> str:
    """Return the rule of a log by its path below ``logs``.

    It is ``RULE.log``, ``dataset/NAME.log``, ``environment/NAME.log``, ``STUDY/RULE.log``, ``STUDY/RULE/....log`` or
    ``STUDY/external/SOURCE/BATCH/RULE.log``.
    """
    if len(path.parts) == 1 or path.parts[1] == "external":
        return path.stem
    return path.parts[0] if path.parts[0] in BY_NAME else path.parts[1].removesuffix(".log")


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

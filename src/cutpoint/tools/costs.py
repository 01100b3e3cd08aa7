"""What studies will cost, from laws that were fitted to finished runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.data.csv_files import read_csv
from cutpoint.report.artefacts import records

FIELDS = ("kind", "name", "group", "seconds", "records", "variables")
KINDS = ("learn", "discretize", "job", "run", "experiment")
RECORDS, VARIABLES = 1000, 20  # the sizes of reference of the laws
# Bytes on disk, as measured: of a number in a data file with its code, of a run in all its files, of an artefact.
VALUE, RUN, ARTEFACT = 8.5, 4000.0, 150_000.0


@dataclass(frozen=True)
class Law:
    """CPU seconds ``seconds * (records / 1000)^a * (variables / 20)^b`` of a run; of a job without exponents."""

    kind: str
    name: str
    group: str
    seconds: float
    records: float = 0.0
    variables: float = 0.0

    def of(self, size: float, variables: float) -> float:
        """Return the CPU seconds at a size."""
        return self.seconds * (size / RECORDS) ** self.records * (variables / VARIABLES) ** self.variables


def group_of(row: Mapping[str, Any]) -> str:
    """Return the category and the learner of a method: those alike in both cost most alike."""
    return f"{row.get('category', '')} {row.get('learner', '')}".strip()


def digest(options: Mapping[str, Any]) -> str:
    """Return a short name of the options of an experiment."""
    return hashlib.sha256(json.dumps(options, sort_keys=True, default=list).encode()).hexdigest()[:8]


def write(path: Path, laws: Iterable[Law]) -> None:
    """Write laws as CSV, sorted."""
    rows = sorted(laws, key=lambda law: (KINDS.index(law.kind), law.name, law.group))
    lines = [
        [getattr(law, name) if name in FIELDS[:3] else f"{getattr(law, name):.4g}" for name in FIELDS] for law in rows
    ]
    path.write_text(records(FIELDS, lines), encoding="utf-8")


def read(path: Path) -> list[Law]:
    """Return the laws of a file.

    Raises:
        InputError: no such file, or a row that is no law.
    """
    try:
        rows = read_csv(path)
    except InputError as problem:
        raise InputError(f"{problem}; cutpoint costs writes it") from None
    try:
        texts = [(row["kind"], row["name"], row["group"]) for row in rows]
        numbers = [(float(row["seconds"]), float(row["records"]), float(row["variables"])) for row in rows]
        return [Law(*text, *number) for text, number in zip(texts, numbers, strict=True)]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}: a row without {', '.join(FIELDS)}; make it anew by cutpoint costs") from None


@dataclass
class Estimate:
    """What a study will take.

    Attributes:
        runs, jobs: how many.
        seconds: of CPU time, over all jobs.
        longest: CPU seconds of the longest job.
        megabytes: on disk.
        guessed: what has no law of its own and was taken for the median of its kind.
    """

    study: str
    runs: int
    jobs: dict[str, int]
    seconds: float
    longest: float
    megabytes: float
    guessed: set[str] = field(default_factory=set)

    def wall(self, cores: int) -> float:
        """Return wall seconds on some cores: no less than the longest job."""
        return max(self.seconds / max(1, cores), self.longest)


class Model:
    """Predicts from laws; what has none gets the median of its group, else of its category, else of its kind.

    Args:
        laws: those that were measured.
        group: category and learner of the methods.
        limit: CPU seconds after which a run is stopped.
    """

    def __init__(self, laws: Sequence[Law], group: Mapping[str, str], limit: float):
        self._laws = {(law.kind, law.name): law for law in laws if law.kind != "experiment"}
        self._experiments = {(law.name, law.group): law.seconds for law in laws if law.kind == "experiment"}
        self._group, self._limit = group, limit
        self.guessed: set[str] = set()

    def run(self, kind: str, method: str, size: float, variables: float) -> float:
        """Return the CPU seconds of a run, no more than its limit."""
        law = self._laws.get((kind, method))
        if law is not None:
            return min(law.of(size, variables), self._limit)
        self.guessed.add(method)
        same = [each for (k, _), each in self._laws.items() if k == kind]
        group = self._group.get(method, "")
        like = [each for each in same if each.group == group]
        like = like or [each for each in same if each.group.partition(" ")[0] == group.partition(" ")[0]] or same
        return min(median(each.of(size, variables) for each in like), self._limit) if like else 0.0

    def job(self, kind: str, rule: str) -> float:
        """Return the CPU seconds of a job beside its runs ("job"), or what it spends on each of them ("run")."""
        law = self._laws.get((kind, rule))
        if law is not None:
            return law.seconds
        stem = rule.partition("_")[0] + "_"
        same = {name: each.seconds for (k, name), each in self._laws.items() if k == kind}
        like = [seconds for name, seconds in same.items() if name.startswith(stem)]
        if kind == "run":  # a rule that was never seen to spend any
            return median(like) if like else 0.0
        return median(like or same.values() or [1.0])

    def experiment(self, study: str, name: str, options: Mapping[str, Any]) -> float:
        """Return the CPU seconds of an experiment: with these options, else the mean of what it took with others."""
        key = f"{study}/{name}"
        if (found := self._experiments.get((key, digest(options)))) is not None:
            return found
        self.guessed.add(key)
        others = [seconds for (known, _), seconds in self._experiments.items() if known == key]
        return sum(others) / len(others) if others else 0.0

    def estimate(self, load: Mapping[str, Any]) -> Estimate:
        """Return what a `cutpoint.tools.workload.Load`, as plain values, will take."""
        self.guessed = set()
        spent: dict[str, float] = {}  # by rule, in the runs of its jobs
        longest = 0.0
        for rule, kind, found in load["batches"]:
            seconds = sum(count * self.run(kind, *run) for run, count in found.items())
            spent[rule] = spent.get(rule, 0.0) + seconds
            longest = max(longest, seconds)
        made = [self.experiment(load["study"], name, options) for name, options in load["experiments"]]
        spent["experiment"] = sum(made)
        for rule, count in load["work"].items():
            spent[rule] = spent.get(rule, 0.0) + count * self.job("run", rule)
        starts = {rule: count * self.job("job", rule) for rule, count in load["jobs"].items()}
        runs = sum(sum(found.values()) for _, kind, found in load["batches"] if kind == "learn")
        return Estimate(
            study=load["study"],
            runs=runs,
            jobs=dict(load["jobs"]),
            seconds=sum(starts.values()) + sum(spent.values()),
            longest=max([longest, *made]),
            megabytes=(VALUE * load["values"] + RUN * runs + ARTEFACT * load["artefacts"]) / 1e6,
            guessed=self.guessed,
        )

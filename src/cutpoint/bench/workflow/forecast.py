"""What studies will take before they run: CPU time, wall time and disk, from one measured law per method."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.names import OWN
from cutpoint.base.text import first_of
from cutpoint.bench.workflow.plan import Batch, Cell, stem
from cutpoint.bench.workflow.settings import Study
from cutpoint.data.csv_files import read_csv

FIELDS = ("kind", "name", "group", "seconds", "records", "variables", "most")
KINDS = ("method", "discretizer", OWN, "experiment", "job", "run", "data", "study")
Run = tuple[str, float, float]  # a method or a discretizer, records, variables
RECORDS, VARIABLES = 1000, 20  # sizes at which a law gives its `seconds`
MEASURED = "published"  # the scale whose experiments have laws without its name
# Measured bytes on disk: of a number in a data file with its code, of all files of a run, of a table or figure.
VALUE, RUN, ARTEFACT = 8.5, 4000.0, 150_000.0


@dataclass(frozen=True)
class Law:
    """Measured CPU seconds: ``seconds * (N / 1000)^records * (n / 20)^variables`` for N records of n variables.

    Attributes:
        kind: "method" (a run of it, its discretizer included), "discretizer" (a run of it alone, which methods share),
            "own" (a run of a method on own data, which have more different values than simulated ones; without a name
            what is spent beside it), "experiment", or what is spent beside these: "job" (each job of a batch), "run"
            (each run of a method or a discretizer, in all jobs of its batch), "data" (each job that makes data sets)
            and "study" (its tables, figures and claims).
        name: of the method or the discretizer, or "STUDY/EXPERIMENT".
        group: category and learner of the method; methods of one group take similar times.
        seconds: at 1000 records and 20 variables.
        records, variables: exponents.
        most: variables with which a run succeeded, where it ended with an error at once with more.
    """

    kind: str
    name: str
    group: str
    seconds: float
    records: float = 0.0
    variables: float = 0.0
    most: float = math.inf

    def at(self, records: float, variables: float) -> float:
        """Return the CPU seconds of a run on a data set of this size."""
        if variables > self.most:
            return 0.0
        return self.seconds * (records / RECORDS) ** self.records * (variables / VARIABLES) ** self.variables


def group_of(row: Mapping[str, Any]) -> str:
    """Return the category and the learner of a row of methods.yaml."""
    return f"{row.get('category', '')} {row.get('learner', '')}".strip()


def read_laws(path: Path) -> list[Law]:
    """Return the laws of a file.

    Raises:
        InputError: the file is missing, or a row is malformed.
    """
    try:
        return [
            Law(row["kind"], row["name"], row["group"], *(float(row[name]) for name in FIELDS[3:]))
            for row in read_csv(path)
        ]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}: a row without {', '.join(FIELDS)}; write the file with tools/costs.py") from None


@dataclass
class Load:
    """The work of a study in an empty folder.

    Attributes:
        study: its name.
        jobs: every job that runs methods: how many runs by method, records and variables.
        discretizations: likewise every job that runs discretizers.
        shared: the discretizer from whose thresholds a method learns, for methods that have one.
        batches: how many.
        data: jobs that make the networks and data sets of batches.
        values: numbers in the data files.
        artefacts: tables and figures.
        experiments: by name, the scale whose options it has: `MEASURED` where they are those of that scale.
    """

    study: str
    jobs: list[dict[Run, int]] = field(default_factory=list)
    discretizations: list[dict[Run, int]] = field(default_factory=list)
    shared: dict[str, str] = field(default_factory=dict)
    batches: int = 0
    data: int = 0
    values: float = 0.0
    artefacts: int = 0
    experiments: dict[str, str] = field(default_factory=dict)


def load_of(
    name: str,
    study: Study,
    scale: str,
    batches: Iterable[Batch],
    job_of: Mapping[str, str],
    discretizer_of: Mapping[str, tuple[str, str]],
    size_of: Callable[[Cell], tuple[float, float]],
) -> Load:
    """Return the work of a study at a scale.

    Args:
        name: of the study.
        study: its grids, experiments and artefacts.
        scale: its name.
        batches: of the study at this scale.
        job_of: the job that each method runs in.
        discretizer_of: the job and the name of the discretizer of each method that has one.
        size_of: gives the records and variables of a cell.
    """
    load = Load(name, artefacts=len(study.tables) + len(study.figures))
    options = {each: study.scales[each].experiments for each in (scale, MEASURED)}
    load.experiments = {
        name: MEASURED if options[scale].get(name) == options[MEASURED].get(name) else scale
        for name in study.experiments
    }
    blocks = set()  # of random networks
    for batch in batches:
        load.batches += 1
        load.data += 2 if batch.source == "simulated" else 1  # codes and noise, or samples
        load.data += any(study.grids[part.grid].predict or study.grids[part.grid].held_out for part in batch.parts)
        jobs: dict[str, Counter[Run]] = {job_of[method]: Counter() for method in batch.methods}
        discretized: dict[str, dict[Run, set[tuple[Cell, int]]]] = {}
        for part in batch.parts:
            size = size_of(part.cell)
            datasets = {(part.cell, replicate) for replicate in range(part.first, part.last + 1)}
            for method in part.methods:
                jobs[job_of[method]][method, *size] += part.replicates
                if method in discretizer_of:
                    job, discretizer = discretizer_of[method]
                    discretized.setdefault(job, {}).setdefault((discretizer, *size), set()).update(datasets)
                    load.shared[method] = discretizer
        load.jobs += map(dict, jobs.values())
        load.discretizations += [{run: len(sets) for run, sets in job.items()} for job in discretized.values()]
        for cell, (first, last) in batch.data.items():
            records, variables = size_of(cell)
            load.values += (last - first + 1) * records * variables
            if cell.network in study.random_networks:
                blocks |= {(cell.network, k) for k in range(first // study.block, last // study.block + 1)}
    load.data += len(blocks)
    return load


def sizes(
    study: Study,
    variables: Mapping[str, int],
    datasets: Mapping[str, Mapping[str, Any]],
    own: tuple[int, int] | None = None,
) -> Callable[[Cell], tuple[float, float]]:
    """Return a function that gives the records and variables of a cell; of random networks, the mean.

    Args:
        study: its random networks.
        variables: how many variables each other network has, by its name.
        datasets: entries of datasets.yaml.
        own: records and variables of the user's data.
    """

    def size(cell: Cell) -> tuple[float, float]:
        if cell.dataset:
            entry = datasets.get(cell.dataset)
            if entry is None:
                records, columns = own or (RECORDS, VARIABLES)
                most = getattr(study.resamples.get(str(cell.resample)), "most", None)
                return min(records, most or records), columns
            columns = len(entry.get("columns") or ()) - len(entry.get("dropped") or ())
            return entry.get("rows") or RECORDS, entry.get("variables") or max(columns, 1)
        network = str(cell.network)
        if network in study.random_networks:
            return cell.n or 0, sum(study.random_networks[network].nodes) / 2
        return cell.n or 0, variables[stem(network)]

    return size


@dataclass
class Estimate:
    """What a study will take.

    Attributes:
        study: its name.
        runs: how many.
        seconds: of CPU time, over all jobs.
        longest: CPU seconds of the longest job.
        megabytes: on disk.
    """

    study: str
    runs: int
    seconds: float
    longest: float
    megabytes: float

    def line(self, cores: int) -> str:
        """Return a line of the page; the wall time is no less than that of the longest job."""
        wall = max(self.seconds / max(1, cores), self.longest)
        return (
            f"{self.study:<14}{self.runs:>9}{duration(self.seconds):>12}{duration(wall):>18}{_disk(self.megabytes):>10}"
        )


def experiment_at(name: str, scale: str) -> str:
    """Return what the law of an experiment with the options of a scale is called."""
    return name if scale == MEASURED else f"{name} {scale}"


class Forecast:
    """Estimates from laws; a method without a law gets the median of its group, else of its category, else of all.

    Args:
        laws: as measured.
        groups: of the methods, see `group_of`.
        limit: seconds after which a run is stopped.
    """

    def __init__(self, laws: Sequence[Law], groups: Mapping[str, str], limit: float):
        self._laws = {(law.kind, law.name): law for law in laws}
        self._groups, self._limit = groups, limit
        self.guessed: set[str] = set()

    def run(self, method: str, records: float, variables: float, kind: str = "method") -> float:
        """Return the CPU seconds of a run, at most its limit."""
        law = self._laws.get((kind, method)) or self._laws.get(("method", method))
        laws = [law] if law else self._similar(method)
        return min(median(each.at(records, variables) for each in laws), self._limit) if laws else 0.0

    def _similar(self, method: str) -> list[Law]:
        self.guessed.add(method)
        group = self._groups.get(method, "")
        known = [law for law in self._laws.values() if law.kind == "method"]
        same = [law for law in known if law.group == group]
        return same or [law for law in known if law.group.split()[:1] == group.split()[:1]] or known

    def _discretization(self, name: str, records: float, variables: float) -> float:
        """Return the CPU seconds of a discretizer; without a law they are counted with each of its methods."""
        law = self._laws.get(("discretizer", name))
        return min(law.at(records, variables), self._limit) if law else 0.0

    def _learning(self, method: str, records: float, variables: float, shared: Mapping[str, str], kind: str) -> float:
        """Return the CPU seconds of a run without those of its discretizer, which has run before."""
        before = self._discretization(shared.get(method, ""), records, variables)
        return max(self.run(method, records, variables, kind) - before, 0.0)

    def _overhead(self, kind: str) -> float:
        law = self._laws.get((kind, ""))
        return law.seconds if law else 0.0

    def _beside(self, records: float, variables: float, kind: str) -> float:
        """Return the CPU seconds that a run takes beside its method."""
        law = self._laws.get((kind, "")) or self._laws.get(("run", ""))
        return law.at(records, variables) if law else 0.0

    def _experiment(self, name: str, scale: str) -> float:
        """Return the CPU seconds of an experiment at a scale, or else at the published one."""
        law = self._laws.get(("experiment", experiment_at(name, scale)))
        if law is None:
            self.guessed.add(name)
            law = self._laws.get(("experiment", name))
        return law.seconds if law else 0.0

    def estimate(self, load: Load) -> Estimate:
        """Return what the work of a study will take."""
        start, kind = self._overhead("job"), OWN if load.study == OWN else "method"
        learning = partial(self._learning, shared=load.shared, kind=kind)
        jobs = [
            start + sum(n * (seconds(*run) + self._beside(*run[1:], kind)) for run, n in job.items())
            for seconds, each in ((self._discretization, load.discretizations), (learning, load.jobs))
            for job in each
        ]
        jobs += [self._experiment(f"{load.study}/{name}", at) for name, at in load.experiments.items()]
        runs = sum(sum(job.values()) for job in load.jobs)
        beside = load.batches * start + load.data * self._overhead("data") + self._overhead("study")
        megabytes = (VALUE * load.values + RUN * runs + ARTEFACT * load.artefacts) / 1e6
        return Estimate(load.study, runs, sum(jobs) + beside, max(jobs, default=0.0), megabytes)

    def page(self, loads: Iterable[Load], cores: int) -> str:
        """Return a line for each study and one for all, and what has no measured cost.

        Args:
            loads: of the studies.
            cores: that the jobs share.
        """
        estimates = [self.estimate(load) for load in loads]
        sums = [sum(getattr(each, name) for each in estimates) for name in ("runs", "seconds", "megabytes")]
        whole = Estimate("all", sums[0], sums[1], max((each.longest for each in estimates), default=0.0), sums[2])
        wall = f"wall on {cores} core{'s' * (cores != 1)}"
        lines = [f"{'study':<14}{'runs':>9}{'CPU':>12}{wall:>18}{'disk':>10}"]
        lines += [each.line(cores) for each in (*estimates, whole)]
        if self.guessed:
            lines.append(f"no measured cost, taken for similar ones: {first_of(sorted(self.guessed))}")
        return "\n".join([*lines, "as if nothing had been computed yet; from data/costs.csv, see docs/cost.md"])


def duration(seconds: float) -> str:
    """Return "48 s", "3.2 min" or "5.1 h"."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 5970 else f"{seconds / 3600:.1f} h"


def _disk(megabytes: float) -> str:
    """Return "12 MB" or "1.3 GB"."""
    return f"{megabytes:.0f} MB" if megabytes < 1000 else f"{megabytes / 1000:.1f} GB"

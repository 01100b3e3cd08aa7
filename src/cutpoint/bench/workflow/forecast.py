"""What studies will take before they run: CPU time, wall time and disk, from one measured time per method.

A run on N records of n variables takes the seconds of its method, times N / 1000 where it exceeds 1, and n / 20 down to
a quarter: about what methods took where they were measured.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.text import first_of
from cutpoint.bench.workflow.names import RANDOM
from cutpoint.bench.workflow.plan import Batch, DataKind, stem
from cutpoint.bench.workflow.settings import Study
from cutpoint.data.csv_files import read_csv
from cutpoint.method.functions import options_of

FIELDS = ("kind", "name", "seconds")
# A run of a method; an experiment, STUDY/NAME or "STUDY/NAME SCALE"; beside these each job, each run and each study.
KINDS = ("method", "experiment", "job", "run", "study")
RECORDS, VARIABLES = 1000, 20
LEAST_SHARE = 0.25  # of what a run takes, on few variables
# Measured bytes on disk: of a number in a data file with its code, of all files of a run, of a table or figure.
VALUE, RUN, ARTEFACT = 8.5, 4000.0, 150_000.0
Costs = Mapping[tuple[str, str], float]  # CPU seconds by kind and name
Run = tuple[str, float, float]  # a method, records, variables


def read_costs(path: Path) -> dict[tuple[str, str], float]:
    """Return the CPU seconds of a file by kind and name."""
    try:
        return {(row["kind"], row["name"]): float(row["seconds"]) for row in read_csv(path)}
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}: a row without {', '.join(FIELDS)}; write the file with tools/costs.py") from None


def growth(records: float, variables: float) -> float:
    """Return how many times longer a run takes than on 1000 records of 20 variables."""
    return max(1.0, records / RECORDS) * max(LEAST_SHARE, variables / VARIABLES)


def group_of(row: Mapping[str, Any]) -> str:
    """Return the category and the learner of a row of methods.yaml, whose methods take similar times."""
    return f"{row.get('category', '')} {row.get('learner', '')}".strip()


@dataclass
class Load:
    """The work of a study in an empty folder."""

    study: str
    scale: str = ""
    jobs: list[dict[Run, int]] = field(default_factory=list)  # that run methods: how many runs by what they are
    others: int = 0  # jobs that make data, thresholds and metrics
    values: float = 0.0  # numbers in the data files
    artefacts: int = 0  # tables and figures
    experiments: list[str] = field(default_factory=list)


def load_of(
    name: str,
    study: Study,
    scale: str,
    batches: Iterable[Batch],
    job_of: Mapping[str, str],
    size_of: Callable[[DataKind], tuple[float, float]],
) -> Load:
    """Return the work of a study at a scale; job_of: of each method; size_of: records and variables of a cell."""
    load = Load(name, scale, artefacts=len(study.tables) + len(study.figures), experiments=[*study.experiments])
    for batch in batches:
        jobs: dict[str, Counter[Run]] = {job_of[method]: Counter() for method in batch.methods}
        for part in batch.parts:
            for method in part.methods:
                jobs[job_of[method]][method, *size_of(part.cell)] += part.replicates
        load.jobs += map(dict, jobs.values())
        load.others += 4 if batch.source == "simulated" else 3
        for cell, (first, last) in batch.data.items():
            records, variables = size_of(cell)
            load.values += (last - first + 1) * records * variables
    return load


def size_of(
    cell: DataKind,
    study: Study,
    variables: Mapping[str, int],
    datasets: Mapping[str, Mapping[str, Any]],
    own: tuple[int, int] | None = None,
) -> tuple[float, float]:
    """Return the records and variables of a cell of a study; of random networks, the mean.

    Variables are those of the other networks by name, data sets entries of datasets.yaml, and own the records and
    variables of the user's data.
    """
    if cell.network in study.random_networks:
        nodes = study.random_networks[cell.network].get("nodes", options_of(RANDOM)["nodes"].default)
        return cell.n or 0, sum(nodes) / 2
    if cell.network:
        return cell.n or 0, variables[stem(cell.network)]
    if entry := datasets.get(str(cell.dataset)):
        return size_of_dataset(entry)
    records, columns = own or (RECORDS, VARIABLES)
    most = study.resamples.get(str(cell.resample), {}).get("most")
    return min(records, most or records), columns


def size_of_dataset(entry: Mapping[str, Any]) -> tuple[float, float]:
    """Return the records and variables of a real data set."""
    columns = len(entry.get("columns") or ()) - len(entry.get("dropped") or ())
    return entry.get("rows") or RECORDS, entry.get("variables") or max(columns, 1)


@dataclass
class StudyForecast:
    """What a study will take: runs, CPU seconds, those of the longest job, and megabytes on disk."""

    study: str
    runs: int
    seconds: float
    longest: float
    megabytes: float

    def line(self, cores: int) -> str:
        """Return a line of the page; the wall time is no less than that of the longest job."""
        wall = max(self.seconds / max(1, cores), self.longest)
        disk = f"{self.megabytes:.0f} MB" if self.megabytes < 1000 else f"{self.megabytes / 1000:.1f} GB"
        return f"{self.study:<14}{self.runs:>9}{duration(self.seconds):>12}{duration(wall):>18}{disk:>10}"


class Forecast:
    """Estimates from measured costs; a method without one gets the median of its group, else of all.

    Groups are those of `group_of` by method; the limit is that of the seconds of a run.
    """

    def __init__(self, costs: Costs, groups: Mapping[str, str], limit: float):
        self._costs, self._groups, self._limit = costs, groups, limit
        self.guessed: set[str] = set()

    def run(self, method: str, records: float, variables: float) -> float:
        """Return the CPU seconds of a run, at most its limit."""
        seconds = self._costs.get(("method", method))
        if seconds is None:
            self.guessed.add(method)
            measured = {name: cost for (kind, name), cost in self._costs.items() if kind == "method"}
            group = self._groups.get(method)
            similar = [cost for name, cost in measured.items() if self._groups.get(name) == group]
            seconds = median(similar or measured.values() or [0.0])
        return min(seconds * growth(records, variables), self._limit)

    def _experiment(self, name: str, scale: str) -> float:
        """Return the CPU seconds of an experiment at a scale, else at the published one."""
        seconds = self._costs.get(("experiment", f"{name} {scale}"), self._costs.get(("experiment", name)))
        if seconds is None:
            self.guessed.add(name)
        return seconds or 0.0

    def estimate(self, load: Load) -> StudyForecast:
        """Return what the work of a study will take."""
        job, run, study = (self._costs.get((kind, ""), 0.0) for kind in ("job", "run", "study"))
        jobs = [job + sum(n * (self.run(*one) + run) for one, n in runs.items()) for runs in load.jobs]
        jobs += [self._experiment(f"{load.study}/{name}", load.scale) for name in load.experiments]
        count = sum(sum(runs.values()) for runs in load.jobs)
        megabytes = (VALUE * load.values + RUN * count + ARTEFACT * load.artefacts) / 1e6
        return StudyForecast(
            load.study, count, sum(jobs) + load.others * job + study, max(jobs, default=0.0), megabytes
        )

    def page(self, loads: Iterable[Load], cores: int) -> str:
        """Return a line for each study and one for all, and what has no measured cost."""
        studies = [self.estimate(load) for load in loads]
        runs, seconds, megabytes = (sum(getattr(e, name) for e in studies) for name in ("runs", "seconds", "megabytes"))
        total = StudyForecast("all", runs, seconds, max((e.longest for e in studies), default=0.0), megabytes)
        wall = f"wall on {cores} core{'s' * (cores != 1)}"
        lines = [f"{'study':<14}{'runs':>9}{'CPU':>12}{wall:>18}{'disk':>10}"]
        lines += [estimate.line(cores) for estimate in (*studies, total)]
        if self.guessed:
            lines.append(f"no measured cost, taken for similar ones: {first_of(sorted(self.guessed))}")
        return "\n".join([*lines, "as if nothing had been computed yet; from data/costs.csv, see docs/running.md"])


def duration(seconds: float) -> str:
    """Return "48 s", "3.2 min" or "5.1 h"."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 5970 else f"{seconds / 3600:.1f} h"

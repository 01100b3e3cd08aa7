"""What a study will do before it does it: its runs, its jobs by rule, and the values that it writes.

The counts are those of Snakemake in an empty folder, without its graph of jobs, which takes long to build where there
are many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cutpoint.base.names import OWN
from cutpoint.workflow.plan import Batch, Cell, stem
from cutpoint.workflow.settings import Grid, Study

Run = tuple[str, float, float]  # method or discretizer, records, variables
Job = tuple[str, str, Counter[Run]]  # rule, "learn" or "discretize", how many runs of each kind


@dataclass(frozen=True)
class Parts:
    """What methods are made of.

    Attributes:
        job: the job that a method runs in.
        discretizer: the name of the discretization that a method learns from, where it does.
        external: jobs that have a rule of their own name, beside ``learn``.
    """

    job: Mapping[str, str]
    discretizer: Mapping[str, str]
    external: Collection[str]


@dataclass
class Load:
    """The work of one study.

    Attributes:
        study: its name.
        jobs: how many of each rule.
        work: runs of each rule that its jobs go through, all together.
        batches: the jobs of methods and of shared discretizations, each with its runs.
        experiments: name and options of each.
        datasets: the real data sets; studies share them.
        values: numbers in the data files.
        artefacts: tables and figures.
    """

    study: str
    jobs: Counter[str] = field(default_factory=Counter)
    work: Counter[str] = field(default_factory=Counter)
    batches: list[Job] = field(default_factory=list)
    experiments: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    datasets: set[str] = field(default_factory=set)
    values: float = 0.0
    artefacts: int = 0

    @property
    def runs(self) -> int:
        """How many runs of methods there are."""
        return sum(found.total() for _, kind, found in self.batches if kind == "learn")

    def plain(self) -> dict[str, Any]:
        """Return it as what can be handed to a script."""
        return dict(vars(self))


def load_of(
    name: str,
    study: Study,
    batches: Mapping[str, Batch],
    parts: Parts,
    size: Callable[[Cell], tuple[float, float]],
    experiments: Sequence[tuple[str, dict[str, Any]]] = (),
) -> Load:
    """Return the work of a study in an empty folder, the report left out.

    Args:
        name: of the study.
        study: its grids.
        batches: by name.
        parts: of the methods.
        size: records and variables of a cell.
        experiments: name and options of each.
    """
    load = Load(name, experiments=list(experiments), artefacts=len(study.tables) + len(study.figures))
    files: set[tuple[str, ...]] = set()
    for batch in batches.values():
        _add_data(load, batch, study.grids[batch.grid], size, files)
        _add_runs(load, batch, parts, size)
        _add_ends(load, batch, study)
    if any(cell.network in study.random_networks for b in batches.values() for cell in b.cells):
        load.jobs[f"random_networks_{name}"] = 1
    load.jobs["experiment"] += len(load.experiments)
    for kind, rules in (("tables", study.tables), ("figures", study.figures), ("claims", ["claims.csv"])):
        load.jobs[f"{kind}_{name}"] += bool(rules)
    load.jobs = +load.jobs  # rules without jobs are not listed
    return load


def _add_data(load: Load, batch: Batch, grid: Grid, size: Callable, files: set[tuple[str, ...]]) -> None:
    """Count the files of the data of a batch that no other has counted, by the rule that makes them."""
    for cell in batch.cells:
        made: list[tuple[str, ...]] = []
        if cell.network:
            drawn = (stem(cell.network), str(cell.n), batch.replicates)
            made = [("sample", *drawn), ("noise", *drawn, str(cell.noise))]
            made += [("hold_out", *drawn, str(cell.noise))] if grid.predict else []
        elif cell.resample:
            made = [("resample", str(cell.dataset), cell.resample, batch.replicates)]
        if cell.dataset and cell.dataset not in load.datasets:
            load.datasets.add(cell.dataset)
            load.jobs["own_data" if cell.dataset == OWN else "dataset"] += 1
        records, variables = size(cell)
        for file in made:
            if file not in files:
                files.add(file)
                load.jobs[file[0]] += 1
                load.work[file[0]] += batch.last - batch.first + 1
                load.values += (batch.last - batch.first + 1) * records * variables * (file[0] != "sample")


def _add_runs(load: Load, batch: Batch, parts: Parts, size: Callable) -> None:
    count = batch.last - batch.first + 1
    needed = dict.fromkeys(parts.discretizer[m] for m in batch.methods if m in parts.discretizer)
    for kind, listed in (("learn", batch.methods), ("discretize", tuple(needed))):
        for job in dict.fromkeys(parts.job[name] for name in listed):
            rule = job if kind == "learn" and job in parts.external else kind
            found: Counter[Run] = Counter()
            for name in (name for name in listed if parts.job[name] == job):
                for cell in batch.cells:
                    found[name, *size(cell)] += count
            load.batches.append((rule, kind, found))
            load.jobs[rule] += 1
            load.work[rule] += found.total()


def _add_ends(load: Load, batch: Batch, study: Study) -> None:
    """Count what follows the runs of a batch, and the files of the study that collect it."""
    grid, folds = study.grids[batch.grid], study.folds_of(batch.grid)
    each = {"evaluate": "collect"}
    if grid.predict:
        each["predict"] = "collect_predictions"
    if folds:
        each["held_out"] = "collect_held_out"
    for rule, collected in each.items():
        load.jobs[rule] += 1
        load.jobs[collected] = 1
        for counted in (rule, collected):
            load.work[counted] += batch.datasets * len(batch.methods)
    if grid.resamples and not folds:
        load.jobs["edges"] = 1
        load.work["edges"] += batch.datasets * len(batch.methods)

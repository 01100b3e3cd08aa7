"""What rules look up for their wildcards: files, methods and parameters."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from cutpoint.base.errors import InputError
from cutpoint.base.names import OWN
from cutpoint.base.text import suggest
from cutpoint.base.user_code import PACKAGE, file_digest, words
from cutpoint.bench.engine.declaration import digest, modules_of, printed_files
from cutpoint.bench.workflow import forecast, plan
from cutpoint.bench.workflow.config import read_yaml
from cutpoint.bench.workflow.fingerprint import fingerprint
from cutpoint.bench.workflow.load import Checked, reading_of
from cutpoint.bench.workflow.settings import Study
from cutpoint.method import parsing
from cutpoint.method.rows import job_of, settings_of
from cutpoint.networks.network import read_network

Wildcards = Any  # of Snakemake: an attribute for each wildcard of a rule
Row = Mapping[str, Any]
SHARED = {"mem_mb": 2000, "runtime": 10}  # megabytes and minutes of rules that do not say what they need
KINDS = ("edges", "thresholds", "runs")  # the files that a job of methods leaves
TOGETHER = "built_in"  # the job of all built-in methods at a scale that has them in one
PARTS = {"noise": "continuous", "test": "test"}  # the files of the records to learn from and of those held out
ALL_RECORDS = "all-records"  # in place of the name of a resample; no such name has a hyphen


class Made(NamedTuple):
    """A data file and what it is made from.

    Attributes:
        path: of the file.
        about: what the job needs to know of it beside its files.
        source: the file of codes, or of the real data set.
        networks: the files of the true networks.
    """

    path: str
    about: dict[str, Any]
    source: str
    networks: list[str]


class DataJob(NamedTuple):
    """A job that makes data files of a batch: all that no batch before it has.

    Attributes:
        batch: its name.
        paths, about, sources: of the files, see `Made`.
        networks: each file once.
    """

    batch: str
    paths: list[str]
    about: list[dict[str, Any]]
    sources: list[str]
    networks: list[str]


def _data_jobs(batches: Mapping[str, Iterable[Made]]) -> list[DataJob]:
    jobs, known = [], set[str]()
    for name, files in batches.items():
        new = {file.path: file for file in files if file.path not in known}.values()
        known.update(file.path for file in new)
        if new:
            paths, about, sources, networks = map(list, zip(*new, strict=True))
            jobs.append(DataJob(name, paths, about, sources, list(dict.fromkeys(p for some in networks for p in some))))
    return jobs


class Jobs:
    """Which job runs each method.

    Args:
        rows: of the methods by name.
        together: whether all built-in methods share one job.

    Attributes:
        of: the job of each method: the rule of an external one, else the job that its row names.
        internal: jobs whose methods are in this package or functions that a row names, sorted.
    """

    def __init__(self, rows: Mapping[str, Row], together: bool = False):
        external = external_of(rows)
        self.of = {n: TOGETHER if together and n not in external else job_of(n, row) for n, row in rows.items()}
        self.internal = sorted({job for name, job in self.of.items() if name not in external})

    def of_methods(self, methods: Iterable[str]) -> list[str]:
        """Return the jobs of some methods, each once and in their order."""
        return list(dict.fromkeys(self.of[name] for name in methods))


def external_of(rows: Mapping[str, Row]) -> list[str]:
    """Return the names of the methods that have a rule of their own."""
    return [name for name, row in rows.items() if row["category"] == "external"]


class Plan:
    """The checked config as rules ask for it.

    What takes ``wildcards`` is an input or a parameter of a rule with these wildcards.

    Attributes:
        checked: the config.
        settings, studies, batches: of the config.
        jobs: of the methods in each study.
        parsed: the methods.
        methods: each as plain data: what its results depend on.
        external: names of the methods that have a rule of their own.
    """

    def __init__(self, checked: Checked):
        self.checked = checked
        self.settings, self.studies, self.batches = checked.settings, checked.studies, checked.batches
        scale = self.settings.scale
        self.jobs = {name: Jobs(checked.methods, study.scales[scale].together) for name, study in self.studies.items()}
        self.parsed = {name: parsing.parse(row) for name, row in checked.methods.items()}
        self.methods = {name: method.plain() for name, method in self.parsed.items()}
        self.external = external_of(checked.methods)
        self._scripts = checked.places.root / "scripts"
        self._codes: dict[tuple[str, str], str] = {}

    # What holds for the whole run

    @property
    def internal_jobs(self) -> list[str]:
        """The jobs of built-in methods in all studies, each a rule."""
        return sorted({job for jobs in self.jobs.values() for job in jobs.internal})

    @property
    def kernels(self) -> str:
        """A digest of the kernels' source."""
        files = sorted((PACKAGE / "kernels").glob("*.py"))
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:12]

    @property
    def environment(self) -> dict[str, str]:
        """Variables for all jobs: the package of this clone, and one thread each."""
        paths = [str(self.checked.places.root / "src"), os.environ.get("PYTHONPATH")]
        return {
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "NUMBA_NUM_THREADS": "1",
        }

    @property
    def built_in(self) -> dict[str, dict[str, Any]]:
        """All methods but the external ones."""
        return {name: plain for name, plain in self.methods.items() if name not in self.external}

    @property
    def announcement(self) -> list[str]:
        """The number of runs, as Snakemake counts only jobs, and the types of the columns of the user's data."""
        lines = self.checked.own.announcement if self.checked.own else []
        for study, batches in self.batches.items():
            sets = sum(b.datasets for b in {(b.cells, b.first): b for b in batches.values()}.values())
            runs = sum(b.datasets * len(b.methods) for b in batches.values())
            counts = f"{runs} runs on {sets} data sets in {len(batches)} batches"
            lines = [
                *lines,
                f"{study}, scale {self.settings.scale}: {counts}",
                *self._smaller(study),
                *self._duration(study),
            ]
        return lines

    def _smaller(self, study: str) -> list[str]:
        """Return a line on samples that are smaller than a user's data."""
        most = getattr(self.studies[study].resamples.get(self.settings.resample), "most", None)
        rows = len(self.checked.own.values) if self.checked.own else 0
        return (
            [f"  each {self.settings.resample} sample has {most} of the {rows} records"] if most and rows > most else []
        )

    def _duration(self, study: str) -> list[str]:
        """Return a line on how long the runs on a user's data will take."""
        if study != OWN:
            return []
        laws = forecast.read_laws(self.checked.places.root / "data" / "costs.csv")
        guess = forecast.Forecast(laws, self.cost_groups, self.settings.time_limit)
        (seconds,) = (guess.estimate(forecast.Load(**load)).seconds for load in self.loads(None))
        return [
            f"  about {forecast.duration(seconds)} of CPU time, and up to 2 min to compile what was not run here before"
        ]

    @property
    def limits(self) -> tuple[float, float]:
        """Wall seconds and resident megabytes of a run."""
        return self.settings.time_limit, self.settings.memory_limit

    @property
    def memory(self) -> int:
        """Megabytes of a job of methods: what one run may take, and the job itself."""
        return math.ceil(self.settings.memory_limit) + 500

    def minutes(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the minutes of a job of methods, generously; each further attempt gets four times as many.

        It is rare that all runs of a job reach their limits.
        """
        return max(10, int(self.settings.time_limit / 60) * 2) * 4 ** (attempt - 1)

    @property
    def reading(self) -> dict[str, dict[str, Any]]:
        """How to read the user's own data."""
        return reading_of(self.settings)

    @property
    def knowledge(self) -> dict[str, Any] | None:
        """What the user knows of the data, as plain data."""
        return self.checked.knowledge

    @property
    def data_file(self) -> str:
        """The user's own data."""
        return self.checked.places.user(str(self.settings.data))

    @property
    def truth(self) -> str | None:
        """The name of the true network of the user's own data, if it is known."""
        return self.settings.truth and plan.stem(self.settings.truth)

    @property
    def mirror(self) -> str | None:
        """The folder from which real data sets are taken."""
        return self.settings.mirror and self.checked.places.user(self.settings.mirror)

    def shipped(self, path: str | Path) -> str:
        """Return a file of the clone, see `Places.shipped`."""
        return self.checked.places.shipped(path)

    def code_of(self, script: str, *functions: str | Path) -> str:
        """Fingerprint a script and the functions that it looks up, so that a change in them reruns its jobs."""
        return fingerprint(self._scripts / script, *functions)

    def check_rules(self, rules: Collection[str]) -> None:
        """Check that the rules of external methods are there, with what they need.

        Args:
            rules: names of the rules that learn edges, behind a prefix where the workflow is a module of another.

        Raises:
            InputError: naming the row and the key.
        """
        shipped = sorted((self.checked.places.root / "workflow" / "rules" / "methods").glob("*.smk"))
        for name in self.external:
            row, where = self.checked.methods[name], f"methods.yaml: {name}"
            rule = row["rule"]
            if not any(known == rule or known.endswith(f"_{rule}") for known in rules):
                near = suggest(rule, ["program", "function", *(path.stem for path in shipped)])
                raise InputError(f"{where}: rule: no rule {rule!r} in workflow/rules/methods{near}")
            needed = {"program": "command", "function": "file"}.get(rule)
            if needed and not row.get(needed):
                raise InputError(f"{where}: {needed}: missing; the rule {rule!r} needs it")
            try:
                words(row.get("command", ""))
            except InputError as problem:
                raise InputError(f"{where}: {problem}") from None

    def complete(self, rules: Iterable[Any]) -> None:
        """Give the rules of this workflow what most of them share: the environment, and sufficient resources.

        Snakemake takes default resources from profiles alone, which a project that uses these rules as a module does
        not have; for environments it has no defaults.
        """
        root = self.checked.places.root
        for rule in rules:
            if Path(str(rule.snakefile)).is_relative_to(root / "workflow"):
                rule.conda_env = rule.conda_env or str(root / "envs" / "cutpoint.yaml")
                for name, value in SHARED.items():
                    rule.resources.setdefault(name, value)

    # Data

    def families_of(self, study: str) -> dict[str, dict[str, Any]]:
        """Return the options of the families of random networks that a study draws data from."""
        used = {cell.network for batch in self.batches[study].values() for cell in batch.cells}
        families = self.studies[study].random_networks
        return {name: family.model_dump() for name, family in families.items() if name in used}

    def random_networks_of(self, study: str) -> list[str]:
        """Return the files of the random networks that a study needs, one for each replicate of a family."""
        batches = self.batches[study].values()
        files = []
        for family in self.families_of(study):
            last = max(batch.last for batch in batches for cell in batch.cells if cell.network == family)
            files += self._network_files(study, family, 0, last)
        return files

    def _network_files(self, study: str, network: str, first: int, last: int) -> list[str]:
        """Return the file of a network, or those of a family for some replicates."""
        if network not in self.studies[study].random_networks:
            return [self.checked.networks[plan.stem(network)]]
        return [f"results/{study}/networks/{network}-{r}.bif" for r in range(first, last + 1)]

    def samples_of(self, study: str) -> list[DataJob]:
        """Return the jobs that draw the codes of a study, one for each batch that needs some."""
        return _data_jobs({name: self._samples(study, batch) for name, batch in self._simulating(study).items()})

    def noises_of(self, study: str) -> list[DataJob]:
        """Return the jobs that make continuous values of codes, and the records held out."""
        return _data_jobs({name: self._noises(study, batch) for name, batch in self._simulating(study).items()})

    def resamples_of(self, study: str) -> list[DataJob]:
        """Return the jobs that draw replicates from real data sets."""
        return _data_jobs({name: self._resamples(study, batch) for name, batch in self.batches[study].items()})

    def _simulating(self, study: str) -> dict[str, plan.Batch]:
        """Return the batches of a study, and such of the records that are held out from them."""
        batches = self.batches[study]
        held_out = {name: self._held_out(study, batch) for name, batch in batches.items()}
        return batches | {f"{name}-held-out": batch for name, batch in held_out.items() if batch.cells}

    def _held_out(self, study: str, batch: plan.Batch) -> plan.Batch:
        """Return a batch whose cells are those of another one with the number of records that its grid holds out."""
        n = self.studies[study].grids[batch.grid].held_out
        cells = dict.fromkeys(replace(cell, name="", n=n) for cell in batch.cells) if n else ()
        return replace(batch, cells=tuple(cells))

    def _samples(self, study: str, batch: plan.Batch) -> Iterator[Made]:
        for cell in batch.cells:
            if cell.network:
                first, last = self._records_of(study, batch, cell)
                networks = self._network_files(study, cell.network, first, last)
                about = {"network": plan.stem(cell.network), "n": cell.n, "replicates": [first, last]}
                truths = {"truths": [plan.stem(path) for path in networks]}
                yield Made(self._codes_file(study, batch, cell), about | truths, "", networks)

    def _noises(self, study: str, batch: plan.Batch) -> Iterator[Made]:
        predicting = self.studies[study].grids[batch.grid].predict
        for cell in batch.cells:
            if cell.network:
                options = self.studies[study].noises[str(cell.noise)].model_dump(exclude_none=True)
                about = {"noise": cell.noise, "replicates": [batch.first, batch.last], "options": options}
                networks = self._network_files(study, cell.network, *self._records_of(study, batch, cell))
                for part in ("noise", "test") if predicting else ("noise",):
                    path = self._data_file(study, batch, cell, PARTS[part])
                    yield Made(path, about | {"part": part}, self._codes_file(study, batch, cell), networks)

    def _resamples(self, study: str, batch: plan.Batch) -> Iterator[Made]:
        for cell in batch.cells:
            if cell.dataset:
                resample = cell.resample or ALL_RECORDS
                options = self._resample_options(study, batch, resample)
                about = {"resample": resample, "replicates": [batch.first, batch.last], "options": options}
                yield Made(self._data_file(study, batch, cell), about, f"results/datasets/{cell.dataset}.parquet", [])

    def _resample_options(self, study: str, batch: plan.Batch, resample: str) -> dict[str, Any]:
        """Return the options of a way to draw replicates from a data set; folds come with their number."""
        if resample == ALL_RECORDS:
            return {"kind": ALL_RECORDS}
        about = self.studies[study]
        options = about.resamples[resample].model_dump()
        if about.folds_of(batch.grid):
            options["folds"] = about.scales[self.settings.scale].of("replicates", batch.grid)
        return options

    def _records_of(self, study: str, batch: plan.Batch, cell: plan.Cell) -> tuple[int, int]:
        """Return the first and the last replicate of the codes of a cell; `orders` replicates share the records."""
        orders = self.studies[study].noises[str(cell.noise)].orders
        return batch.first // orders, batch.last // orders

    def _codes_file(self, study: str, batch: plan.Batch, cell: plan.Cell) -> str:
        first, last = self._records_of(study, batch, cell)
        return f"results/{study}/data/{plan.stem(str(cell.network))}/n{cell.n}/{first}-{last}/discrete.parquet"

    def _data_file(self, study: str, batch: plan.Batch, cell: plan.Cell, part: str = PARTS["noise"]) -> str:
        folder = f"results/{study}/data"
        if cell.dataset:
            return f"{folder}/{cell.dataset}/{cell.resample or ALL_RECORDS}/{batch.replicates}/{part}.parquet"
        return f"{folder}/{plan.stem(str(cell.network))}/n{cell.n}/{batch.replicates}/{cell.noise}/{part}.parquet"

    def file_of_dataset(self, wildcards: Wildcards) -> str | list[str]:
        """Return the user's own file for a data set, if there is one."""
        path = self.settings.files.get(wildcards.dataset)
        return self.checked.places.user(path) if path else []

    # Batches

    def batch_of(self, wildcards: Wildcards) -> plan.Batch:
        """Return the batch of a job."""
        return self.batches[wildcards.study][wildcards.batch]

    def methods_of_batch(self, wildcards: Wildcards) -> tuple[str, ...]:
        """Return the methods that run on a batch."""
        return self.batch_of(wildcards).methods

    def grid_of_batch(self, wildcards: Wildcards) -> str:
        """Return the grid that a batch is a part of."""
        return self.batch_of(wildcards).grid

    def shares_of_batch(self, wildcards: Wildcards) -> list[float]:
        """Return the shares of the Markov blanket from which the methods of a batch predict."""
        return self.studies[wildcards.study].grids[self.grid_of_batch(wildcards)].predict

    def replicates_of_batch(self, wildcards: Wildcards) -> list[int]:
        """Return the first and the last replicate of a batch."""
        batch = self.batch_of(wildcards)
        return [batch.first, batch.last]

    def built_in_jobs_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the built-in jobs of a batch: no external programs or functions."""
        return self._built_in_jobs(wildcards.study, [wildcards.batch])

    def _built_in_jobs(self, study: str, batches: Iterable[str]) -> list[str]:
        methods = [method for name in batches for method in self.batches[study][name].methods]
        return sorted(set(self.jobs[study].of_methods(methods)) & set(self.jobs[study].internal))

    def data_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the data files of a batch, in the order of its cells."""
        return self._data_files(wildcards.study, wildcards.batch)

    def tests_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the files of the records of a batch that are held out."""
        return self._data_files(wildcards.study, wildcards.batch, PARTS["test"])

    def held_out_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the data files of further records, of whose density the graphs of a batch are judged."""
        batch = self._held_out(wildcards.study, self.batch_of(wildcards))
        return [self._data_file(wildcards.study, batch, cell) for cell in batch.cells]

    def _data_files(self, study: str, name: str, part: str = PARTS["noise"]) -> list[str]:
        batch = self.batches[study][name]
        return [self._data_file(study, batch, cell, part) for cell in batch.cells]

    def codes_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the files of the true codes of a batch, in the order of its cells."""
        batch = self.batch_of(wildcards)
        return [self._codes_file(wildcards.study, batch, cell) for cell in batch.cells]

    def networks_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the files of the true networks of a batch."""
        batch = self.batch_of(wildcards)
        networks = [cell.network for cell in batch.cells if cell.network]
        files = [self._network_files(wildcards.study, name, batch.first, batch.last) for name in networks]
        return list(dict.fromkeys(path for paths in files for path in paths)) + self._truth_of(wildcards.study)

    def _truth_of(self, study: str) -> list[str]:
        return [self.checked.networks[self.truth]] if study == OWN and self.truth else []

    def wholes_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the files of the data sets from which a batch draws its replicates, in the order of its cells."""
        return [f"results/datasets/{cell.dataset}.parquet" for cell in self.batch_of(wildcards).cells]

    def folds_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the cells of a batch with the name of their resample and the number of folds."""
        batch, study = self.batch_of(wildcards), self.studies[wildcards.study]
        number = study.scales[self.settings.scale].of("replicates", batch.grid)
        return [{"cell": cell.name, "resample": cell.resample, "folds": number} for cell in batch.cells]

    def results_of_batch(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the files of each kind that the methods of a batch leave."""
        return {kind: self._results(wildcards.study, [wildcards.batch], kind) for kind in KINDS}

    def _results(self, study: str, batches: Iterable[str], kind: str) -> list[str]:
        """Return one kind of file of all jobs of some batches."""
        return [
            f"results/{study}/batches/{name}/methods/{job}/{kind}.parquet"
            for name in batches
            for job in self.jobs[study].of_methods(self.batches[study][name].methods)
        ]

    # Jobs of methods

    def methods_of_job(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return the methods of a job that run on its batch, as plain data."""
        jobs = self.jobs[wildcards.study]
        return {n: self.methods[n] for n in self.methods_of_batch(wildcards) if jobs.of[n] == wildcards.job}

    def code_of_job(self, wildcards: Wildcards) -> dict[str, str]:
        """Return the fingerprints of the methods of a job that run on its batch."""
        names = self.methods_of_job(wildcards)
        return {name: self._code("learn.py", name, *self.parsed[name].paths) for name in names}

    def _code(self, script: str, name: str, *paths: str) -> str:
        """Fingerprint what a script runs under a name; many jobs ask for the same."""
        if (script, name) not in self._codes:
            self._codes[script, name] = self.code_of(script, *paths)
        return self._codes[script, name]

    def code_of_external(self, script: str, name: str | None = None) -> Callable[[Wildcards], list[str]]:
        """Return a function that fingerprints a script, the files of a name beside it, and users' programs.

        Args:
            script: of the rule.
            name: what the files in scripts/methods are called, else as the job.
        """

        def code(wildcards: Wildcards) -> list[str]:
            methods = self.methods_of_job(wildcards)
            options = [method["options"] for method in methods.values()]
            named = [word for one in options for word in words(one.get("command", ""))]
            named += [str(one[key]) for one in options for key in ("file", "requirements") if key in one]
            beside = sorted(map(str, (self._scripts / "methods").glob(f"{name or wildcards.job}.*")))
            files = [*beside, *filter(os.path.isfile, named)]
            python = [path for path in files if path.endswith(".py")]
            functions = [f["path"] for method in methods.values() for f in method["functions"].values()]
            others = [file_digest(path) for path in files if path not in python]
            return [self.code_of(script, *functions, *python), *others]

        return code

    # Studies

    def metrics_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the metrics of all batches of a study."""
        return [f"results/{wildcards.study}/batches/{batch}/metrics.parquet" for batch in self.batches[wildcards.study]]

    def predictions_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the predictions of all batches of a study that make any."""
        study = wildcards.study
        return [f"results/{study}/batches/{batch}/predictions.parquet" for batch in self._predicting(study)]

    def held_out_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the held-out likelihoods of all batches of a study that have any."""
        study = wildcards.study
        return [f"results/{study}/batches/{batch}/held_out.parquet" for batch in self._parted(study)]

    def resamples_of_study(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the resamples of a study that show how sure an edge is, with their runs and edges."""
        study = wildcards.study
        resampled = self._resampled(study)
        data = [path for name in resampled for path in self._data_files(study, name)]
        return {"data": data} | {kind: self._results(study, resampled, kind) for kind in ("runs", "edges")}

    def built_in_jobs_of_resamples(self, wildcards: Wildcards) -> list[str]:
        """Return the built-in jobs that run on these resamples."""
        return self._built_in_jobs(wildcards.study, self._resampled(wildcards.study))

    def datasets_of_cells(self, wildcards: Wildcards) -> dict[str, str | None]:
        """Return the data set of each cell of a study."""
        return {c.name: c.dataset for batch in self.batches[wildcards.study].values() for c in batch.cells}

    def _predicting(self, study: str) -> list[str]:
        grids = self.studies[study].grids
        return [name for name, batch in self.batches[study].items() if grids[batch.grid].predict]

    def _parted(self, study: str) -> list[str]:
        """Return the batches whose replicates are the folds of a cross-validation."""
        return [name for name, b in self.batches[study].items() if self.studies[study].folds_of(b.grid)]

    def _resampled(self, study: str) -> list[str]:
        """Return the batches whose replicates are samples of a data set, other than its folds."""
        grids, parted = self.studies[study].grids, self._parted(study)
        return [name for name, b in self.batches[study].items() if grids[b.grid].resamples and name not in parted]

    def options_of_experiment(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the options of an experiment at the scale of the run."""
        scale = self.studies[wildcards.study].scales[self.settings.scale]
        return scale.experiments.get(wildcards.experiment, {})

    def datasets_of_experiment(self, wildcards: Wildcards) -> list[str]:
        """Return the files of the data sets that an experiment reads."""
        names = self.options_of_experiment(wildcards).get("datasets", ())
        return [f"results/datasets/{name}.parquet" for name in names]

    def limits_of_experiment(self, wildcards: Wildcards) -> tuple[float, float] | None:
        """Return the limits of a run in an experiment that runs methods."""
        return self.limits if self.methods_of_experiment(wildcards) else None

    def methods_of_experiment(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return the methods that an experiment runs in its own job, as plain data."""
        return {name: self.methods[name] for name in self.options_of_experiment(wildcards).get("methods", ())}

    def code_of_experiment(self, wildcards: Wildcards) -> str:
        """Fingerprint the experiments of a study and the methods that one of them runs."""
        parts = [path for name in self.methods_of_experiment(wildcards) for path in self.parsed[name].paths]
        return self.code_of(
            "experiment.py", f"cutpoint.bench.studies.{wildcards.study}.experiments:EXPERIMENTS", *parts
        )

    def methods_of_study(self, study: str) -> list[str]:
        """Return all methods that run in a study, in the order of the tables."""
        experiments = self.studies[study].scales[self.settings.scale].experiments.values()
        lists = [batch.methods for batch in self.batches[study].values()]
        lists += [options.get("methods", ()) for options in experiments]
        return list(dict.fromkeys(name for names in lists for name in names))

    def jobs_of_study(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the jobs of methods of each batch of a study; a folder may have others, of earlier runs."""
        jobs, batches = self.jobs[wildcards.study], self.batches[wildcards.study]
        return {name: jobs.of_methods(batch.methods) for name, batch in batches.items()}

    def rows_of_study(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return what the methods of a study are made of and called, without what changes no table."""
        rows = {name: self.checked.methods[name] for name in self.methods_of_study(wildcards.study)}
        return {n: {key: row[key] for key in ("label", "category")} | settings_of(row) for n, row in rows.items()}

    # Artefacts and the report

    def inputs_of_study(self, wildcards: Wildcards) -> dict[str, str | list[str]]:
        """Return the files that tables, figures and claims of a study are made from."""
        study, folder = wildcards.study, f"results/{wildcards.study}"
        batches, about = self.batches[study].values(), self.studies[study]
        networks = [
            path
            for batch in batches
            for cell in batch.cells
            if cell.network
            for path in self._network_files(study, cell.network, 0, batch.last)
        ]
        graphs = [name for name, batch in self.batches[study].items() if about.grids[batch.grid].graphs]
        return {
            "metrics": f"{folder}/metrics.parquet" if batches else [],
            "edges": f"{folder}/edges.parquet" if self._resampled(study) else [],
            "held_out": f"{folder}/held_out.parquet" if self._parted(study) else [],
            **{f"learned_{kind}": self._results(study, graphs, kind) for kind in KINDS},
            "learned_data": [path for name in graphs for path in self._data_files(study, name)],
            "experiments": [f"{folder}/experiments/{name}.parquet" for name in about.experiments],
            "predictions": f"{folder}/predictions.parquet" if self._predicting(study) else [],
            "networks": sorted({*networks, *self._truth_of(study)}),
            "datasets": _datasets_of(batches),
            "published": [self.shipped(path) for path in printed_files(study)],
        }

    def about_study(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return what artefacts need to know beside their files."""
        study = wildcards.study
        rows = {name: self.checked.methods[name] for name in self.methods_of_study(study)}
        return {
            "study": study,
            "methods": [
                {"name": name, "label": row["label"], "category": row["category"]} for name, row in rows.items()
            ],
            "built_in_jobs": self._built_in_jobs(study, self.batches[study]),
            "titles": self.settings.titles,
            "scale": self.settings.scale,
            "seed": self.settings.seed,
        }

    def code_of_study(self, wildcards: Wildcards) -> list[str]:
        """Fingerprint what makes the artefacts of a study, and what it declares of them."""
        return [self.code_of("show.py", *modules_of(wildcards.study)), digest(self.studies[wildcards.study])]

    def label_of_artefact(self, wildcards: Wildcards) -> dict[str, str]:
        """Return how Snakemake's own report names a table or figure, and what to look at in it."""
        name, figures = wildcards.name, self.studies[wildcards.study].figures
        look = {"look at": figures[name].look} if name in figures else {}
        return {"artefact": name[:1].upper() + name[1:].replace("_", " "), **look}

    def about_report(self) -> list[dict[str, Any]]:
        """Return what the report says of each study beside its artefacts."""
        return [self._report_of(name, study) for name, study in self.studies.items()]

    def _report_of(self, name: str, study: Study) -> dict[str, Any]:
        rows = {method: self.checked.methods[method] for method in self.methods_of_study(name)}
        return {
            "name": name,
            "study": study.model_dump(mode="json"),
            "scale": self.settings.scale,
            "seed": self.settings.seed,
            "limits": list(self.limits),
            "methods": [_settings_of(row) for row in rows.values()],
            "rows": rows,
            "command": self.command_of(name),
        }

    def command_of(self, study: str) -> str:
        """Return the command that makes the results of one study again, with the settings that are not the file's."""
        usual = read_yaml(self.checked.places.root / "config" / "config.yaml")
        settings = self.settings.model_dump(exclude={"studies", "study"})
        changed = [f"{key}={json.dumps(v)}" for key, v in settings.items() if key in usual and v != usual[key]]
        which = "" if study == OWN else f" study={study}"
        return f"uv run snakemake --cores all --config{which} {shlex.join(changed)}".rstrip()

    def inputs_of_report(self) -> list[str]:
        """Return the files of all studies that the report is made from."""
        templates = sorted((PACKAGE / "bench" / "templates").glob("*.*"))
        files = [f"results/{study}/metrics.parquet" for study in self.studies if self.batches[study]]
        kinds = ("claims.csv", "answers.csv", "tables", "figures")
        files += [f"results/{study}/{kind}" for study in self.studies for kind in kinds]
        files += [f"results/datasets/{OWN}.parquet", f"results/{OWN}/models"] if OWN in self.studies else []
        return files + [self.shipped(path) for path in templates]

    def everything(self) -> list[str]:
        """Return all results of runs: an up-to-date report would hide what a failed job left out."""
        files: list[str] = []
        for study, batches in self.batches.items():
            folder = f"results/{study}/batches"
            files += self._results(study, batches, "runs")
            files += [f"{folder}/{name}/metrics.parquet" for name in batches]
            files += [f"{folder}/{name}/predictions.parquet" for name in self._predicting(study)]
            files += [f"{folder}/{name}/held_out.parquet" for name in self._parted(study)]
            files += _datasets_of(batches.values())
        return list(dict.fromkeys(files))

    # What `snakemake cost` asks for

    def loads(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the work of all selected studies, as plain values."""
        variables = {name: len(read_network(file).variables) for name, file in self.checked.networks.items()}
        user = self.checked.own.values.shape if self.checked.own else None
        loads = []
        for name, study in self.studies.items():
            sizes = forecast.sizes(study, variables, self.checked.datasets, user)
            batches = self.batches[name].values()
            loads.append(vars(forecast.load_of(name, study, self.settings.scale, batches, self.jobs[name].of, sizes)))
        return loads

    @property
    def cost_groups(self) -> dict[str, str]:
        """The law of the cost of each method."""
        return {name: forecast.group_of(row) for name, row in self.checked.methods.items()}


def _datasets_of(batches: Iterable[plan.Batch]) -> list[str]:
    """Return the files of the real data sets of some batches, each once."""
    names = dict.fromkeys(cell.dataset for batch in batches for cell in batch.cells if cell.dataset)
    return [f"results/datasets/{name}.parquet" for name in names]


def _settings_of(row: Row) -> dict[str, str]:
    """Return what the report says of a method."""
    settings = ", ".join(f"{key}: {value}" for key, value in settings_of(row).items())
    return {"label": row["label"], "category": row["category"], "settings": settings, "note": row.get("note", "")}

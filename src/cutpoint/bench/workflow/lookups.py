"""What rules look up for their wildcards: files, methods and parameters."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.names import OWN
from cutpoint.base.text import suggest
from cutpoint.base.user_code import PACKAGE, file_digest, words
from cutpoint.bench.data.earlier import earlier
from cutpoint.bench.engine.declaration import digest, modules_of, printed_files
from cutpoint.bench.runs import finished
from cutpoint.bench.workflow import forecast, plan
from cutpoint.bench.workflow.config import read_yaml
from cutpoint.bench.workflow.fingerprint import fingerprint
from cutpoint.bench.workflow.load import Checked, reading_of
from cutpoint.bench.workflow.settings import Study
from cutpoint.method import parsing
from cutpoint.method.method import Method
from cutpoint.method.rows import job_of, settings_of
from cutpoint.networks.network import read_network

Wildcards = Any  # of Snakemake: an attribute for each wildcard of a rule
Row = Mapping[str, Any]
KINDS = ("edges", "thresholds", "runs")  # the files that a job of methods leaves
BUILT_IN = "built_in"  # the file of the thresholds of all discretizers of the package
ALL_RECORDS = "all-records"  # in place of the name of a resample; no such name has a hyphen


class Jobs:
    """Which job runs each method.

    Methods of one category share a job; a row that names functions of its own, or a ``job``, has another one.

    Args:
        rows: of the methods by name.
        methods: the same, parsed.

    Attributes:
        of: the job of each method: the rule of an external one.
        kind: the category of each job.
    """

    def __init__(self, rows: Mapping[str, Row], methods: Mapping[str, Method]):
        self.of = {name: job_of(name, row, methods[name].is_shipped) for name, row in rows.items()}
        self.kind = {self.of[name]: row["category"] for name, row in rows.items()}

    def of_methods(self, methods: Iterable[str]) -> list[str]:
        """Return the jobs of some methods, each once and in their order."""
        return list(dict.fromkeys(self.of[name] for name in methods))

    def named(self, category: str) -> list[str]:
        """Return the jobs of a category, sorted."""
        return sorted(job for job, kind in self.kind.items() if kind == category)

    @property
    def internal(self) -> list[str]:
        """The jobs that are no external programs, sorted."""
        return sorted(job for job, kind in self.kind.items() if kind != "external")


def external_of(rows: Mapping[str, Row]) -> list[str]:
    """Return the names of the methods that have a rule of their own."""
    return [name for name, row in rows.items() if row["category"] == "external"]


class Plan:
    """The checked config as rules ask for it.

    What takes ``wildcards`` is an input or a parameter of a rule with these wildcards.

    Attributes:
        checked: the config.
        settings, studies, batches: of the config.
        jobs: of the methods.
        parsed: the methods.
        methods: each as plain data: what its results depend on.
        external: names of the methods that have a rule of their own.
    """

    def __init__(self, checked: Checked):
        self.checked = checked
        self.settings, self.studies, self.batches = checked.settings, checked.studies, checked.batches
        self.parsed = {name: parsing.parse(row) for name, row in checked.methods.items()}
        self.jobs = Jobs(checked.methods, self.parsed)
        self.methods = {name: method.plain() for name, method in self.parsed.items()}
        self.external = external_of(checked.methods)
        self._scripts = checked.places.root / "scripts"
        self._codes: dict[tuple[str, str], str] = {}

    # What holds for the whole run

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
            sets, runs = (sum(getattr(b, what) for b in batches.values()) for what in ("datasets", "runs"))
            counts = f"{runs} runs on {sets} data sets in {len(batches)} batch{'es' * (len(batches) != 1)}"
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

    # Data

    def names(self, category: str) -> str:
        """Return the pattern of the names of the jobs of a category; of none where there are none."""
        return "|".join(map(re.escape, self.jobs.named(category))) or "(?!)"

    def batch_of(self, wildcards: Wildcards, source: str = "") -> plan.Batch:
        """Return the batch of a job; the rules of one source have no wildcard for it."""
        return self.batches[wildcards.study][f"{source or wildcards.source}/{wildcards.batch}"]

    def networks_of_family(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the options of a family of random networks and the numbers of those of a block."""
        study, family, size = wildcards.study, wildcards.family, self.studies[wildcards.study].block
        ends = [last for batch in self.batches[study].values() for cell, (_, last) in batch.data.items()
                if cell.network == family]  # fmt: skip
        first = int(wildcards.block) * size
        options = self.studies[study].random_networks[family].model_dump()
        return {"options": options, "replicates": [first, min(first + size - 1, max(ends))]}

    def _networks(self, study: str, network: str, first: int, last: int) -> list[str]:
        """Return the file of a network, or the folders with those of a family for some replicates."""
        if network not in self.studies[study].random_networks:
            return [self.checked.networks[plan.stem(network)]]
        size = self.studies[study].block
        return [f"results/{study}/networks/{network}/block{k}" for k in range(first // size, last // size + 1)]

    def networks_of_batch(self, wildcards: Wildcards, source: str = "") -> list[str]:
        """Return the files of the true networks of a batch, and folders of random ones."""
        return self._networks_of(wildcards.study, self.batch_of(wildcards, source))

    def _networks_of(self, study: str, batch: plan.Batch) -> list[str]:
        paths = [
            path
            for cell, (first, last) in batch.data.items()
            if cell.network
            for path in self._networks(study, cell.network, *self._records_of(study, cell, first, last))
        ]
        return [*dict.fromkeys(paths), *(self._truth_of(study) if batch.source == "real" else ())]

    def samples_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return which codes the data of a batch are made of: network, size, and the first and last replicate."""
        study, batch = wildcards.study, self.batch_of(wildcards, "simulated")
        samples: dict[tuple[str, int], list[int]] = {}
        for cell, n, first, last in self._simulated(study, batch):
            known = samples.setdefault((plan.stem(str(cell.network)), n), [first, last])
            known[:] = min(known[0], first), max(known[1], last)
        return [{"network": network, "n": n, "replicates": both} for (network, n), both in samples.items()]

    def _simulated(self, study: str, batch: plan.Batch) -> Iterator[tuple[plan.Cell, int, int, int]]:
        """Yield the cells of a batch with the numbers of records that are drawn, and the replicates of the codes."""
        further = {part.cell: self._held_out(study, part) for part in batch.of(self._grids(study, "held_out")).parts}
        for cell, (first, last) in batch.data.items():
            for one in filter(None, (cell, further.get(cell))):
                yield cell, int(one.n or 0), *self._records_of(study, cell, first, last)

    def _held_out(self, study: str, part: plan.Part) -> plan.Cell:
        """Return the cell of the further records of a part, in whose likelihood its graphs are judged."""
        return replace(part.cell, name="", n=self.studies[study].grids[part.grid].held_out)

    def _records_of(self, study: str, cell: plan.Cell, first: int, last: int) -> tuple[int, int]:
        """Return the first and the last replicate of the codes of a cell; `orders` replicates share the records."""
        orders = self.studies[study].noises[str(cell.noise)].orders
        return first // orders, last // orders

    def noises_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the values of each cell of a batch are made."""
        batch = self.batch_of(wildcards, "simulated")
        return [self._noise(wildcards.study, cell, ends) for cell, ends in batch.data.items()]

    def tests_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the records that are held out of each cell of a batch are made.

        They are the last ones of the same records, or further ones of the same network and noise.
        """
        study, batch = wildcards.study, self.batch_of(wildcards, "simulated")
        predicting, judged = (batch.of(self._grids(study, key)) for key in ("predict", "held_out"))
        tests = [self._noise(study, cell, ends) | {"part": "test"} for cell, ends in predicting.data.items()]
        further = replace(judged, parts=tuple(replace(part, cell=self._held_out(study, part)) for part in judged.parts))
        return tests + [self._noise(study, cell, ends) for cell, ends in further.data.items()]

    def _grids(self, study: str, key: str) -> list[str]:
        """Return the grids of a study that have a key."""
        return [name for name, grid in self.studies[study].grids.items() if getattr(grid, key)]

    def _noise(self, study: str, cell: plan.Cell, ends: tuple[int, int]) -> dict[str, Any]:
        options = self.studies[study].noises[str(cell.noise)].model_dump(exclude_none=True)
        network = plan.stem(str(cell.network))
        about = {"network": network, "n": cell.n, "noise": cell.noise, "replicates": list(ends)}
        return about | {"options": options, "part": "noise"}

    def resamples_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the replicates of each cell of a batch are drawn from a real data set."""
        study, batch = wildcards.study, self.batch_of(wildcards, "real")
        folds = {part.cell: self._folds(study, part) for part in batch.parts}
        resamples = []
        for cell, ends in batch.data.items():
            options = {"kind": ALL_RECORDS}
            if cell.resample:
                options = self.studies[study].resamples[cell.resample].model_dump() | folds[cell]
            about = {"dataset": cell.dataset, "resample": cell.resample or ALL_RECORDS, "replicates": list(ends)}
            resamples.append(about | {"options": options})
        return resamples

    def _folds(self, study: str, part: plan.Part) -> dict[str, int]:
        """Return the number of folds of a cross-validation, nothing for other data."""
        about = self.studies[study]
        scale = about.scales[self.settings.scale]
        return {"folds": scale.of("replicates", part.grid)} if about.folds_of(part.grid) else {}

    def datasets_of_batch(self, wildcards: Wildcards, source: str = "") -> list[str]:
        """Return the files of the real data sets of a batch."""
        return _datasets_of([self.batch_of(wildcards, source)])

    def file_of_dataset(self, wildcards: Wildcards) -> str | list[str]:
        """Return the user's own file for a data set, if there is one."""
        path = self.settings.files.get(wildcards.dataset)
        return self.checked.places.user(path) if path else []

    # Batches

    def parts_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return what runs on a batch: grid, cell, replicates and methods."""
        return [self._part(part) for part in self.batch_of(wildcards).parts]

    def predicting_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the parts of a batch whose methods predict, with the shares of the Markov blanket that they know."""
        grids = self.studies[wildcards.study].grids
        parts = self.batch_of(wildcards).of(self._grids(wildcards.study, "predict")).parts
        return [self._part(part) | {"shares": grids[part.grid].predict} for part in parts]

    def folds_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the parts of a batch that are folds, with the data set, the name of the resample and their number."""
        study = wildcards.study
        parts = [part for part in self.batch_of(wildcards).parts if self.studies[study].folds_of(part.grid)]
        return [
            self._part(part) | {"dataset": part.cell.dataset, "resample": part.cell.resample} | self._folds(study, part)
            for part in parts
        ]

    def _part(self, part: plan.Part) -> dict[str, Any]:
        replicates = [part.first, part.last]
        return {"grid": part.grid, "cell": part.cell.name, "replicates": replicates, "methods": list(part.methods)}

    def test_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the file of the records that are held out of a batch, if there are any."""
        return self._tests(wildcards.study, [self.batch_of(wildcards)])

    def _tests(self, study: str, batches: Iterable[plan.Batch]) -> list[str]:
        grids = [*self._grids(study, "predict"), *self._grids(study, "held_out")]
        return [f"results/{study}/{batch.path}/test.parquet" for batch in batches if batch.of(grids).parts]

    def _truth_of(self, study: str) -> list[str]:
        return [self.checked.networks[self.truth]] if study == OWN and self.truth else []

    def results_of_batch(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the files of each kind that the methods of a batch leave."""
        return {kind: self._results(wildcards.study, [self.batch_of(wildcards)], kind) for kind in KINDS}

    def _results(self, study: str, batches: Iterable[plan.Batch], kind: str) -> list[str]:
        """Return one kind of file of all jobs of some batches."""
        return [
            f"results/{study}/{batch.path}/learned/{job}/{kind}.parquet"
            for batch in batches
            for job in self.jobs.of_methods(batch.methods)
        ]

    # Discretizers

    def _discretizers(self, name: str) -> dict[str, dict[str, Any]]:
        """Return the discretizer of a method by its name, as plain data; nothing for a method without one."""
        discretizer = self.parsed[name].discretizer
        return {discretizer.name: asdict(discretizer)} if discretizer else {}

    def _discretized(self, name: str) -> list[str]:
        """Return which file has the thresholds of a method: that of the package, or one for each file of a user."""
        discretizer = self.parsed[name].discretizer
        if discretizer is None:
            return []
        return [BUILT_IN if discretizer.is_shipped else discretizer.home]

    def discretizers_of_job(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return the discretizers of a job by their names, as plain data."""
        mine = [n for n in self.batch_of(wildcards).methods if wildcards.discretizer in self._discretized(n)]
        return {name: plain for method in mine for name, plain in self._discretizers(method).items()}

    def discretizations_of_job(self, wildcards: Wildcards) -> list[list[Any]]:
        """Return on which data sets a job runs which discretizers: cell, first and last replicate, names."""
        mine = self.discretizers_of_job(wildcards)
        return [
            [part.cell.name, part.first, part.last, [n for n in names if n in mine]]
            for part in self.batch_of(wildcards).parts
            for names in [dict.fromkeys(n for method in part.methods for n in self._discretizers(method))]
        ]

    def code_of_discretizers(self, wildcards: Wildcards) -> dict[str, str]:
        """Return the fingerprints of the discretizers of a job."""
        discretizers = self.discretizers_of_job(wildcards)
        return {name: self._code("discretize.py", plain["path"], plain["path"]) for name, plain in discretizers.items()}

    def discretized_of_job(self, wildcards: Wildcards) -> list[str]:
        """Return the files of thresholds from which the methods of a job learn."""
        folder = f"results/{wildcards.study}/{self.batch_of(wildcards).path}/discretized"
        names = sorted({name for method in self.methods_of_job(wildcards) for name in self._discretized(method)})
        return [f"{folder}/{name}.parquet" for name in names]

    # Jobs of methods

    def methods_of_job(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return the methods of a job that run on its batch, as plain data."""
        names = self.batch_of(wildcards).methods
        return {name: self.methods[name] for name in names if self.jobs.of[name] == wildcards.job}

    def runs_of_job(self, wildcards: Wildcards) -> list[list[Any]]:
        """Return on which data sets a job runs which methods: cell, first and last replicate, names."""
        return [
            [part.cell.name, part.first, part.last, [n for n in part.methods if self.jobs.of[n] == wildcards.job]]
            for part in self.batch_of(wildcards).parts
        ]

    def limits_of_job(self, wildcards: Wildcards) -> str:
        """Return the limits that a job depends on: the present ones, or those of its results if all are well."""
        folder = f"results/{wildcards.study}/{self.batch_of(wildcards).path}/learned/{wildcards.job}"
        return finished.limits(earlier(f"{folder}/runs.parquet"), self.limits)

    def limits_of_discretizers(self, wildcards: Wildcards) -> str:
        """Return the limits that a job of discretizers depends on, see `limits_of_job`."""
        folder = f"results/{wildcards.study}/{self.batch_of(wildcards).path}/discretized"
        return finished.limits(earlier(f"{folder}/{wildcards.discretizer}.parquet"), self.limits)

    def code_of_job(self, wildcards: Wildcards) -> dict[str, str]:
        """Return the fingerprints of the methods of a job that run on its batch; thresholds come from a file."""
        names = self.methods_of_job(wildcards)
        return {
            name: self._code(
                "learn.py", name, *(f.path for key, f in self.parsed[name].functions.items() if key != "discretizer")
            )
            for name in names
        }

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
            others = [file_digest(path) for path in files if path not in python]
            return [self.code_of(script, *python), *others]

        return code

    # Studies

    def metrics_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the metrics of all batches of a study."""
        return self._of_batches(wildcards.study, self.batches[wildcards.study].values(), "metrics")

    def predictions_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the predictions of all batches of a study that make any."""
        return self._of_batches(wildcards.study, self._predicting(wildcards.study), "predictions")

    def held_out_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the held-out likelihoods of all batches of a study that have any."""
        return self._of_batches(wildcards.study, self._parted(wildcards.study), "held_out")

    def resamples_of_study(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the resamples of a study that show how sure an edge is, with their runs and edges."""
        study, resampled = wildcards.study, self._resampled(wildcards.study)
        data = self._of_batches(study, resampled, "values")
        return {"data": data} | {kind: self._results(study, resampled, kind) for kind in ("runs", "edges")}

    def datasets_of_resamples(self, wildcards: Wildcards) -> dict[str, str | None]:
        """Return the data set of each cell of these resamples."""
        study = wildcards.study
        parts = [
            part for batch in self._resampled(study) for part in batch.parts if self._is_resampled(study, part.grid)
        ]
        return {part.cell.name: part.cell.dataset for part in parts}

    def _of_batches(self, study: str, batches: Iterable[plan.Batch], name: str) -> list[str]:
        """Return a file of some batches."""
        return [f"results/{study}/{batch.path}/{name}.parquet" for batch in batches]

    def _with(self, study: str, grids: Iterable[str]) -> list[plan.Batch]:
        """Return the batches that have a part of some grids."""
        names = {*grids}
        return [batch for batch in self.batches[study].values() if batch.of(names).parts]

    def _predicting(self, study: str) -> list[plan.Batch]:
        return self._with(study, self._grids(study, "predict"))

    def _parted(self, study: str) -> list[plan.Batch]:
        """Return the batches with folds of a cross-validation."""
        return self._with(study, filter(self.studies[study].folds_of, self.studies[study].grids))

    def _is_resampled(self, study: str, grid: str) -> bool:
        """Return whether the replicates of a grid are samples of a data set, other than its folds."""
        return bool(self.studies[study].grids[grid].resamples) and not self.studies[study].folds_of(grid)

    def _resampled(self, study: str) -> list[plan.Batch]:
        return self._with(study, [grid for grid in self.studies[study].grids if self._is_resampled(study, grid)])

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
        lists: list[Sequence[str]] = [batch.methods for batch in self.batches[study].values()]
        lists += [options.get("methods", ()) for options in experiments]
        return list(dict.fromkeys(name for names in lists for name in names))

    def jobs_of_study(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the jobs of methods of each batch of a study; a folder may have others, of earlier runs."""
        batches = self.batches[wildcards.study]
        return {path: self.jobs.of_methods(batch.methods) for path, batch in batches.items()}

    def rows_of_study(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return what the methods of a study are made of and called, without what changes no table."""
        rows = {name: self.checked.methods[name] for name in self.methods_of_study(wildcards.study)}
        return {n: {key: row[key] for key in ("label", "category")} | settings_of(row) for n, row in rows.items()}

    # Artefacts and the report

    def inputs_of_study(self, wildcards: Wildcards) -> dict[str, str | list[str]]:
        """Return the files that tables, figures and claims of a study are made from."""
        study, folder = wildcards.study, f"results/{wildcards.study}"
        batches, about = self.batches[study].values(), self.studies[study]
        networks = [path for batch in batches for path in self._networks_of(study, batch)]
        shown = self._with(study, self._grids(study, "graphs"))
        return {
            "metrics": f"{folder}/metrics.parquet" if batches else [],
            "edges": f"{folder}/edges.parquet" if self._resampled(study) else [],
            "held_out": f"{folder}/held_out.parquet" if self._parted(study) else [],
            **{f"learned_{kind}": self._results(study, shown, kind) for kind in KINDS},
            "learned_data": self._of_batches(study, shown, "values"),
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
            "built_in_jobs": self.jobs.internal,
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
        for study, named in self.batches.items():
            batches = [*named.values()]
            for name in ("values", "metrics"):
                files += self._of_batches(study, batches, name)
            files += self._of_batches(study, [b for b in batches if b.source == "simulated"], "codes")
            files += self._tests(study, batches)
            for kind in KINDS:
                files += self._results(study, batches, kind)
            files += [
                f"results/{study}/{batch.path}/discretized/{name}.parquet"
                for batch in batches
                for name in sorted({name for method in batch.methods for name in self._discretized(method)})
            ]
            files += self._of_batches(study, self._predicting(study), "predictions")
            files += self._of_batches(study, self._parted(study), "held_out")
            files += _datasets_of(batches)
        return list(dict.fromkeys(files))

    # What `snakemake cost` asks for

    def loads(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the work of all selected studies, as plain values."""
        variables = {name: len(read_network(file).variables) for name, file in self.checked.networks.items()}
        user = self.checked.own.values.shape if self.checked.own else None
        discretizers = {
            method: (job, name)
            for method in self.parsed
            for job, name in zip(self._discretized(method), self._discretizers(method), strict=True)
        }
        loads = []
        for name, study in self.studies.items():
            sizes = forecast.sizes(study, variables, self.checked.datasets, user)
            batches = self.batches[name].values()
            load = forecast.load_of(name, study, self.settings.scale, batches, self.jobs.of, discretizers, sizes)
            loads.append(vars(load))
        return loads

    @property
    def cost_groups(self) -> dict[str, str]:
        """The law of the cost of each method."""
        return {name: forecast.group_of(row) for name, row in self.checked.methods.items()}


def _datasets_of(batches: Iterable[plan.Batch]) -> list[str]:
    """Return the files of the real data sets of some batches, each once."""
    names = dict.fromkeys(cell.dataset for batch in batches for cell in batch.data if cell.dataset)
    return [f"results/datasets/{name}.parquet" for name in names]


def _settings_of(row: Row) -> dict[str, str]:
    """Return what the report says of a method."""
    settings = ", ".join(f"{key}: {value}" for key, value in settings_of(row).items())
    return {"label": row["label"], "category": row["category"], "settings": settings, "note": row.get("note", "")}

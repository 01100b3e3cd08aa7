"""What rules look up to run methods: jobs, options, limits, code and the files that methods leave."""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.base.user_code import PACKAGE, file_digest, words
from cutpoint.bench.data.earlier import earlier
from cutpoint.bench.runs import finished
from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.load import Checked
from cutpoint.bench.workflow.lookups_batches import Batches, Wildcards
from cutpoint.method import parsing
from cutpoint.method.method import Method
from cutpoint.method.rows import job_of

Row = Mapping[str, Any]
KINDS = ("edges", "thresholds", "runs")  # the files that a job of methods leaves
BUILT_IN = "built_in"  # the file of the thresholds of all discretizers of the package


class Jobs:
    """Which job runs each method.

    Methods of one category share a job; a row that names functions of its own, or a ``job``, has another one.
    """

    def __init__(self, rows: Mapping[str, Row]):
        self.of = {name: job_of(name, row, parsing.is_shipped_row(row)) for name, row in rows.items()}
        self.category = {self.of[name]: row["category"] for name, row in rows.items()}

    def of_methods(self, methods: Iterable[str]) -> list[str]:
        """Return the jobs of some methods, each once and in their order."""
        return list(dict.fromkeys(self.of[name] for name in methods))

    def named(self, category: str) -> list[str]:
        """Return the jobs of a category, sorted."""
        return sorted(job for job, own in self.category.items() if own == category)

    @property
    def internal(self) -> list[str]:
        """The jobs that are no external programs, sorted."""
        return sorted(job for job, own in self.category.items() if own != "external")


class MethodLookups(Batches):
    """How methods run, see `Batches`. A method is parsed when it is asked for, which imports its functions."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        self.jobs = Jobs(checked.methods)
        self.external = [name for name, row in checked.methods.items() if row["category"] == "external"]
        self.parsed: Callable[[str], Method] = cache(lambda name: parsing.parse(checked.methods[name]))
        self._code = cache(self.code_of)  # many jobs run the same

    def plain(self, name: str) -> dict[str, Any]:
        """Return a method as plain data: what its results depend on."""
        return self.parsed(name).plain()

    def names(self, category: str) -> str:
        """Return the pattern of the names of the jobs of a category; of none where there are none."""
        return "|".join(map(re.escape, self.jobs.named(category))) or "(?!)"

    def check_rules(self, rules: Collection[str]) -> None:
        """Check that external methods have what they need, and a rule among those that learn edges.

        Names of rules have a prefix where the workflow is a module of another.
        """
        shipped = sorted((self.checked.places.root / "workflow" / "rules" / "methods").glob("*.smk"))
        for name in self.external:
            row, where = self.checked.methods[name], self.checked.where[name]
            rule = row["rule"]
            if not any(each == rule or each.endswith(f"_{rule}") for each in rules):
                near = suggest(rule, ["program", "function", *(path.stem for path in shipped)])
                raise InputError(f"{where}: rule: no rule {rule!r} in workflow/rules/methods{near}")
            needed = {"program": "command", "function": "file"}.get(rule)
            if needed and not row.get(needed):
                raise InputError(f"{where}: {needed}: missing; the rule {rule!r} needs it")
            try:
                words(row.get("command", ""))
            except InputError as problem:
                raise InputError(f"{where}: {problem}") from None

    def built_in(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return all methods but the external ones, as plain data."""
        return {name: self.plain(name) for name in self.checked.methods if name not in self.external}

    @property
    def kernels(self) -> str:
        """A digest of the kernels' source."""
        files = sorted((PACKAGE / "kernels").glob("*.py"))
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:12]

    @property
    def limits(self) -> tuple[float, float]:
        """CPU seconds and resident megabytes of a run."""
        return self.settings.time_limit, self.settings.memory_limit

    @property
    def memory(self) -> int:
        """Megabytes of a job of methods: what one run may take, and the job itself."""
        return math.ceil(self.settings.memory_limit) + 500

    def minutes(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the minutes of a job of methods; each further attempt gets four times as many."""
        return max(10, int(self.settings.time_limit / 60) * 2) * 4 ** (attempt - 1)

    def methods_of_job(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return the methods of a job that run on its batch, as plain data."""
        names = self.batch_of(wildcards).methods
        return {name: self.plain(name) for name in names if self.jobs.of[name] == wildcards.job}

    def runs_of_job(self, wildcards: Wildcards) -> list[list[Any]]:
        """Return on which data sets a job runs which methods: cell, first and last replicate, names."""
        return [
            [part.cell.name, part.first, part.last, [n for n in part.methods if self.jobs.of[n] == wildcards.job]]
            for part in self.batch_of(wildcards).parts
        ]

    def limits_of_job(self, wildcards: Wildcards) -> str:
        """Return the limits that a job depends on: the present ones, or those of its results if all are well.

        A function of the wildcards alone: where one takes the output, Snakemake does not compare what it returns.
        """
        return self._limits(f"{self.folder_of(wildcards)}/learned/{wildcards.job}/runs.parquet")

    def limits_of_discretizers(self, wildcards: Wildcards) -> str:
        """Return the limits that a job of discretizers depends on."""
        return self._limits(f"{self.folder_of(wildcards)}/discretized/{wildcards.discretizer}.parquet")

    def _limits(self, path: str) -> str:
        return finished.limits(earlier(path), self.limits)

    def code_of_job(self, wildcards: Wildcards) -> dict[str, str]:
        """Return the fingerprints of the methods of a job that run on its batch; thresholds come from a file."""
        parts = {name: self.parsed(name).functions for name in self.methods_of_job(wildcards)}
        paths = {name: [f.path for key, f in part.items() if key != "discretizer"] for name, part in parts.items()}
        return {name: self._code("learn.py", *paths[name]) for name in parts}

    def code_of_external(self, script: str, name: str | None = None) -> Callable[[Wildcards], list[str]]:
        """Return a function that fingerprints a script, its files in scripts/methods and users' programs."""

        def code(wildcards: Wildcards) -> list[str]:
            methods = self.methods_of_job(wildcards)
            options = [method["options"] for method in methods.values()]
            named = [word for one in options for word in words(one.get("command", ""))]
            named += [str(one[key]) for one in options for key in ("file", "requirements") if key in one]
            beside = sorted(map(str, (self.scripts / "methods").glob(f"{name or wildcards.job}.*")))
            files = [*beside, *filter(os.path.isfile, named)]
            python = [path for path in files if path.endswith(".py")]
            others = [file_digest(path) for path in files if path not in python]
            return [self.code_of(script, *python), *others]

        return code

    def discretizers_of_job(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return the discretizers of a job by their names, as plain data."""
        mine = [n for n in self.batch_of(wildcards).methods if wildcards.discretizer in self.discretized_by(n)]
        return {name: plain for method in mine for name, plain in self.discretizers_of(method).items()}

    def discretizations_of_job(self, wildcards: Wildcards) -> list[list[Any]]:
        """Return on which data sets a job runs which discretizers: cell, first and last replicate, names."""
        mine = self.discretizers_of_job(wildcards)
        return [
            [part.cell.name, part.first, part.last, [n for n in names if n in mine]]
            for part in self.batch_of(wildcards).parts
            for names in [dict.fromkeys(n for method in part.methods for n in self.discretizers_of(method))]
        ]

    def code_of_discretizers(self, wildcards: Wildcards) -> dict[str, str]:
        """Return the fingerprints of the discretizers of a job."""
        discretizers = self.discretizers_of_job(wildcards)
        return {name: self._code("discretize.py", plain["path"]) for name, plain in discretizers.items()}

    def discretized_of_job(self, wildcards: Wildcards) -> list[str]:
        """Return the files of thresholds from which the methods of a job learn."""
        return self._discretized(self.folder_of(wildcards), self.methods_of_job(wildcards))

    def discretized_of(self, study: str) -> list[str]:
        """Return the files of thresholds of all batches of a study."""
        batches = self.batches[study].values()
        return [file for each in batches for file in self._discretized(f"results/{study}/{each.path}", each.methods)]

    def _discretized(self, folder: str, methods: Iterable[str]) -> list[str]:
        names = sorted({name for method in methods for name in self.discretized_by(method)})
        return [f"{folder}/discretized/{name}.parquet" for name in names]

    def discretizers_of(self, name: str) -> dict[str, dict[str, Any]]:
        """Return the discretizer of a method by its name, as plain data; nothing for a method without one."""
        discretizer = self.parsed(name).discretizer
        return {discretizer.name: asdict(discretizer)} if discretizer else {}

    def discretized_by(self, name: str) -> list[str]:
        """Return which file has the thresholds of a method: that of the package, or one for each file of a user."""
        discretizer = self.parsed(name).discretizer
        if discretizer is None:
            return []
        return [BUILT_IN if discretizer.is_shipped else discretizer.home]

    def results_of_batch(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the files of each kind that the methods of a batch leave."""
        return {kind: self.results_of(wildcards.study, [self.batch_of(wildcards)], kind) for kind in KINDS}

    def results_of(self, study: str, batches: Iterable[plan.Batch], kind: str) -> list[str]:
        """Return one kind of file of all jobs of some batches."""
        return [
            f"results/{study}/{batch.path}/learned/{job}/{kind}.parquet"
            for batch in batches
            for job in self.jobs.of_methods(batch.methods)
        ]

    def parts_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return what runs on a batch: grid, cell, replicates and methods."""
        return [self._part(part) for part in self.batch_of(wildcards).parts]

    def predicting_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the parts of a batch whose methods predict, with the shares of the Markov blanket that they know."""
        grids = self.studies[wildcards.study].grids
        parts = self.part_with(wildcards.study, self.batch_of(wildcards), "predict").parts
        return [self._part(part) | {"shares": grids[part.grid].predict} for part in parts]

    def folds_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the parts of a batch that are folds, with the data set, the name of the resample and their number."""
        study = wildcards.study
        parts = [part for part in self.batch_of(wildcards).parts if self.studies[study].folds_of(part.grid)]
        return [
            self._part(part) | {"dataset": part.cell.dataset, "resample": part.cell.resample} | self.folds(study, part)
            for part in parts
        ]

    def _part(self, part: plan.Part) -> dict[str, Any]:
        replicates = [part.first, part.last]
        return {"grid": part.grid, "cell": part.cell.name, "replicates": replicates, "methods": list(part.methods)}

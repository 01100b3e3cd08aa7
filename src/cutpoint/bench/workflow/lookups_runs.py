"""How rules look up batches, what they make data of, and how they run methods."""

import hashlib
import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from cutpoint.base.errors import InputError, at
from cutpoint.base.text import suggest
from cutpoint.bench.data import params
from cutpoint.bench.data.params import OWN
from cutpoint.bench.runs import finished
from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.config import Checked
from cutpoint.bench.workflow.fingerprint import fingerprint
from cutpoint.method.method import DiscretizerFunction, External, Method
from cutpoint.method.rows import job_of, parse

Wildcards = Any  # of Snakemake: an attribute for each wildcard of a rule
T = TypeVar("T")


class Batches:
    """The checked config with the batches of its studies.

    Look-ups take a study and one of its batches, as `of_batch` hands them over. What takes ``wildcards`` is an input or
    a parameter of a rule with these wildcards.
    """

    def __init__(self, checked: Checked):
        self.checked = checked
        self.settings, self.studies, self.batches = checked.settings, checked.studies, checked.batches
        self.scripts = checked.places.root / "scripts"
        self.truth = self.settings.truth and plan.stem(self.settings.truth)  # the network behind the user's own data

    def of_batch(self, look_up: Callable[..., T], *names: str, source: str = "") -> Callable[[Wildcards], T]:
        """Return a look-up of a study, a batch and further wildcards, by name, as an input or a parameter of a rule.

        The rules of one source of data have no wildcard for it.
        """

        def of(wildcards: Wildcards) -> T:
            batch = self.batches[wildcards.study][f"{source or wildcards.source}/{wildcards.batch}"]
            return look_up(wildcards.study, batch, *(getattr(wildcards, name) for name in names))

        return of

    def with_kind(self, study: str, batch: plan.Batch, kind: str) -> plan.Batch:
        """Return the part of a batch that has a kind of file; all of it has those that are not named here."""
        kinds = {
            name: {
                "codes": grid.networks,
                "test": grid.predict or grid.held_out,
                "further": grid.held_out,
                "predictions": grid.predict,
                "held_out": self.studies[study].folds_of(name),
                "edges": grid.resamples and not self.studies[study].folds_of(name),
                "graphs": grid.graphs,
            }
            for name, grid in self.studies[study].grids.items()
        }
        return batch.of([name for name, has in kinds.items() if has.get(kind, True)])

    def batches_with(self, study: str, kind: str) -> list[plan.Batch]:
        """Return the batches of a study that have a kind of file."""
        return [batch for batch in self.batches[study].values() if self.with_kind(study, batch, kind).parts]

    def files_of(self, study: str, kind: str) -> list[str]:
        """Return one kind of file of all batches of a study that have it."""
        return [f"results/{study}/{batch.path}/{kind}.parquet" for batch in self.batches_with(study, kind)]

    def folds_of(self, study: str, part: plan.RunBlock) -> int:
        """Return the number of folds of a cross-validation, 0 for other data."""
        about = self.studies[study]
        return about.scales[self.settings.scale].of("replicates", part.grid) if about.folds_of(part.grid) else 0

    def code_of(self, script: str, *functions: str | Path) -> str:
        """Fingerprint a script and the functions that it looks up, so that a change in them reruns its jobs."""
        return fingerprint(self.scripts / script, *functions)


class DataLookups(Batches):
    """What data are made of, see `Batches`."""

    def file_of_dataset(self, wildcards: Wildcards) -> str | list[str]:
        """Return the user's own file for a data set, if there is one."""
        path = self.settings.files.get(wildcards.dataset)
        return self.checked.places.user(path) if path else []

    def family(self, wildcards: Wildcards) -> params.FamilyJob:
        """Return a block of a family of random networks."""
        name, study = wildcards.family, self.studies[wildcards.study]
        cells = [each for batch in self.batches[wildcards.study].values() for each in batch.data.items()]
        first = int(wildcards.block) * study.block
        last = min(first + study.block - 1, max(end for cell, (_, end) in cells if cell.network == name))
        options = study.random_networks[name]
        return params.FamilyJob(wildcards.study, name, range(first, last + 1), options, self.settings.seed)

    def networks(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the files of the true networks of a batch, and folders of random ones."""
        known = study == OWN and batch.source == "real" and self.truth
        paths, block = [self.checked.networks[known]] if known else [], self.studies[study].block
        for cell, (first, last) in batch.data.items():
            if cell.network in self.studies[study].random_networks:
                blocks = range(first // block, last // block + 1)
                paths += [f"results/{study}/networks/{cell.network}/block{k}" for k in blocks]
            elif cell.network:
                paths.append(self.checked.networks[plan.stem(cell.network)])
        return list(dict.fromkeys(paths))

    def samples(self, study: str, batch: plan.Batch) -> list[params.SampleJob]:
        """Return which codes the data of a batch are made of, with the further records that judge its graphs."""
        grids, ends = self.studies[study].grids, dict[tuple[str, int], tuple[int, int]]()
        further = {part.cell: grids[part.grid].held_out for part in self.with_kind(study, batch, "further").parts}
        for cell, (first, last) in batch.data.items():
            for n in filter(None, (cell.n, further.get(cell))):
                key = plan.stem(str(cell.network)), n
                known = ends.get(key, (first, last))
                ends[key] = min(known[0], first), max(known[1], last)
        return [self._sample(study, *key, *known) for key, known in ends.items()]

    def _sample(self, study: str, network: str, n: int, first: int, last: int) -> params.SampleJob:
        return params.SampleJob(study, network, n, range(first, last + 1), self.settings.seed)

    def noises(self, study: str, batch: plan.Batch) -> list[params.NoiseJob]:
        """Return how the values of each cell of a batch are made."""
        noises, made = self.studies[study].noises, list[params.NoiseJob]()
        for cell, ends in batch.data.items():
            sample = self._sample(study, plan.stem(str(cell.network)), cell.n or 0, *ends)
            made.append(params.NoiseJob(sample, str(cell.noise), noises[str(cell.noise)]))
        return made

    def tests(self, study: str, batch: plan.Batch) -> list[params.NoiseJob]:
        """Return how the records that are held out of each cell of a batch are made.

        They are the last ones of the same records, or further ones of the same network and noise.
        """
        last = self.noises(study, self.with_kind(study, batch, "predictions"))
        grids, judged = self.studies[study].grids, self.with_kind(study, batch, "further").parts
        parts = (replace(p, cell=replace(p.cell, name="", n=grids[p.grid].held_out)) for p in judged)
        further = self.noises(study, replace(batch, parts=tuple(parts)))
        return [noise._replace(part="test") for noise in last] + further

    def test(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the file of the records that are held out of a batch, if there are any."""
        return [f"results/{study}/{batch.path}/test.parquet"] if self.with_kind(study, batch, "test").parts else []

    def resamples(self, study: str, batch: plan.Batch) -> list[params.ResampleJob]:
        """Return how the replicates of each cell of a batch are drawn from a real data set."""
        folds, resamples = {part.cell: self.folds_of(study, part) for part in batch.parts}, list[params.ResampleJob]()
        for cell, (first, last) in batch.data.items():
            options: dict[str, Any] = {"kind": params.ALL_RECORDS}
            if cell.resample:
                options = self.studies[study].resamples[cell.resample]
                options = options | ({"folds": folds[cell]} if folds[cell] else {})
            names = str(cell.dataset), cell.resample or params.ALL_RECORDS
            resamples.append(params.ResampleJob(study, *names, range(first, last + 1), options, self.settings.seed))
        return resamples

    def datasets(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the files of the real data sets of a batch, each once."""
        names = dict.fromkeys(cell.dataset for cell in batch.data if cell.dataset)
        return [f"results/datasets/{name}.parquet" for name in names]


KINDS = ("edges", "thresholds", "runs")  # the files that a job of methods leaves


class Jobs:
    """Which job runs each method.

    Methods of one category share a job; a row that names functions of its own, or a ``job``, has another one.
    """

    def __init__(self, rows: Mapping[str, Mapping[str, Any]]):
        self.of = {name: job_of(name, row) for name, row in rows.items()}
        self.category = {self.of[name]: row["category"] for name, row in rows.items()}
        self.internal = sorted(job for job, own in self.category.items() if own != "external")

    def of_methods(self, methods: Iterable[str]) -> list[str]:
        """Return the jobs of some methods, each once and in their order."""
        return list(dict.fromkeys(self.of[name] for name in methods))

    def methods(self, methods: Iterable[str], job: str) -> list[str]:
        """Return those of some methods that a job runs."""
        return [name for name in methods if self.of[name] == job]

    def pattern(self, category: str) -> str:
        """Return the pattern of the names of the jobs of a category; of none where there are none."""
        return "|".join(sorted(re.escape(job) for job, own in self.category.items() if own == category)) or "(?!)"


class MethodLookups(Batches):
    """How methods run, see `Batches`. A method is parsed when it is asked for, which imports its functions."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        self.jobs = Jobs(checked.methods)
        self.external = [name for name, row in checked.methods.items() if row["category"] == "external"]
        self.parsed: Callable[[str], Method] = cache(lambda name: parse(checked.methods[name]))
        self._code = cache(self.code_of)  # many jobs run the same
        self.limits = self.settings.time_limit, self.settings.memory_limit  # CPU seconds and megabytes of a run
        self.memory = math.ceil(self.settings.memory_limit) + 500  # of a job: what one run may take, and the job itself

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
            with at(where):
                params.words(row.get("command", ""))

    def built_in(self, wildcards: Wildcards) -> list[Method]:
        """Return all methods but the external ones."""
        return [self.parsed(name) for name in self.checked.methods if name not in self.external]

    def minutes(self, wildcards: Wildcards, attempt: int) -> int:
        """Return the minutes of a job of methods; each further attempt gets four times as many."""
        return max(10, int(self.settings.time_limit / 60) * 2) * 4 ** (attempt - 1)

    def learn(self, study: str, batch: plan.Batch, job: str) -> params.LearnJob:
        """Return the methods of a job that run on its batch, and on which data sets each does.

        The limits are the present ones, or those of its results if all are well. They depend on the wildcards alone:
        where a function takes the output, Snakemake does not compare what it returns.
        """
        runs = [(part.cell.name, part.first, part.last, self.jobs.methods(part.methods, job)) for part in batch.parts]
        methods = {name: self.parsed(name) for name in self.jobs.methods(batch.methods, job)}
        results = finished.earlier(f"results/{study}/{batch.path}/learned/{job}/runs.parquet")
        return params.LearnJob(methods, runs, finished.limits(results, self.limits))

    def code_of_learn(self, study: str, batch: plan.Batch, job: str) -> dict[str, str]:
        """Return the fingerprints of the methods of a job that run on its batch; thresholds come from a file."""
        parts = {name: self.parsed(name).functions for name in self.jobs.methods(batch.methods, job)}
        paths = {name: [f.path for key, f in part.items() if key != "discretizer"] for name, part in parts.items()}
        return {name: self._code("learn.py", *paths[name]) for name in parts}

    def code_of_external(self, script: str, name: str = "") -> Callable[[Wildcards], list[str]]:
        """Return a function that fingerprints a script, its files in scripts/methods and users' programs.

        The files are those of the job, or of the rule with that name.
        """

        def code(study: str, batch: plan.Batch, job: str) -> list[str]:
            methods = [self.parsed(method) for method in self.jobs.methods(batch.methods, job)]
            options = [method.options for method in methods if isinstance(method, External)]
            named = [word for one in options for word in params.words(one.get("command", ""))]
            named += [str(one[key]) for one in options for key in ("file", "requirements") if key in one]
            beside = sorted(map(str, (self.scripts / "methods").glob(f"{name or job}.*")))
            files = [*beside, *filter(os.path.isfile, named)]
            python = [path for path in files if path.endswith(".py")]
            others = [hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12] for path in files if path not in python]
            return [self.code_of(script, *python), *others]

        return self.of_batch(code, "job")

    def discretize(self, study: str, batch: plan.Batch, home: str) -> params.DiscretizeJob:
        """Return the discretizers of a file of thresholds, by name, and on which data sets each runs; see `learn`."""
        mine = {name: one for name, one in self._discretizers(batch).items() if one.home == home}
        names = [list(dict.fromkeys(mine[n].name for n in part.methods if n in mine)) for part in batch.parts]
        runs = [(p.cell.name, p.first, p.last, some) for p, some in zip(batch.parts, names, strict=True)]
        results = finished.earlier(f"results/{study}/{batch.path}/discretized/{home}.parquet")
        return params.DiscretizeJob(
            {one.name: one for one in mine.values()}, runs, finished.limits(results, self.limits)
        )

    def code_of_discretize(self, study: str, batch: plan.Batch, home: str) -> dict[str, str]:
        """Return the fingerprints of the discretizers of a file of thresholds."""
        mine = [one for one in self._discretizers(batch).values() if one.home == home]
        return {one.name: self._code("discretize.py", one.path) for one in mine}

    def _discretizers(self, batch: plan.Batch) -> dict[str, DiscretizerFunction]:
        """Return the discretizers of the methods of a batch that have one; its home is the file of its thresholds."""
        return {name: one for name in batch.methods if (one := self.parsed(name).discretizer)}

    def discretized(self, study: str, batch: plan.Batch, job: str = "") -> list[str]:
        """Return the files of thresholds from which the methods of a batch learn, or those of one of its jobs."""
        names = self.jobs.methods(batch.methods, job) if job else batch.methods
        homes = sorted({one.home for name, one in self._discretizers(batch).items() if name in names})
        return [f"results/{study}/{batch.path}/discretized/{home}.parquet" for home in homes]

    def results(self, study: str, batch: plan.Batch) -> dict[str, list[str]]:
        """Return the files of each kind that the methods of a batch leave."""
        folders = [f"results/{study}/{batch.path}/learned/{job}" for job in self.jobs.of_methods(batch.methods)]
        return {kind: [f"{folder}/{kind}.parquet" for folder in folders] for kind in KINDS}

    def runs(self, study: str, batch: plan.Batch, kind: str = "metrics") -> list[params.Runs]:
        """Return the runs on a batch that a kind of file is made from."""
        runs, seed = list[params.Runs](), self.settings.seed
        for part in self.with_kind(study, batch, kind).parts:
            what = study, part.grid, part.cell.name, range(part.first, part.last + 1), part.methods
            shares = tuple(self.studies[study].grids[part.grid].predict) if kind == "predictions" else ()
            folds = str(part.cell.dataset), str(part.cell.resample), self.folds_of(study, part)
            runs.append(params.Runs(*what, seed, shares, *folds))
        return runs

"""What rules look up for their wildcards: files, methods and parameters."""

import json
import os
import shlex
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cutpoint.base.user_code import PACKAGE
from cutpoint.bench.data.params import OWN, ExperimentJob
from cutpoint.bench.engine.declaration import digest, modules_of, printed_files
from cutpoint.bench.workflow.config import Checked, read_yaml
from cutpoint.bench.workflow.forecast import Forecast, Load, duration, group_of, load_of, read_costs, size_of
from cutpoint.bench.workflow.lookups_runs import KINDS, Batches, DataLookups, MethodLookups, Wildcards
from cutpoint.method.rows import settings_of
from cutpoint.networks.network import read_network

TO_CHANGE = "  to change this, add 'discrete=[NAME]', 'ordered=[NAME]', 'continuous=[NAME]' or 'drop=[NAME]'"
NAMING = ("methods", "sure")  # options of experiments that name methods


class StudyLookups(Batches):
    """What studies consist of, see `Batches`."""

    def __init__(self, checked: Checked, data: DataLookups, methods: MethodLookups):
        super().__init__(checked)
        self.data, self.methods = data, methods

    @property
    def announcement(self) -> list[str]:
        """The number of runs, as Snakemake counts only jobs, and the types of the columns of the user's data."""
        lines = [*repr(self.checked.own).splitlines(), TO_CHANGE] if self.checked.own else []
        for study, batches in self.batches.items():
            sets, runs = (sum(getattr(b, what) for b in batches.values()) for what in ("datasets", "runs"))
            counts = f"{runs} runs on {sets} data sets in {len(batches)} batch{'es' * (len(batches) != 1)}"
            lines.append(f"{study}, scale {self.settings.scale}: {counts}")
        return lines + (self._announcement_of_own(len(self.checked.own.values)) if self.checked.own else [])

    def _announcement_of_own(self, records: int) -> list[str]:
        """Return lines on samples that are smaller than the user's data, and on how long their runs will take."""
        resample = self.settings.resample
        most = self.studies[OWN].resamples[resample].get("most")
        samples = [f"  each {resample} sample has {most} of the {records} records"] if most and records > most else []
        forecast, (load,) = self._work([OWN])
        time = duration(forecast.estimate(load).seconds)
        return [*samples, f"  about {time} of CPU time, and up to 2 min to compile what was not run here before"]

    def rows(self, study: str) -> dict[str, dict[str, Any]]:
        """Return the rows of all methods that run in a study, in the order of the tables."""
        experiments = self.studies[study].scales[self.settings.scale].experiments.values()
        lists: list[Sequence[str]] = [batch.methods for batch in self.batches[study].values()]
        lists += [options.get(key, ()) for options in experiments for key in NAMING]
        return {name: self.checked.methods[name] for names in lists for name in names}

    def metrics(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return the metrics of the user's own that measures and contests of a study name, see `MetricRow`."""
        about = self.studies[wildcards.study]
        named = {one.metric for one in about.measures.values()} | {one.metric for one in about.contests.values()}
        return {name: row.model_dump() for name, row in self.settings.metrics.items() if name in named}

    def code_of_metrics(self, wildcards: Wildcards) -> str:
        """Fingerprint what evaluates runs, the user's own metrics with it."""
        return self.code_of("evaluate.py", *(row["metric"] for row in self.metrics(wildcards).values()))

    def metadata_of_runs(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return what the file of all runs of a study says of them.

        Rows are without what changes no table. A folder may have other jobs than those of each batch, of earlier runs.
        """
        rows, batches = self.rows(wildcards.study).items(), self.batches[wildcards.study].items()
        return {
            "study": wildcards.study,
            "scale": self.settings.scale,
            "seed": self.settings.seed,
            "methods": {n: {key: row[key] for key in ("label", "category")} | settings_of(row) for n, row in rows},
            "jobs": {path: self.methods.jobs.of_methods(batch.methods) for path, batch in batches},
            "metrics": self.metrics(wildcards),
        }

    def results_with(self, study: str, purpose: str, names: Sequence[str]) -> dict[str, list[str]]:
        """Return the data and results of the batches of a study that have a kind of file."""
        batches = self.batches_with(study, purpose)
        files = {"data": [f"results/{study}/{batch.path}/values.parquet" for batch in batches]}
        results = [self.methods.results(study, batch) for batch in batches]
        files |= {kind: [file for each in results for file in each[kind]] for kind in KINDS}
        return {name: files[name] for name in names}

    def datasets_of_resamples(self, wildcards: Wildcards) -> dict[str, str | None]:
        """Return the data set of each cell whose resamples show how sure an edge is."""
        batches = [self.with_kind(wildcards.study, batch, "edges") for batch in self.batches[wildcards.study].values()]
        return {cell.name: cell.dataset for batch in batches for cell in batch.data}

    def experiment(self, wildcards: Wildcards) -> ExperimentJob:
        """Return an experiment with its options at the scale of the run, and the methods that run in its job."""
        study, name, seed = wildcards.study, wildcards.experiment, self.settings.seed
        options = self.studies[study].scales[self.settings.scale].experiments.get(name, {})
        methods = {name: self.methods.parsed(name) for key in NAMING for name in options.get(key, ())}
        return ExperimentJob(study, name, seed, options, methods, self.methods.limits if methods else None)

    def datasets_of_experiment(self, wildcards: Wildcards) -> list[str]:
        """Return the files of the data sets that an experiment reads."""
        return [f"results/datasets/{name}.parquet" for name in self.experiment(wildcards).options.get("datasets", ())]

    def code_of_experiment(self, wildcards: Wildcards) -> str:
        """Fingerprint the experiments of a study and the methods that one of them runs."""
        paths = [path for method in self.experiment(wildcards).methods.values() for path in method.paths]
        own = f"cutpoint.bench.studies.{wildcards.study}.experiments:EXPERIMENTS"
        return self.code_of("experiment.py", own, *paths)

    def inputs_of_study(self, wildcards: Wildcards) -> dict[str, str | list[str]]:
        """Return the files that tables, figures and claims of a study are made from."""
        study, folder = wildcards.study, f"results/{wildcards.study}"
        batches, about = self.batches[study].values(), self.studies[study]
        networks, datasets = (
            dict.fromkeys(file for batch in batches for file in look_up(study, batch))
            for look_up in (self.data.networks, self.data.datasets)
        )
        kinds = ("metrics", "edges", "held_out", "predictions")
        learned = self.results_with(study, "graphs", (*KINDS, "data"))
        return {
            **{kind: f"{folder}/{kind}.parquet" if self.batches_with(study, kind) else [] for kind in kinds},
            **{f"learned_{kind}": files for kind, files in learned.items()},
            "experiments": [f"{folder}/experiments/{name}.parquet" for name in about.experiments],
            "networks": sorted(networks),
            "datasets": [*datasets],
            "published": [self.checked.places.shipped(path) for path in printed_files(study)],
        }

    def settings_of_study(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return what artefacts need to know beside their files."""
        rows = self.rows(wildcards.study)
        return {
            "study": wildcards.study,
            "methods": [{"name": n, "label": row["label"], "category": row["category"]} for n, row in rows.items()],
            "built_in_jobs": self.methods.jobs.internal,
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

    def studies_of_report(self) -> list[dict[str, Any]]:
        """Return what the report says of each study beside its artefacts."""
        rows = {name: self.rows(name) for name in self.studies}
        return [
            {
                "name": name,
                "study": study.model_dump(mode="json"),
                "scale": self.settings.scale,
                "seed": self.settings.seed,
                "limits": list(self.methods.limits),
                "methods": [
                    {key: row.get(key, "") for key in ("label", "category", "note")}
                    | {"settings": ", ".join(f"{key}: {value}" for key, value in settings_of(row).items())}
                    for row in rows[name].values()
                ],
                "rows": rows[name],
                "command": self.command_of(name),
                "files": [self.checked.places.user(str(self.settings.data))] if name == OWN else [],
                "posterior": self.settings.posterior,
            }
            for name, study in self.studies.items()
        ]

    def command_of(self, study: str) -> str:
        """Return the command that makes the results of one study again, with the settings that are not the file's.

        A user's data have the command that needs no clone, and paths that hold in any folder.
        """
        places, usual = self.checked.places, read_yaml(self.checked.places.root / "config" / "config.yaml")
        settings = self.settings.model_dump(exclude={"studies", "study"})
        for key in ("truth", "knowledge"):
            if Path(places.user(str(settings[key]))).is_file():
                settings[key] = places.user(settings[key])
        changed = [f"{key}={json.dumps(v)}" for key, v in settings.items() if key in usual and v != usual[key]]
        if study != OWN:
            return f"uv run snakemake --cores all --config study={study} {shlex.join(changed)}".rstrip()
        changed = [each for each in changed if not each.startswith(("data=", "scale="))]
        data, here = Path(str(self.settings.data)), Path.cwd()
        where = [] if here.name == f"{data.name.partition('.')[0]}-report" else ["--directory", str(here)]
        return shlex.join(["cutpoint", "report", str(data), *where, "--scale", self.settings.scale, *changed])

    def inputs_of_report(self) -> list[str]:
        """Return the files of all studies that the report is made from."""
        templates = sorted((PACKAGE / "bench" / "templates").glob("*.*"))
        files = [f"results/{study}/metrics.parquet" for study in self.studies if self.batches[study]]
        kinds = ("claims.csv", "tables", "figures")
        files += [f"results/{study}/{kind}" for study in self.studies for kind in kinds]
        files += [f"results/datasets/{OWN}.parquet", f"results/{OWN}/models"] if OWN in self.studies else []
        return files + [self.checked.places.shipped(path) for path in templates]

    def everything(self, wildcards: Wildcards) -> list[str]:
        """Return all results of runs: an up-to-date report would hide what a failed job left out."""
        files = ["results/posterior.html"] if self.settings.posterior else []
        for study, batches in self.batches.items():
            for kind in ("values", "metrics", "codes", "test", "predictions", "held_out"):
                files += self.files_of(study, kind)
            for batch in batches.values():
                files += [file for some in self.methods.results(study, batch).values() for file in some]
                files += [*self.methods.discretized(study, batch), *self.data.datasets(study, batch)]
        return list(dict.fromkeys(files))

    def forecast(self, cores: int) -> str:
        """Return what all selected studies will take."""
        forecast, loads = self._work(self.studies)
        return forecast.page(loads, cores)

    def _work(self, studies: Iterable[str]) -> tuple[Forecast, list[Load]]:
        """Return the work of some studies, and what estimates how long it takes."""
        groups = {name: group_of(row) for name, row in self.checked.methods.items()}
        costs = read_costs(self.checked.places.root / "data" / "costs.csv")
        variables = {name: len(read_network(file).variables) for name, file in self.checked.networks.items()}
        own = self.checked.own.values.shape if self.checked.own else None
        loads = []
        for name in studies:
            study, batches = self.studies[name], self.batches[name].values()
            of_cell = partial(size_of, study=study, variables=variables, datasets=self.checked.datasets, own=own)
            loads.append(load_of(name, study, self.settings.scale, batches, self.methods.jobs.of, of_cell))
        return Forecast(costs, groups, self.settings.time_limit), loads


class Plan:
    """The checked config as rules ask for it: how data are made, methods run, and studies are collected and shown."""

    def __init__(self, checked: Checked):
        self.checked, self.settings = checked, checked.settings
        self.data, self.methods = DataLookups(checked), MethodLookups(checked)
        self.studies = StudyLookups(checked, self.data, self.methods)
        self.code_of, self.of_batch = self.data.code_of, self.data.of_batch

    @property
    def environment(self) -> dict[str, str]:
        """Variables for all jobs: the package of this clone, one thread each, and bytecode that is kept.

        Containers often forbid to keep it: then each of the jobs would compile all that it imports, for over a second.
        """
        paths = [str(self.checked.places.root / "src"), os.environ.get("PYTHONPATH")]
        path = os.pathsep.join(filter(None, paths))
        return {"PYTHONPATH": path, "NUMBA_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}

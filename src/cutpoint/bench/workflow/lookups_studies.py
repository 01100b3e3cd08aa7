"""What rules look up to collect and show a study: its metrics, experiments, artefacts, report and costs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from cutpoint.base.names import OWN
from cutpoint.base.user_code import PACKAGE
from cutpoint.bench.engine.declaration import digest, modules_of, printed_files
from cutpoint.bench.workflow import forecast
from cutpoint.bench.workflow.config import read_yaml
from cutpoint.bench.workflow.load import Checked
from cutpoint.bench.workflow.lookups_batches import Batches, Wildcards, datasets_of
from cutpoint.bench.workflow.lookups_data import DataLookups
from cutpoint.bench.workflow.lookups_methods import KINDS, MethodLookups
from cutpoint.bench.workflow.settings import Study
from cutpoint.method.rows import settings_of
from cutpoint.networks.network import read_network


class StudyLookups(Batches):
    """What studies consist of, see `Batches`.

    Args:
        checked: the config.
        data: how their data are made.
        methods: how their methods run.
    """

    def __init__(self, checked: Checked, data: DataLookups, methods: MethodLookups):
        super().__init__(checked)
        self.data, self.methods = data, methods

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
        costs = forecast.read_costs(self.checked.places.root / "data" / "costs.csv")
        guess = forecast.Forecast(costs, self.cost_groups, self.settings.time_limit)
        (seconds,) = (guess.estimate(forecast.Load(**load)).seconds for load in self.loads(None))
        return [
            f"  about {forecast.duration(seconds)} of CPU time, and up to 2 min to compile what was not run here before"
        ]

    def methods_of_study(self, study: str) -> list[str]:
        """Return all methods that run in a study, in the order of the tables."""
        experiments = self.studies[study].scales[self.settings.scale].experiments.values()
        lists: list[Sequence[str]] = [batch.methods for batch in self.batches[study].values()]
        lists += [options.get("methods", ()) for options in experiments]
        return list(dict.fromkeys(name for names in lists for name in names))

    def jobs_of_study(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the jobs of methods of each batch of a study; a folder may have others, of earlier runs."""
        batches = self.batches[wildcards.study]
        return {path: self.methods.jobs.of_methods(batch.methods) for path, batch in batches.items()}

    def rows_of_study(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return what the methods of a study are made of and called, without what changes no table."""
        rows = {name: self.checked.methods[name] for name in self.methods_of_study(wildcards.study)}
        return {n: {key: row[key] for key in ("label", "category")} | settings_of(row) for n, row in rows.items()}

    def metrics_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the metrics of all batches of a study."""
        return self.files_of(wildcards.study, self.batches[wildcards.study].values(), "metrics")

    def predictions_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the predictions of all batches of a study that make any."""
        return self.files_of(wildcards.study, self.predicting(wildcards.study), "predictions")

    def held_out_of_study(self, wildcards: Wildcards) -> list[str]:
        """Return the held-out likelihoods of all batches of a study that have any."""
        return self.files_of(wildcards.study, self.with_folds(wildcards.study), "held_out")

    def resamples_of_study(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """Return the resamples of a study that show how sure an edge is, with their runs and edges."""
        study, resampled = wildcards.study, self.resampled(wildcards.study)
        data = self.files_of(study, resampled, "values")
        return {"data": data} | {kind: self.methods.results_of(study, resampled, kind) for kind in ("runs", "edges")}

    def datasets_of_resamples(self, wildcards: Wildcards) -> dict[str, str | None]:
        """Return the data set of each cell of these resamples."""
        study = wildcards.study
        parts = [part for batch in self.resampled(study) for part in batch.parts if self.is_resampled(study, part.grid)]
        return {part.cell.name: part.cell.dataset for part in parts}

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
        return self.methods.limits if self.methods_of_experiment(wildcards) else None

    def methods_of_experiment(self, wildcards: Wildcards) -> dict[str, dict[str, Any]]:
        """Return the methods that an experiment runs in its own job, as plain data."""
        return {name: self.methods.plain(name) for name in self.options_of_experiment(wildcards).get("methods", ())}

    def code_of_experiment(self, wildcards: Wildcards) -> str:
        """Fingerprint the experiments of a study and the methods that one of them runs."""
        parts = [path for name in self.methods_of_experiment(wildcards) for path in self.methods.parsed(name).paths]
        return self.code_of(
            "experiment.py", f"cutpoint.bench.studies.{wildcards.study}.experiments:EXPERIMENTS", *parts
        )

    def inputs_of_study(self, wildcards: Wildcards) -> dict[str, str | list[str]]:
        """Return the files that tables, figures and claims of a study are made from."""
        study, folder = wildcards.study, f"results/{wildcards.study}"
        batches, about = self.batches[study].values(), self.studies[study]
        networks = [path for batch in batches for path in self.data.networks_of(study, batch)]
        shown = self.batches_with(study, self.grids_with(study, "graphs"))
        return {
            "metrics": f"{folder}/metrics.parquet" if batches else [],
            "edges": f"{folder}/edges.parquet" if self.resampled(study) else [],
            "held_out": f"{folder}/held_out.parquet" if self.with_folds(study) else [],
            **{f"learned_{kind}": self.methods.results_of(study, shown, kind) for kind in KINDS},
            "learned_data": self.files_of(study, shown, "values"),
            "experiments": [f"{folder}/experiments/{name}.parquet" for name in about.experiments],
            "predictions": f"{folder}/predictions.parquet" if self.predicting(study) else [],
            "networks": sorted({*networks, *self.data.truth_of(study)}),
            "datasets": datasets_of(batches),
            "published": [self.checked.places.shipped(path) for path in printed_files(study)],
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
            "built_in_jobs": self.methods.jobs.internal,
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
            "limits": list(self.methods.limits),
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
        kinds = ("claims.csv", "tables", "figures")
        files += [f"results/{study}/{kind}" for study in self.studies for kind in kinds]
        files += [f"results/datasets/{OWN}.parquet", f"results/{OWN}/models"] if OWN in self.studies else []
        return files + [self.checked.places.shipped(path) for path in templates]

    def everything(self, wildcards: Wildcards) -> list[str]:
        """Return all results of runs: an up-to-date report would hide what a failed job left out."""
        files: list[str] = []
        for study, named in self.batches.items():
            batches = [*named.values()]
            for name in ("values", "metrics"):
                files += self.files_of(study, batches, name)
            files += self.files_of(study, [b for b in batches if b.source == "simulated"], "codes")
            files += self.data.tests_of(study, batches)
            for kind in KINDS:
                files += self.methods.results_of(study, batches, kind)
            files += [
                f"results/{study}/{batch.path}/discretized/{name}.parquet"
                for batch in batches
                for name in sorted({name for method in batch.methods for name in self.methods.discretized_by(method)})
            ]
            files += self.files_of(study, self.predicting(study), "predictions")
            files += self.files_of(study, self.with_folds(study), "held_out")
            files += datasets_of(batches)
        return list(dict.fromkeys(files))

    def loads(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return the work of all selected studies, as plain values."""
        variables = {name: len(read_network(file).variables) for name, file in self.checked.networks.items()}
        user = self.checked.own.values.shape if self.checked.own else None
        loads = []
        for name, study in self.studies.items():
            sizes = forecast.sizes(study, variables, self.checked.datasets, user)
            batches = self.batches[name].values()
            load = forecast.load_of(name, study, self.settings.scale, batches, self.methods.jobs.of, sizes)
            loads.append(vars(load))
        return loads

    @property
    def cost_groups(self) -> dict[str, str]:
        """The group of each method, see `forecast.group_of`."""
        return {name: forecast.group_of(row) for name, row in self.checked.methods.items()}


def _settings_of(row: Mapping[str, Any]) -> dict[str, str]:
    """Return what the report says of a method."""
    settings = ", ".join(f"{key}: {value}" for key, value in settings_of(row).items())
    return {"label": row["label"], "category": row["category"], "settings": settings, "note": row.get("note", "")}

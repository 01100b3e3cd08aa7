"""From Snakemake's config and the files of studies to the checked config; an error is one line with file and key."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutpoint.base.checking import check, read_yaml
from cutpoint.base.errors import WRITABLE, InputError, at
from cutpoint.base.text import suggest
from cutpoint.base.user_code import module_of
from cutpoint.bench.data.params import OWN
from cutpoint.bench.engine.declaration import check_references, study_file, study_names
from cutpoint.bench.simulation.columns import check_count, learned_from
from cutpoint.bench.workflow import names, plan
from cutpoint.bench.workflow.settings import Grid, Scale, Settings, Study
from cutpoint.data.registry import load_registry
from cutpoint.method.rows import check_row, members_of, method_files, read_rows, suggest_row
from cutpoint.networks.network import equations_of, network, network_names, read_network
from cutpoint.posteriors import check_size

if TYPE_CHECKING:
    from cutpoint.data.table import Table

RESERVED = "replicate"  # the column that every file of results adds


@dataclass(frozen=True)
class Places:
    """Where files are: the clone, and the user's working directory, to which paths in the settings are relative."""

    root: Path
    here: Path

    def shipped(self, path: str | Path) -> str:
        """Return a file of the clone: relative when run from there, else absolute, which takes no module prefix."""
        file = self.root / path
        return str(file.relative_to(self.root) if self.root == Path.cwd() and file.is_relative_to(self.root) else file)

    def user(self, path: str) -> str:
        """Return a file that the user names."""
        return str(self.here / path)

    def network(self, name: str) -> str:
        """Return the file of a network: a shipped one, or the user's own."""
        return self.user(name) if name.endswith((".bif", ".csv")) else self.shipped(f"data/networks/{name}.bif")


@dataclass(frozen=True)
class Checked:
    """The checked config: rows of methods, entries of data sets, the selected studies and their batches, by name."""

    places: Places
    settings: Settings
    methods: dict[str, dict[str, Any]]
    where: dict[str, str]  # each row of methods stands
    datasets: dict[str, Any]
    studies: dict[str, Study]
    batches: dict[str, dict[str, plan.Batch]]
    networks: dict[str, str]  # the file of each by its stem
    own: Table | None  # the user's data; None in the jobs of a run too
    knowledge: dict[str, Any] | None  # of these data, as plain data


@contextmanager
def one_line() -> Iterator[None]:
    """End the process with one line for wrong input, for which Snakemake would print a traceback."""
    try:
        yield
    except InputError as problem:
        sys.exit(f"cutpoint: {problem}")


def load(config: Mapping[str, Any], root: Path, here: str | Path, *, main: bool = True) -> Checked:
    """Return the checked config of a run in the current folder, from that of Snakemake, files and command line merged.

    Root and here are those of `Places`; `main` is the run itself and not one of its jobs, which need not check all.
    """
    check_folder()
    places, settings = Places(root, Path(here)), check(Settings, config, "config")
    check_settings(settings)
    rows, where = _rows(settings, root, main)
    if main:
        names.check_metrics(settings.metrics)
    for name, row in rows.items() if main else ():
        names.check_names(row.get("studies") or (), study_names(), f"{where[name]}: studies")
    registry = load_registry(root / "config" / "datasets.yaml")
    datasets = {name: entry.model_dump(exclude_unset=True) for name, entry in registry.items()}
    _check_files(settings, places, datasets)
    studies = {name: _study(name, settings, rows, datasets, places.here, main) for name in settings.selected}
    batches = _batches(studies, settings, rows)
    networks = _networks(studies, batches, settings, places)
    own = _read_own(settings, places) if main and settings.data is not None else None
    knowledge = _read_knowledge(settings, places, own)
    return Checked(places, settings, rows, where, datasets, studies, batches, networks, own, knowledge)


def _rows(settings: Settings, root: Path, main: bool) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return the rows of methods and where each stands.

    A run on own data reads the user's files only where the settings name a row of them.
    """
    files = method_files(root)
    rows, places = read_rows(files[0])
    known = {*rows, *(row.get("group") for row in rows.values())}
    if settings.data is None or not known.issuperset([*settings.extra_methods, *(settings.methods or ())]):
        rows, places = read_rows(*files)
    if main:
        names.check_imports(rows, places)
        for name, row in rows.items():
            check_row(row, places[name])
    return rows, places


def check_command(words: Sequence[str]) -> None:
    """Raise InputError for --containerize, and for a second --config, behind which Snakemake forgets the first."""
    if "--containerize" in words:
        raise InputError("--containerize: the image is there: apptainer build cutpoint.sif envs/cutpoint.def")
    if sum(word.partition("=")[0] in ("--config", "-C") for word in words) > 1:
        raise InputError("--config stands twice, and only the last one would count; write all settings behind one")


def check_folder() -> None:
    """Raise InputError where the run cannot write, such as a folder of another user."""
    for name in (".", ".snakemake", "results", "logs"):
        if os.path.exists(name) and not os.access(name, os.W_OK):
            raise InputError(f"{os.path.abspath(name)}: not writable; {WRITABLE}")


def _check_files(settings: Settings, places: Places, datasets: Mapping[str, Any]) -> None:
    if unknown := set(settings.files) - set(datasets):
        raise InputError(f"config: files.{min(unknown)}: unknown data set{suggest(min(unknown), datasets)}")
    for name, path in settings.files.items():
        _check_file(places.user(path), path, f"files.{name}")
    if settings.mirror and not os.path.isdir(places.user(settings.mirror)):
        raise InputError(f"config: mirror: no such folder: {settings.mirror}")


def _check_file(file: str, name: str, key: str) -> None:
    if not os.path.isfile(file):
        raise InputError(f"config: {key}: no such file: {name}")


def _study(
    name: str, settings: Settings, rows: Mapping[str, Any], datasets: Mapping[str, Any], here: Path, main: bool
) -> Study:
    """Return a study without the methods that the scale leaves out, and without the grids that have no others."""
    study = load_study(study_file(name), rows, datasets, here, main=main, metrics=settings.metrics)
    left_out = members_of(study.scales[settings.scale].without, rows) if settings.scale in study.scales else []
    kept = {name: [method for method in grid.methods if method not in left_out] for name, grid in study.grids.items()}
    grids = {name: grid.model_copy(update={"methods": kept[name]}) for name, grid in study.grids.items() if kept[name]}
    study = study.model_copy(update={"grids": grids})
    study = with_settings(study, settings, rows)
    if study.experiments and main:
        names.check_experiments(study, experiments_of(name), rows, datasets, str(study_file(name)))
    return study


def _batches(
    studies: Mapping[str, Study], settings: Settings, rows: Mapping[str, Any]
) -> dict[str, dict[str, plan.Batch]]:
    """Return the batches of each study, in which further methods run too."""
    extra = members_of(settings.extra_methods, rows)
    names.check_names(extra, rows, "config: extra_methods", suggest_row)
    joining = rows if settings.methods is None else {name: rows[name] for name in extra}
    references = {name for name, row in rows.items() if row["category"] == "reference"}
    batches = {
        name: plan.batches_of(study, settings.scale, plan.methods_of(study, name, joining, extra), references)
        for name, study in studies.items()
    }
    named = {*extra}.union(*(grid.methods for study in studies.values() for grid in study.grids.values()))
    run = {method for each in batches.values() for batch in each.values() for method in batch.methods}
    if lost := sorted((references & named) - run):
        raise InputError(f"{lost[0]}: a reference needs simulated data whose levels are known, such as those of fu2005")
    return batches


def _networks(
    studies: Mapping[str, Study], batches: Mapping[str, dict[str, plan.Batch]], settings: Settings, places: Places
) -> dict[str, str]:
    families = {family for study in studies.values() for family in study.random_networks}
    networks = [name for name in plan.networks_of(batches) if name not in families]
    for name in networks:
        _check_file(places.network(name), name, "studies: networks")
    networks += [settings.truth] if settings.truth else []
    return {plan.stem(network): places.network(network) for network in networks}


def reading_of(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return how to read the user's data: the roles of its columns, and how its text is written."""
    keys = {"roles": ROLES, "form": FORM}
    return {part: {key: getattr(settings, key) for key in each} for part, each in keys.items()}


def _read_own(settings: Settings, places: Places) -> Table:
    """Return the user's own data, read before anything runs, so that its faults are reported at once."""
    from cutpoint.data.user_table import Roles, TextForm, read  # without such data nobody needs arrays here

    data, truth = str(settings.data), settings.truth
    _check_file(places.user(data), data, "data")
    if truth:
        _check_file(places.network(truth), truth, "truth")
    reading = reading_of(settings)
    table = read(places.user(data), Roles(**reading["roles"]), TextForm(**reading["form"]))
    if RESERVED in table.variables:
        hint = f"rename it, or set {table.roles.words_for([RESERVED], 'drop')}"
        raise InputError(f"{table.source}: column {RESERVED}: a file of results has such a column of its own; {hint}")
    if settings.posterior:
        check_size(len(table.variables))
    if truth:
        check_truth(table, read_network(places.network(truth)).variables, truth)
    return table


def check_truth(data: Table, variables: Sequence[str], network: str) -> None:
    """Raise InputError where the columns are not the variables of the true network."""
    lacking = [name for name in variables if name not in data.variables]
    if unknown := [name for name in data.variables if name not in variables]:
        if lacking:
            text = f"the network {network} has a variable {lacking[0]}, and {data.source} no such column"
            raise InputError(f"{text}{suggest(lacking[0], unknown)}")
        text = f"the network {network} has no such variable{suggest(unknown[0], variables)}"
        every = f" to leave out all {len(unknown)} such columns" if unknown[1:] else ""
        hint = f"rename it, or use {data.roles.words_for(unknown, 'drop')}{every}"
        raise InputError(f"{data.source}: column {unknown[0]}: {text}; {hint}")
    if lacking:
        raise InputError(f"{data.source}: no column {lacking[0]}, which is a variable of the network {network}")


def _read_knowledge(settings: Settings, places: Places, own: Table | None) -> dict[str, Any] | None:
    """Return what the user knows of the data as plain data, checked against its columns."""
    if settings.knowledge is None:
        return None
    from cutpoint.knowledge.knowledge import knowledge_of  # without it nobody needs arrays here

    _check_file(places.user(settings.knowledge), settings.knowledge, "knowledge")
    knowledge = knowledge_of(places.user(settings.knowledge))
    if own is not None:
        knowledge.check(own.variables, own.discrete)
    return knowledge.plain()


def load_study(
    path: Path,
    rows: Mapping[str, Any],
    datasets: Mapping[str, Any],
    here: Path = Path(),
    *,
    main: bool = True,
    metrics: Collection[str] = (),
) -> Study:
    """Return the study of a file, for the `main` run all names in it looked up, among them `metrics` of the user's own.

    Folders of networks are relative to `here`.
    """
    if not path.exists():
        raise InputError(f"unknown study {path.parent.name!r}{suggest(path.parent.name, study_names())}")
    study, grids = check(Study, read_yaml(path), str(path)), {}
    for name, grid in study.grids.items():
        networks = _files_of(grid.networks, here, f"{path}: grids.{name}.networks")
        grids[name] = grid.model_copy(update={"methods": members_of(grid.methods, rows), "networks": networks})
    study = study.model_copy(update={"grids": grids})
    if main:
        _check_study(study, path, rows, {**datasets, OWN: {}}, metrics)
    return study


def _check_study(
    study: Study, path: Path, rows: Mapping[str, Any], datasets: Mapping[str, Any], metrics: Collection[str]
) -> None:
    check_references(study, path, study.experiments, rows)
    names.check_kinds(study, str(path))
    names.check_study_names(study, path, rows, datasets, metrics)
    for family in study.random_networks:
        if family in network_names():
            raise InputError(f"{path}: random_networks.{family}: is the name of a shipped network; choose another")
    for name in study.grids:
        _check_noises(name, study, f"{path}: grids.{name}")
    _check_resamples(study, datasets, str(path))
    for name, scale in study.scales.items():
        _check_scale(scale, study, f"{path}: scales.{name}")
        names.check_names(scale.experiments, study.experiments, f"{path}: scales.{name}.experiments")


def _files_of(networks: list[str], here: Path, where: str) -> list[str]:
    """Return networks with the BIF files of a folder, whose name ends in a slash, in its place."""
    files: list[str] = []
    for name in networks:
        members = sorted(f"{name}{file.name}" for file in (here / name).glob("*.bif")) if name.endswith("/") else [name]
        if not members:
            raise InputError(f"{where}: no BIF files in the folder {name}")
        files += members
    return files


def experiments_of(study: str) -> Mapping[str, Callable]:
    """Return the experiments of the package of a study that has some, by name."""
    return module_of(f"cutpoint.bench.studies.{study}.experiments").EXPERIMENTS


def _check_resamples(study: Study, datasets: Mapping[str, Any], source: str) -> None:
    pairs: set[tuple[str, str]] = set()
    for name, grid in study.grids.items():
        if study.folds_of(name) and len(grid.resamples) > 1:
            raise InputError(f"{source}: grids.{name}.resamples: a cross-validation must be alone in its grid")
        for dataset, resample in product(grid.datasets, grid.resamples):
            if (dataset, resample) in pairs:
                raise InputError(
                    f"{source}: grids.{name}: another grid has the resamples {resample!r} of {dataset} too"
                )
            pairs.add((dataset, resample))
            delete, records = study.resamples[resample].get("delete"), datasets[dataset].get("rows")
            if records and delete and delete >= records:
                text = f"{dataset} has {records} records, {delete} cannot be left out"
                raise InputError(f"{source}: resamples.{resample}.delete: {text}")


def _check_scale(scale: Scale, study: Study, where: str) -> None:
    for key in type(scale).model_fields:
        value = getattr(scale, key)
        for grid in value if isinstance(value, dict) and key != "experiments" else ():
            if grid not in study.grids:
                raise InputError(f"{where}.{key}: unknown grid {grid!r}{suggest(grid, study.grids)}")
    for name, grid in study.grids.items():
        if (grid.resamples or not grid.datasets) and scale.of("replicates", name) is None:
            raise InputError(f"{where}.replicates: {name}: missing; give the number of replicates of this grid")
        if study.folds_of(name) and scale.of("replicates", name) < 2:
            raise InputError(f"{where}.replicates: {name}: a cross-validation needs at least two folds")


def _check_noises(name: str, study: Study, where: str) -> None:
    """Check that each noise of a grid suits its networks, its numbers of records and what it predicts."""
    grid = study.grids[name]
    networks, sizes = (
        [*getattr(grid, key), *(value for scale in study.scales.values() for value in scale.of(key, name) or ())]
        for key in ("networks", "n")
    )
    for noise in grid.noises if grid.predict else ():
        _check_prediction(noise, study, [name for name in grid.networks if name in network_names()], sizes, where)
    for noise in grid.noises:
        if study.noises[noise]["kind"] == "own_sem":
            _check_equations(noise, study, networks, where)
    if grid.held_out in sizes:
        raise InputError(f"{where}.held_out: {grid.held_out} is among its n, whose records are learned from")


def _check_prediction(name: str, study: Study, networks: list[str], sizes: list[int], where: str) -> None:
    noise = study.noises[name]
    if not (noise.get("targets") and noise.get("test")):
        raise InputError(f"{where}.predict: noise {name!r} needs targets and a share of test records")
    for n in sizes:
        if not 1 <= learned_from(n, test=noise["test"]) < n:
            raise InputError(f"{where}.predict: n = {n} leaves no record to learn from or none to predict")
    for shipped in networks:
        with at(f"{where}.predict: noise {name!r}, network {shipped!r}"):
            check_count(network(shipped).dag, noise["targets"])


def _check_equations(noise: str, study: Study, networks: list[str], where: str) -> None:
    for name in networks:
        if name in study.random_networks:
            raise InputError(f"{where}.noises: {noise!r}: random networks have no equations of their own")
        with at(f"{where}.noises: {noise!r}"):
            equations_of(network(name) if name in network_names() else read_network(name))


RESAMPLED = "confidence"  # the grid whose resample is a setting
# settings that give the user's columns their roles
ROLES = ("discrete", "ordered", "continuous", "drop", "missing", "weights")
FORM = ("separator", "decimal", "thousands", "names", "marks", "encoding")  # settings of how the user's text is written
KEYS = ("truth", *ROLES, *FORM, "knowledge", "posterior", "resample")


def check_settings(settings: Settings) -> None:
    """Raise InputError for settings that do not go together."""
    if settings.data is None:
        if OWN in settings.selected:
            raise InputError("config: study: own runs on a file of yours; give data=FILE")
        for key in KEYS:
            if getattr(settings, key) != Settings.model_fields[key].default:
                raise InputError(f"config: {key}: needs your own data; give data=FILE too")
        return
    if settings.study not in (None, OWN):
        raise InputError(f"config: study: data=FILE runs the study own, not {settings.study}; leave one of them out")
    truth = settings.truth
    if truth is not None and not truth.endswith((".bif", ".csv")) and truth not in network_names():
        raise InputError(f"config: truth: unknown {truth!r}{suggest(truth, network_names())}; or give a file")


def with_settings(study: Study, settings: Settings, rows: Mapping[str, Mapping[str, Any]]) -> Study:
    """Return a study with no other methods than the settings name, and `own` with the resample that they name."""
    grids = study.grids
    if settings.methods is not None:
        if not settings.methods:
            raise InputError("config: methods: give at least one")
        picked = list(dict.fromkeys(members_of(settings.methods, rows)))
        names.check_names(picked, rows, "config: methods", suggest_row)
        of_grid = _of_grid(grids, picked) if settings.data is None else dict.fromkeys(grids, picked)
        grids = {k: grid.model_copy(update={"methods": of_grid[k]}) for k, grid in grids.items() if of_grid[k]}
    if settings.data is not None and RESAMPLED in grids:
        grids = grids | {RESAMPLED: grids[RESAMPLED].model_copy(update={"resamples": [settings.resample]})}
    return study.model_copy(update={"grids": grids})


def _of_grid(grids: Mapping[str, Grid], picked: list[str]) -> dict[str, list[str]]:
    """Return the picked methods that each grid has; the grids with the most methods take those that no grid has too."""
    known = {method for grid in grids.values() for method in grid.methods}
    most = max((len(grid.methods) for grid in grids.values()), default=0)
    return {
        name: [m for m in picked if m in grid.methods or (m not in known and len(grid.methods) == most)]
        for name, grid in grids.items()
    }

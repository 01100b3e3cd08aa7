"""The config files as checked objects; an error is one line that names the file and the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from cutpoint.base.checking import check, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.names import OWN
from cutpoint.base.text import suggest
from cutpoint.base.user_code import module_of
from cutpoint.bench.engine.declaration import check_references, study_names
from cutpoint.bench.workflow.names import check_function, check_kinds, check_names, check_study_names
from cutpoint.bench.workflow.settings import Scale, Study
from cutpoint.method.method import IN_WORKFLOW
from cutpoint.method.rows import members_of, suggest_row
from cutpoint.networks.shipped import network_names


def load_study(
    path: Path, rows: Mapping[str, Any], datasets: Mapping[str, Any], here: Path = Path(), *, main: bool = True
) -> Study:
    """Return the study of a file, for the `main` run all names in it looked up.

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
        _check_study(study, path, rows, {**datasets, OWN: {}})
    return study


def _check_study(study: Study, path: Path, rows: Mapping[str, Any], datasets: Mapping[str, Any]) -> None:
    check_references(study, path, study.experiments, rows)
    check_kinds(study, str(path))
    check_study_names(study, path, rows, datasets)
    for family in study.random_networks:
        if family in network_names():
            raise InputError(f"{path}: random_networks.{family}: is the name of a shipped network; choose another")
    for name in study.grids:
        _check_noises(name, study, f"{path}: grids.{name}")
    _check_resamples(study, datasets, str(path))
    for name, scale in study.scales.items():
        _check_scale(scale, study, f"{path}: scales.{name}")
        check_names(scale.experiments, study.experiments, f"{path}: scales.{name}.experiments")


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


def check_experiments(
    study: Study, functions: Mapping[str, Callable], rows: Mapping[str, Any], datasets: Mapping[str, Any], source: str
) -> None:
    """Check the experiments of a study against the functions of its package, with the options of all scales.

    Their option `methods` names rows of the methods file that run in the job of the experiment, and `datasets` the
    data sets that it reads.
    """
    check_names(study.experiments, functions, f"{source}: experiments")
    for (scale, settings), name in product(study.scales.items(), study.experiments):
        options, where = settings.experiments.get(name, {}), f"{source}: scales.{scale}.experiments.{name}"
        check_function([functions[name]], options, where)
        check_names(options.get("methods", ()), rows, f"{where}.methods", suggest_row)
        for method in options.get("methods", ()):
            if rows[method]["category"] in IN_WORKFLOW:
                article = "an external method" if rows[method]["category"] == "external" else "a reference"
                raise InputError(f"{where}.methods: {method}: {article} has a job of its own")
        check_names(options.get("datasets", ()), datasets, f"{where}.datasets")


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
    from cutpoint.bench.simulation.targets import (
        check_count,
        learned_from,
    )  # few studies predict: no others need arrays
    from cutpoint.networks.network import network

    for n in sizes:
        if not 1 <= learned_from(n, test=noise["test"]) < n:
            raise InputError(f"{where}.predict: n = {n} leaves no record to learn from or none to predict")
    for shipped in networks:
        try:
            check_count(network(shipped).dag, noise["targets"])
        except InputError as problem:
            raise InputError(f"{where}.predict: noise {name!r}, network {shipped!r}: {problem}") from None


def _check_equations(noise: str, study: Study, networks: list[str], where: str) -> None:
    from cutpoint.networks.network import equations_of, network, read_network  # the other studies need no arrays

    for name in networks:
        if name in study.random_networks:
            raise InputError(f"{where}.noises: {noise!r}: random networks have no equations of their own")
        try:
            equations_of(network(name) if name in network_names() else read_network(name))
        except InputError as problem:
            raise InputError(f"{where}.noises: {noise!r}: {problem}") from None

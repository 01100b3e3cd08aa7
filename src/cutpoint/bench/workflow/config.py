"""The config files as checked objects; an error is one line that names the file and the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from cutpoint.base.checking import check, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.names import OWN
from cutpoint.base.text import listed, suggest
from cutpoint.base.user_code import module_of
from cutpoint.bench.engine.declaration import check_references, study_names
from cutpoint.bench.workflow.settings import Scale, Study, Thresholded
from cutpoint.method.parsing import check_options
from cutpoint.method.rows import members_of, suggest_row
from cutpoint.method.signatures import options_of
from cutpoint.networks.shipped import network_names


def load_study(path: Path, known: Mapping[str, Any], datasets: Mapping[str, Any], here: Path = Path()) -> Study:
    """Return a study, its methods, data sets and networks looked up.

    Args:
        path: its study.yaml.
        known: rows of methods.yaml.
        datasets: entries of datasets.yaml.
        here: the folder to which folders of networks are relative.

    Raises:
        InputError: for an unknown study, method, data set, noise, network or grid.
    """
    if not path.exists():
        raise InputError(f"unknown study {path.parent.name!r}{suggest(path.parent.name, study_names())}")
    study = check(Study, read_yaml(path), str(path))
    check_references(study, path, study.experiments)
    grids = {}
    for name, grid in study.grids.items():
        networks = _files_of(grid.networks, here, f"{path}: grids.{name}.networks")
        grids[name] = grid.model_copy(update={"methods": members_of(grid.methods, known), "networks": networks})
    study, datasets = study.model_copy(update={"grids": grids}), {**datasets, OWN: {}}
    for family in study.random_networks:
        if family in network_names():
            raise InputError(f"{path}: random_networks.{family}: is the name of a shipped network; choose another")
    for grid_name, grid in study.grids.items():
        where = f"{path}: grids.{grid_name}"
        for what, names, among in (
            ("methods", grid.methods, known),
            ("datasets", grid.datasets, datasets),
            ("noises", grid.noises, study.noises),
            ("resamples", grid.resamples, study.resamples),
        ):
            for entry in names:
                if entry not in among:
                    near = suggest_row(entry, known) if what == "methods" else suggest(entry, among)
                    raise InputError(f"{where}.{what}: unknown {entry!r}{near}")
        _check_networks(grid.networks, study, f"{where}.networks")
        _check_prediction(grid_name, study, where)
        _check_equations(grid_name, study, where)
        _check_orders(grid_name, study, where)
        _check_held_out(grid_name, study, where)
    _check_resamples(study, datasets, str(path))
    for name, scale in study.scales.items():
        _check_scale(scale, study, f"{path}: scales.{name}")
        for experiment in scale.experiments:
            if experiment not in study.experiments:
                near = suggest(experiment, study.experiments)
                raise InputError(f"{path}: scales.{name}.experiments: unknown {experiment!r}{near}")
    return study


def _files_of(networks: list[str], here: Path, where: str) -> list[str]:
    """Return networks with the BIF files of a folder, whose name ends in a slash, in its place."""
    files: list[str] = []
    for entry in networks:
        found = (
            sorted(f"{entry}{file.name}" for file in (here / entry).glob("*.bif")) if entry.endswith("/") else [entry]
        )
        if not found:
            raise InputError(f"{where}: no BIF files in the folder {entry}")
        files += found
    return files


def experiments_of(name: str) -> Mapping[str, Callable]:
    """Return the experiments of a study's package by name.

    Args:
        name: of a study that has experiments.
    """
    return module_of(f"cutpoint.bench.studies.{name}.experiments").EXPERIMENTS


def check_experiments(
    study: Study, known: Mapping[str, Callable], rows: Mapping[str, Any], datasets: Mapping[str, Any], source: str
) -> None:
    """Look the experiments of a study up in its package, with the options of all scales.

    Their option `methods` names rows of the methods file that run in the job of the experiment, and `datasets` the
    data sets that it reads.

    Raises:
        InputError: naming the source and the experiment or its option.
    """
    for name in study.experiments:
        if name not in known:
            raise InputError(f"{source}: experiments: unknown {name!r}{suggest(name, known)}")
    for scale_name, scale in study.scales.items():
        for name in study.experiments:
            options, where = scale.experiments.get(name, {}), f"{source}: scales.{scale_name}.experiments.{name}"
            check_options([known[name]], options, where)
            needed = [key for key, option in options_of(known[name]).items() if option.default is option.empty]
            if missing := [key for key in needed if key not in options]:
                raise InputError(f"{where}: missing {listed(missing)}, without which the experiment cannot run")
            for method in options.get("methods", ()):
                if method not in rows:
                    raise InputError(f"{where}.methods: unknown {method!r}{suggest_row(method, rows)}")
                if rows[method]["category"] == "external":
                    raise InputError(f"{where}.methods: {method}: an external method has a job of its own")
            for dataset in options.get("datasets", ()):
                if dataset not in datasets:
                    raise InputError(f"{where}.datasets: unknown {dataset!r}{suggest(dataset, datasets)}")


def _check_resamples(study: Study, datasets: Mapping[str, Any], source: str) -> None:
    seen: set[tuple[str, str]] = set()
    for name, grid in study.grids.items():
        if study.folds_of(name) and len(grid.resamples) > 1:
            raise InputError(f"{source}: grids.{name}.resamples: a cross-validation must be alone in its grid")
        for dataset, resample in product(grid.datasets, grid.resamples):
            if (dataset, resample) in seen:
                raise InputError(
                    f"{source}: grids.{name}: another grid has the resamples {resample!r} of {dataset} too"
                )
            seen.add((dataset, resample))
            delete, rows = getattr(study.resamples[resample], "delete", None), datasets[dataset].get("rows")
            if rows and delete and delete >= rows:
                text = f"{dataset} has {rows} records, {delete} cannot be left out"
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
        _check_networks(scale.of("networks", name) or [], study, f"{where}.networks")


def _check_networks(networks: list[str], study: Study, where: str) -> None:
    known = [*network_names(), *study.random_networks]
    for entry in networks:
        if not entry.endswith(".bif") and entry not in known:
            raise InputError(f"{where}: unknown {entry!r}{suggest(entry, known)}; or give a .bif file")


def _check_prediction(name: str, study: Study, where: str) -> None:
    grid = study.grids[name]
    for noise_name in grid.noises if grid.predict else ():
        noise = study.noises[noise_name]
        if not (isinstance(noise, Thresholded) and noise.targets and noise.test):
            raise InputError(f"{where}.predict: noise {noise_name!r} needs targets and a share of test records")
        for n in {*grid.n, *(n for scale in study.scales.values() for n in scale.of("n", name) or ())}:
            if not 1 <= round(n * noise.test) < n:
                raise InputError(f"{where}.predict: n = {n} leaves no record to learn from or none to predict")
        for known in [name for name in grid.networks if name in network_names()]:
            from cutpoint.bench.simulation import targets  # few studies predict, and the others need no arrays
            from cutpoint.networks import network  # few studies predict, and the others need no arrays

            try:
                targets.check_count(network.network(known).dag, noise.targets)
            except InputError as problem:
                raise InputError(f"{where}.predict: noise {noise_name!r}, network {known!r}: {problem}") from None


def _check_equations(name: str, study: Study, where: str) -> None:
    grid = study.grids[name]
    for noise_name in grid.noises:
        if study.noises[noise_name].kind != "own_sem":
            continue
        from cutpoint.networks import network  # few studies take them, and the others need no arrays

        for known in [
            *grid.networks,
            *(entry for s in study.scales.values() for entry in s.of("networks", name) or ()),
        ]:
            if known in study.random_networks:
                raise InputError(f"{where}.noises: {noise_name!r}: random networks have no equations of their own")
            try:
                network.equations_of(
                    network.network(known) if known in network_names() else network.read_network(known)
                )
            except InputError as problem:
                raise InputError(f"{where}.noises: {noise_name!r}: {problem}") from None


def _check_orders(name: str, study: Study, where: str) -> None:
    grid = study.grids[name]
    networks = {*grid.networks, *(network for s in study.scales.values() for network in s.of("networks", name) or ())}
    for noise in (noise for noise in grid.noises if study.noises[noise].orders > 1):
        if grid.predict or networks & {*study.random_networks}:
            what = "a grid that predicts" if grid.predict else "random networks"
            raise InputError(f"{where}.noises: {noise!r} has orders, which {what} cannot have")


def _check_held_out(name: str, study: Study, where: str) -> None:
    grid = study.grids[name]
    sizes = {*grid.n, *(n for scale in study.scales.values() for n in scale.of("n", name) or ())}
    if grid.held_out in sizes:
        raise InputError(f"{where}.held_out: {grid.held_out} is among its n, whose records are learned from")

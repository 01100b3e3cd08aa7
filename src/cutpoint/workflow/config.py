"""The config files as checked objects; what is wrong is said in one line that names file and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from cutpoint.base.checking import check, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.method import assembly, registry
from cutpoint.networks.network import network, network_names
from cutpoint.networks.noise import choose_targets
from cutpoint.studies.declaration import check_references, study_file, study_names
from cutpoint.workflow.settings import NAME, OWN, IntervalNoise, Method, Scale, Study


def load_methods(path: str | Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a methods file, in order, each checked with its options.

    Raises:
        InputError: naming the file, the row and the key.
    """
    rows = read_methods(path)
    for name, row in rows.items():
        check_row(row, f"{path}: {name}")
    return rows


def read_methods(path: str | Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a methods file, in order, without a look at the functions that they name.

    Raises:
        InputError: naming the file, the row and the key.
    """
    rows = expand(read_yaml(path), str(path))
    for name, row in rows.items():
        source = f"{path}: {name}"
        if not re.fullmatch(NAME, str(name)):
            raise InputError(f"{source}: a name starts with a letter and goes on with letters, digits, _ or .")
        check(Method, row, source)
        if row.get("job") in rows.keys() - {name}:
            raise InputError(f"{source}: job: {row['job']!r} is the name of another method; choose another")
    internal = {row.get("job") or name for name, row in rows.items() if row["category"] != "external"}
    for name, row in rows.items():
        if row["category"] == "external" and row.get("rule") in internal:
            raise InputError(f"{path}: {name}: rule: {row['rule']!r} is the job of other methods; choose another")
    return rows


def expand(rows: Mapping[str, Any], source: str) -> dict[str, dict[str, Any]]:
    """Return rows with each one that has a key ``cross`` replaced by one for each combination of its values.

    Their names are that of the row and the values, joined by points; in the label {key} is the value of a key.

    Raises:
        InputError: for a row that is no mapping, values that are no lists, or a label with an unknown key.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, row in rows.items():
        where = f"{source}: {name}"
        if not isinstance(row, dict):
            raise InputError(f"{where}: a mapping of keys to values is expected")
        if "cross" not in row:
            found[name] = row
            continue
        crossed = row["cross"]
        if not isinstance(crossed, dict) or not all(isinstance(values, list) and values for values in crossed.values()):
            raise InputError(f"{where}: cross: write lists, like {{score: [bic, bdeu]}}, not {crossed!r}")
        if again := [key for key in crossed if key in row]:
            raise InputError(f"{where}: cross: {again[0]!r} is a key of the row too")
        for values in product(*crossed.values()):
            one = {key: value for key, value in row.items() if key != "cross"} | dict(zip(crossed, values, strict=True))
            try:
                one["label"] = str(row.get("label", name)).format(**one)
            except (KeyError, IndexError, ValueError, AttributeError, TypeError):
                keys = ", ".join(f"{{{key}}}" for key in crossed)
                raise InputError(f"{where}: label: {row['label']!r} may hold {keys}") from None
            member = ".".join([str(name), *(re.sub(r"\W+", "_", str(value)).strip("_") for value in values)])
            if member in found or member in rows:
                raise InputError(f"{where}: cross: two rows would be called {member!r}")
            found[member] = one | {"group": name}
    return found


def check_row(row: Mapping[str, Any], source: str) -> None:
    """Check the parts and options of a method against the registry and the signatures.

    Raises:
        InputError: naming the source and the key.
    """
    try:
        _check_options(row)
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from None


def _check_options(row: Mapping[str, Any]) -> None:
    parts = assembly.functions_of(row)
    if row["category"] == "external":
        if not row.get("rule"):
            raise InputError("rule: missing; an external method names the rule that runs it")
        if row.get("job"):
            raise InputError("job: the job of an external method is its rule; leave the key out")
        if parts:
            function = registry.resolve(parts["discretizer"])
            _check_values([function], registry.accepted(function, assembly.options_of(row)))
        return
    _check_values([registry.resolve(path) for key, path in parts.items() if key != "initial"], assembly.options_of(row))
    if row["category"] == "integrated":
        assembly.check_search(registry.resolve(parts["policy"]), registry.resolve(parts["learner"]))


def check_options(functions: Sequence[Callable], options: Mapping[str, Any], source: str) -> None:
    """Check options against the keyword-only parameters of the functions that take them.

    Raises:
        InputError: naming the source and the option.
    """
    try:
        _check_values(functions, options)
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from None


def _check_values(functions: Sequence[Callable], options: Mapping[str, Any]) -> None:
    reserved = {"search", "start", "after_move"}  # what the assembly hands over, and the first policy with the search
    known: dict[str, Any] = {}
    for options_of in map(registry.options_of, functions):
        handed = reserved | ({"initial"} if "search" in options_of else set())
        known |= {k: p for k, p in options_of.items() if k not in handed}
    for key, value in options.items():
        if key not in known:
            raise InputError(f"unknown option {key!r}{suggest(key, known)}")
        try:
            TypeAdapter(known[key].annotation).validate_python(value, strict=True)
        except ValidationError as problem:
            raise InputError(f"{key}: {problem.errors()[0]['msg']}, got {value!r}") from None


def load_study(path: Path, known: Mapping[str, Any], datasets: Mapping[str, Any]) -> Study:
    """Return a study, its methods, data sets and networks looked up.

    Raises:
        InputError: for an unknown study, method, data set, noise, network or grid.
    """
    if not path.exists():
        if path.stem not in (known_studies := study_names()):
            raise InputError(f"unknown study {path.stem!r}{suggest(path.stem, known_studies)}")
        path = study_file(path.stem)
    study = check(Study, read_yaml(path), str(path))
    if isinstance(study.tables, dict):
        check_references(study, path)
    grids = {
        name: grid.model_copy(update={"methods": members_of(grid.methods, known)}) for name, grid in study.grids.items()
    }
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
                    raise InputError(f"{where}.{what}: unknown {entry!r}{suggest(entry, among)}")
        _check_networks(grid.networks, study, f"{where}.networks")
        _check_prediction(grid_name, study, where)
    _check_resamples(study, datasets, str(path))
    for name, scale in study.scales.items():
        _check_scale(scale, study, f"{path}: scales.{name}")
        for experiment in scale.experiments:
            if experiment not in study.experiments:
                near = suggest(experiment, study.experiments)
                raise InputError(f"{path}: scales.{name}.experiments: unknown {experiment!r}{near}")
    return study


def check_artefacts(study: Study, tables: Collection[str], figures: Collection[str], source: str) -> None:
    """Raise InputError for a table or figure that the package of a study does not make."""
    for key, names, known in (("tables", study.tables, tables), ("figures", study.figures, figures)):
        for name in () if isinstance(names, dict) else names:
            if name not in known:
                raise InputError(f"{source}: {key}: unknown {name!r}{suggest(name, known)}")


def check_experiments(study: Study, known: Mapping[str, Callable], rows: Mapping[str, Any], source: str) -> None:
    """Look the experiments of a study up in its package, with the options of all scales.

    Their option `methods` names rows of the methods file that run in the job of the experiment.

    Raises:
        InputError: naming the source and the experiment or its option.
    """
    for name in study.experiments:
        if name not in known:
            raise InputError(f"{source}: experiments: unknown {name!r}{suggest(name, known)}")
    for scale_name, scale in study.scales.items():
        for name, options in scale.experiments.items():
            where = f"{source}: scales.{scale_name}.experiments.{name}"
            check_options([known[name]], options, where)
            for method in options.get("methods", ()):
                if method not in rows:
                    raise InputError(f"{where}.methods: unknown {method!r}{suggest(method, rows)}")
                if rows[method]["category"] == "external":
                    raise InputError(f"{where}.methods: {method}: an external method has a job of its own")


def _check_resamples(study: Study, datasets: Mapping[str, Any], source: str) -> None:
    seen: set[tuple[str, str]] = set()
    for name, grid in study.grids.items():
        if study.folds_of(name) and len(grid.resamples) > 1:
            raise InputError(f"{source}: grids.{name}.resamples: a cross-validation stands alone in its grid")
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


def members_of(methods: Sequence[str], rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return names of methods with those of a crossed row in its place."""
    members = {name: [member for member, row in rows.items() if row.get("group") == name] for name in methods}
    return [member for name in methods for member in (members[name] or [name])]


def _check_scale(scale: Scale, study: Study, where: str) -> None:
    for key in type(scale).model_fields:
        value = getattr(scale, key)
        for grid in value if isinstance(value, dict) and key != "experiments" else ():
            if grid not in study.grids:
                raise InputError(f"{where}.{key}: unknown grid {grid!r}{suggest(grid, study.grids)}")
    for name, grid in study.grids.items():
        if (grid.resamples or not grid.datasets) and scale.of("replicates", name) is None:
            raise InputError(f"{where}.replicates: {name}: missing; say how many replicates this grid has")
        if study.folds_of(name) and scale.of("replicates", name) < 2:
            raise InputError(f"{where}.replicates: {name}: a cross-validation needs two folds at least")
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
        if not (isinstance(noise, IntervalNoise) and noise.targets and noise.test):
            raise InputError(f"{where}.predict: noise {noise_name!r} needs targets and a share of test records")
        for n in {*grid.n, *(n for scale in study.scales.values() for n in scale.of("n", name) or ())}:
            if not 1 <= round(n * noise.test) < n:
                raise InputError(f"{where}.predict: n = {n} leaves no record to learn from or none to predict")
        for known in [network for network in grid.networks if network in network_names()]:
            try:
                choose_targets(network(known).dag, noise.targets, np.random.default_rng(0))
            except InputError as problem:
                raise InputError(f"{where}.predict: noise {noise_name!r}, network {known!r}: {problem}") from None


def printed_methods(files: Iterable[Path], rows: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the methods that the studies of papers print, those of crossed rows by their members.

    Nothing else of the studies is looked at: what is wrong with one matters when it is run.
    """
    found: set[str] = set()
    for path in files:
        with suppress(InputError, AttributeError, TypeError):
            for grid in read_yaml(path).get("grids", {}).values():
                found.update(members_of(grid["methods"], rows))
    return found

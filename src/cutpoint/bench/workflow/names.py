"""Every name and option in a study is checked before the first run: methods, data, grids, columns, texts, noises.

`cutpoint.bench.engine.declaration` looks up the measures, tables and functions that a study declares itself. Options of
noises, resamples and random networks are parameters of the functions that draw them. These are imported when options
are checked, since a job parses the Snakefile without SciPy.
"""

import ast
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from cutpoint.base.checking import check_options
from cutpoint.base.errors import InputError, at
from cutpoint.base.text import listed, suggest
from cutpoint.base.user_code import module_of
from cutpoint.bench.data.metrics import METRICS
from cutpoint.bench.engine.declaration import LOWEST, MEAN, ORDER, RANGE, split
from cutpoint.bench.workflow.settings import CROSS_VALIDATION, MetricRow, Study
from cutpoint.method.functions import options_of, takes_data
from cutpoint.method.method import CATEGORIES, IN_WORKFLOW
from cutpoint.method.rows import suggest_row
from cutpoint.networks.network import network_names
from cutpoint.networks.random_networks import check_bounds

IMPORT_SECONDS = 60.0
_IMPORTED_IT = 113  # exit code of a child, which a file that ends its process would hardly choose
MEASURE = "column of a measure"  # such as shd[500]
NAMES = {  # what a key of study.yaml names, behind the model that has it where the key is ambiguous
    "Grid.methods": "method", "Grid.datasets": "data set", "Grid.noises": "noise", "Grid.resamples": "resample",
    "Grid.networks": "network", "Scale.networks": "network", "Scale.together": "network",
    "Scale.without": "method or crossed row", "Study.blocks": "column", "TableSpec.category": "category",
    "TableSpec.without": "method", "metric": "metric", "measure": MEASURE, "cells": "column", "by": "column",
    "grid": "grid", "over": "method", "control": "method", "groups": "method or group",
    "requires": "grid or experiment", "replicates": "grid or experiment",
    "caption": "text", "notes": "text", "texts": "text",
}  # fmt: skip
PLAIN = ("measures", "contests")  # a metric of a grid, unless a function makes them
SIDES = ("group", "names", "left", "right")  # of an inequality
TEXT = re.compile(r"\{([A-Za-z][\w.-]*)\}")


def check_names(names: Iterable[str], valid: Collection[str], where: str, hint: Callable[..., str] = suggest) -> None:
    """Raise InputError for the first name that is not valid, with a hint at one that is."""
    for name in names:
        if name not in valid:
            raise InputError(f"{where}: unknown {name!r}{hint(name, valid)}")


def check_study_names(
    study: Study, file: Path, rows: Mapping[str, Any], datasets: Collection[str], own_metrics: Collection[str]
) -> None:
    """Raise InputError for the first name that nothing has, with its key and the nearest known name.

    The measures, tables and functions of the study are looked up already. Its code, beside the file, may make columns.
    """
    known = {**_known(study, rows, datasets, own_metrics), "word": _words(file.parent) | {*study.measures}}
    names = [*_names(study)]
    numbers = [*_numbers(study), *((key, *split(name), []) for key, what, name, _ in names if what == MEASURE)]
    compared = [
        (key, "method or group", method, _is_made(study.measures[name]))
        for key, name, _, methods in numbers for method in methods
    ]  # fmt: skip
    for key, what, name, made in [*(each for each in names if each[1] != MEASURE), *compared]:
        is_file = what == "network" and name.endswith(".bif")
        if name not in known[what] and not (made and name in known["word"]) and not is_file:
            hint = suggest_row(name, rows) if what == "method" else suggest(name, known[what])
            beside = "; or give a .bif file" if what == "network" else ""
            raise InputError(f"{file}: {key}: unknown {what} {name!r}{hint}{beside}")
    for key, row in ((f"{kind}.{name}", row) for kind in PLAIN for name, row in getattr(study, kind).items()):
        if lacking := [part for part in ("metric", "grid") if not getattr(row, "make", "") and not getattr(row, part)]:
            raise InputError(f"{file}: {key}: missing {listed(lacking)}, or make")
    for key, name, column, _ in numbers:
        _check_column(study, name, column, known, f"{file}: {key}")


def _known(
    study: Study, rows: Mapping[str, Any], datasets: Collection[str], own_metrics: Collection[str]
) -> dict[str, Collection[str]]:
    """Return the names of each kind."""
    from cutpoint.bench.data import schemas  # jobs parse the Snakefile without Arrow

    files = [Path(name).stem for grid in study.grids.values() for name in grid.networks if name.endswith(".bif")]
    return {
        "method": rows,
        "method or crossed row": [*rows, *{row["group"]: 0 for row in rows.values() if "group" in row}],
        "method or group": [*study.groups, *rows],
        "category": CATEGORIES,
        "data set": datasets,
        "noise": study.noises,
        "resample": study.resamples,
        "network": [*network_names(), *study.random_networks, *files],
        "grid": study.grids,
        "grid or experiment": [*study.grids, *study.experiments, "predictions"],
        "column": schemas.METRICS.names,
        "metric": [*(metric.name for metric in METRICS.values() if metric.group != "derived"), *own_metrics],
        "text": [*study.texts, "over", *rows],
    }


def _words(folder: Path) -> set[str]:
    """Return the words in the code of a study, and all columns of its files: what a function of it may make."""
    from cutpoint.bench.data import schemas

    words = {*METRICS, *schemas.PREDICTIONS.names, *schemas.HELD_OUT.names, *schemas.EDGE_SHARES.names}
    for node in (node for path in folder.glob("*.py") for node in ast.walk(ast.parse(path.read_bytes()))):
        text = node.value if isinstance(node, ast.Constant) else node.arg if isinstance(node, ast.keyword) else None
        words |= {*re.findall(r"[\w.]+", text)} if isinstance(text, str) else set()
    return words


def _is_made(model: BaseModel) -> bool:
    """Return whether a function of the study makes what an entry is about."""
    return bool(getattr(model, "of", "") or getattr(model, "make", ""))


def leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield what lists and mappings hold with its place, or a value that is neither."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, f"{place}.{key}")
    else:
        yield place, value


def _names(model: BaseModel, place: str = "") -> Iterator[tuple[str, str, str, bool]]:
    """Yield each name with its key, what it names, and whether a function of the study may have made this."""
    for key in type(model).model_fields:
        what = NAMES.get(f"{type(model).__name__}.{key}", NAMES.get(key))
        for where, value in leaves(getattr(model, key), f"{place}{key}"):
            if isinstance(value, BaseModel):
                yield from _names(value, f"{where}.")
            elif what and isinstance(value, str) and value and (what, value) != ("network", "sizes"):  # of together
                names = TEXT.findall(value) if what == "text" else [value]
                yield from ((where, what, name, _is_made(model)) for name in names)


def _numbers(study: Study) -> Iterator[tuple[str, str, Any, list[str]]]:
    """Yield each column of a measure that is named, with its key, and the methods that are compared by it."""
    for name, row in study.measures.items():
        yield from ((f"measures.{name}.columns", name, column, []) for column in row.columns)
    for claim, needs in ((f"claims.{name}.needs", claim.needs) for name, claim in study.claims.items()):
        for condition, number in (need.rsplit(" in ", 1) for need in needs.values()):
            match = next(filter(None, (form.fullmatch(condition) for form in (LOWEST, RANGE, ORDER))))
            sides = [match[key].removeprefix("others of ") for key in SIDES if key in match.re.groupindex]
            names = [name for side in sides for name in side.split(", ") if not re.fullmatch(r"-?[\d.]+", name)]
            yield claim, *split(number), names
    for key in ("tables", "figures"):
        rows = getattr(study, key).items()
        for where, value in (each for name, row in rows for each in leaves(row.options, f"{key}.{name}.options")):
            if isinstance(value, str) and "[" in value and split(value)[0] in study.measures:
                yield where, *split(value), []


def _check_column(study: Study, name: str, column: Any, known: Mapping[str, Collection[str]], where: str) -> None:
    """Raise InputError for a column of a measure that stands for nothing: a paper may have sizes that nothing runs."""
    row = study.measures[name]
    parts = column if isinstance(column, tuple) else (column,)
    if column in (None, MEAN):
        return
    if len(parts) != len(row.by or parts):
        raise InputError(f"{where}: {name}{[*parts]}: a column stands for {', '.join(row.by)}")
    values: dict[str, Collection] = {"noise": study.noises, "dataset": known["data set"], "network": known["network"]}
    if row.grid in study.grids and column not in row.columns:
        scales = [scale.of("n", row.grid) or () for scale in study.scales.values()]
        values["n"] = sorted({*study.grids[row.grid].n, *chain(*scales)})
    for key, part in zip(row.by, parts, strict=False):
        if part not in values.get(key, [part]) and part not in known["word"]:
            near = suggest(part, [*map(str, values[key])])
            raise InputError(f"{where}: unknown column {part!r} of {name}{near}")


SIMULATION = "cutpoint.bench.simulation"
RANDOM = "cutpoint.networks.random_networks:random_network"
BOUNDED = ("nodes", "density", "arcs", "max_parents", "domains")
NESTED = {  # options that hold options, of these functions
    "measured": (f"{SIMULATION}.measurement:Measurement",),
    "missing": (f"{SIMULATION}.measurement:with_gaps", f"{SIMULATION}.measurement:treated"),
}


def check_function(functions: Sequence[Callable | str], options: Mapping[str, Any], source: str) -> None:
    """Check options against the keyword-only parameters of functions, all of which without a default are there."""
    parameters = {key: one for function in functions for key, one in options_of(function).items()}
    check_options(parameters, options, source)
    if missing := [key for key, one in parameters.items() if one.default is one.empty and key not in options]:
        raise InputError(f"{source}: missing {listed(missing)}")


def check_kinds(study: Study, source: str) -> None:
    """Check the options of the noises, resamples and random networks of a study."""
    for key, check in (("noises", _check_noise), ("resamples", _check_resample), ("random_networks", _check_family)):
        for name, options in getattr(study, key).items():
            check(options, f"{source}: {key}.{name}")


def _check_noise(options: Mapping[str, Any], where: str) -> None:
    noise = module_of(f"{SIMULATION}.noise")
    _check_kind(noise.NOISES, options, where)
    for key in (key for key in NESTED if options.get(key) is not None):
        check_function(NESTED[key], options[key], f"{where}.{key}")
    with at(where):
        noise.check_noise(options)


def _check_resample(options: Mapping[str, Any], where: str) -> None:
    functions = module_of("cutpoint.data.resampling").RESAMPLES
    _check_kind({kind: (each,) for kind, each in functions.items()} | {CROSS_VALIDATION: ()}, options, where)
    if options["kind"] == "jackknife" and (options.get("delete") is None) == (options.get("share") is None):
        raise InputError(f"{where}: give delete or share, one of them")


def _check_family(options: Mapping[str, Any], where: str) -> None:
    check_function([RANDOM], options, where)
    parameters = options_of(RANDOM)
    with at(where):
        check_bounds(*(options.get(key, parameters[key].default) for key in BOUNDED))


def _check_kind(kinds: Mapping[str, Sequence[Callable]], options: Mapping[str, Any], where: str) -> None:
    kind = options.get("kind", "")
    if not isinstance(kind, str) or kind not in kinds:
        raise InputError(f"{where}.kind: {f'unknown {kind!r}' if kind else 'missing'}{suggest(str(kind), kinds)}")
    check_function(kinds[kind], {key: value for key, value in options.items() if key != "kind"}, where)


def check_imports(rows: Mapping[str, Mapping[str, Any]], places: Mapping[str, str]) -> None:
    """Raise InputError where a user's own file ends or holds up the process that plans, which imports it."""
    own = {
        value.rpartition(":")[0]: f"{places[name]}: {key}"
        for name, row in rows.items()
        for key, value in row.items()
        if isinstance(value, str) and value.rpartition(":")[0].endswith(".py")
    }
    for file, place in own.items():
        with at(place):
            check_import(file)


def check_import(name: str, seconds: float = IMPORT_SECONDS) -> None:
    """Import a user's file in a child that may do what would end or hold up this process; errors are left for later."""
    child = get_context("fork").Process(target=_try_import, args=(name,))
    child.start()
    child.join(seconds)
    in_time = child.exitcode is not None
    child.kill()
    child.join()
    if child.exitcode != _IMPORTED_IT:
        what = "ends its process" if in_time else f"takes more than {seconds:g} s"
        raise InputError(f"{name}: its import {what}; let it define functions and do no more")


def _try_import(name: str) -> None:
    for stream in 1, 2:  # what it prints comes with the import in this process
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    with suppress(Exception):
        module_of(name)
    os._exit(_IMPORTED_IT)


def check_metrics(metrics: Mapping[str, MetricRow]) -> None:
    """Raise InputError for a metric of the user's own that hides a column, or whose function does not take its part."""
    from cutpoint.bench.data import schemas  # jobs parse the Snakefile without Arrow

    places = {name: f"config: metrics.{name}" for name in metrics}
    check_imports({name: {"metric": row.metric} for name, row in metrics.items()}, places)
    for name, row in metrics.items():
        if name in schemas.METRICS.names:
            raise InputError(f"{places[name]}: runs have a column of this name; choose another")
        with at(places[name]):
            check_function([row.metric], row.options, "options")
            if not takes_data(row.metric):
                raise InputError(f"metric: {row.metric} takes two arrays, the learned and the true pattern")


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

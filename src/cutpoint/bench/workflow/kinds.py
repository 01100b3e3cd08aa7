"""Noises, resamples and random networks of a study: their options are parameters of the functions that draw them.

The functions are imported when options are checked, since a job parses the Snakefile without SciPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.base.user_code import module_of
from cutpoint.bench.workflow.settings import CROSS_VALIDATION, Study
from cutpoint.method.parsing import check_options
from cutpoint.method.signatures import options_of
from cutpoint.networks.bounds import check_bounds

SIMULATION = "cutpoint.bench.simulation"
RANDOM = "cutpoint.networks.random_networks:random_network"
NESTED = {  # options that hold options, of these functions
    "measured": (f"{SIMULATION}.measurement:Measurement",),
    "missing": (f"{SIMULATION}.gaps:with_gaps", f"{SIMULATION}.gaps:treated"),
}


def check_function(functions: Sequence[Callable | str], options: Mapping[str, Any], source: str) -> None:
    """Check options against the keyword-only parameters of functions, all of which without a default are there."""
    check_options(functions, options, source, of_method=False)
    parameters = {key: one for function in functions for key, one in options_of(function).items()}
    if missing := [key for key, one in parameters.items() if one.default is one.empty and key not in options]:
        raise InputError(f"{source}: missing {listed(missing)}")


def check_kinds(study: Study, source: str) -> None:
    """Check the options of the noises, resamples and random networks of a study."""
    noise, resampling = (module_of(name) for name in (f"{SIMULATION}.noise", "cutpoint.data.resampling"))
    for name, options in study.noises.items():
        where = f"{source}: noises.{name}"
        _check_kind(noise.NOISES, options, where)
        for key in NESTED.keys() & {key for key, value in options.items() if value is not None}:
            check_function(NESTED[key], options[key], f"{where}.{key}")
        _check_rules(noise.check_noise, options, where)
    resamples = {kind: (function,) for kind, function in resampling.RESAMPLES.items()} | {CROSS_VALIDATION: ()}
    for name, options in study.resamples.items():
        _check_kind(resamples, options, f"{source}: resamples.{name}")
        if options["kind"] == "jackknife" and (options.get("delete") is None) == (options.get("share") is None):
            raise InputError(f"{source}: resamples.{name}: give delete or share, one of them")
    for name, options in study.random_networks.items():
        where = f"{source}: random_networks.{name}"
        check_function([RANDOM], options, where)
        bounds = {key: options.get(key, options_of(RANDOM)[key].default) for key in signature(check_bounds).parameters}
        _check_rules(lambda bounds: check_bounds(**bounds), bounds, where)


def _check_kind(kinds: Mapping[str, Sequence[Callable]], options: Mapping[str, Any], where: str) -> None:
    kind = options.get("kind", "")
    if not isinstance(kind, str) or kind not in kinds:
        raise InputError(f"{where}.kind: {f'unknown {kind!r}' if kind else 'missing'}{suggest(str(kind), kinds)}")
    check_function(kinds[kind], {key: value for key, value in options.items() if key != "kind"}, where)


def _check_rules(rules: Callable[[Mapping[str, Any]], None], options: Mapping[str, Any], where: str) -> None:
    try:
        rules(options)
    except InputError as problem:
        raise InputError(f"{where}: {problem}") from None

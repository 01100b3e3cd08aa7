"""Noises, resamples and random networks of a study: their options are parameters of the functions that draw them.

The functions are imported when options are checked, since a job parses the Snakefile without SciPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cutpoint.base.checking import check_options
from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.base.user_code import module_of
from cutpoint.bench.workflow.settings import CROSS_VALIDATION, Study
from cutpoint.method.signatures import options_of
from cutpoint.networks.bounds import check_bounds

SIMULATION = "cutpoint.bench.simulation"
RANDOM = "cutpoint.networks.random_networks:random_network"
BOUNDED = ("nodes", "density", "arcs", "max_parents", "domains")
NESTED = {  # options that hold options, of these functions
    "measured": (f"{SIMULATION}.measurement:Measurement",),
    "missing": (f"{SIMULATION}.gaps:with_gaps", f"{SIMULATION}.gaps:treated"),
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
    _check_rules(noise.check_noise, where, options)


def _check_resample(options: Mapping[str, Any], where: str) -> None:
    functions = module_of("cutpoint.data.resampling").RESAMPLES
    _check_kind({kind: (each,) for kind, each in functions.items()} | {CROSS_VALIDATION: ()}, options, where)
    if options["kind"] == "jackknife" and (options.get("delete") is None) == (options.get("share") is None):
        raise InputError(f"{where}: give delete or share, one of them")


def _check_family(options: Mapping[str, Any], where: str) -> None:
    check_function([RANDOM], options, where)
    parameters = options_of(RANDOM)
    _check_rules(check_bounds, where, *(options.get(key, parameters[key].default) for key in BOUNDED))


def _check_kind(kinds: Mapping[str, Sequence[Callable]], options: Mapping[str, Any], where: str) -> None:
    kind = options.get("kind", "")
    if not isinstance(kind, str) or kind not in kinds:
        raise InputError(f"{where}.kind: {f'unknown {kind!r}' if kind else 'missing'}{suggest(str(kind), kinds)}")
    check_function(kinds[kind], {key: value for key, value in options.items() if key != "kind"}, where)


def _check_rules(rules: Callable[..., None], where: str, *options: Any) -> None:
    try:
        rules(*options)
    except InputError as problem:
        raise InputError(f"{where}: {problem}") from None

"""What a method is made of: plain tables from a name to where its function stands.

A function is named ``module:function`` or ``path/to/file.py:function`` and imported when it is used,
so that a job imports what it needs and a change in one method leaves the results of the others alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest

# values [N, n], frozen [n] -> thresholds
DISCRETIZERS = {
    "equal_width": "cutpoint.discretization.binning:equal_width",
    "equal_frequency": "cutpoint.discretization.binning:equal_frequency",
    "hartemink": "cutpoint.discretization.hartemink:hartemink",
    "ruichu": "cutpoint.discretization.mixtures:ruichu",
}
# codes [N, n], cardinalities [n] -> LocalScore
SCORES = {
    "bdeu": "cutpoint.learners.scores:bdeu",
    "bic": "cutpoint.learners.scores:bic",
    "aic": "cutpoint.learners.scores:aic",
    "mdl": "cutpoint.learners.scores:mdl",
    "k2": "cutpoint.learners.scores:k2",
    "ll": "cutpoint.learners.scores:log_likelihood",
}
# values [N, n], frozen [n] -> LocalScore, without a discretization
CONTINUOUS_SCORES = {"kgv": "cutpoint.learners.kgv:kgv", "gaussian_bic": "cutpoint.learners.gaussian:gaussian_bic"}
# LocalScore -> Search
LEARNERS = {
    "hill_climbing": "cutpoint.learners.greedy:hill_climbing",
    "tabu": "cutpoint.learners.greedy:tabu",
    "order_search": "cutpoint.learners.order:order_search",
    "exact": "cutpoint.learners.exact:exact",
}
# codes [N, n], cardinalities [n] -> Learned, without a score
DISCRETE_PATTERN_LEARNERS = {"pc_g2": "cutpoint.learners.constraint:pc_g2"}
# values [N, n], frozen [n] -> Learned, without a score
PATTERN_LEARNERS = {"pc_fisherz": "cutpoint.learners.constraint:pc_fisherz"}
# values [N, n], frozen [n], search, initial policy where it takes one -> Learned
POLICIES = {
    "friedman": "cutpoint.discretization.rules:friedman",
    "friedman_exact": "cutpoint.discretization.exact:friedman_exact",
    "monti_exact": "cutpoint.discretization.exact:monti_exact",
    "steck_exact": "cutpoint.discretization.exact:steck_exact",
    "tran_onepass": "cutpoint.discretization.top_down:tran_onepass",
    "tran_iterated": "cutpoint.discretization.top_down:tran_iterated",
    "friedman_tabu": "cutpoint.discretization.rules:friedman_tabu",
    "mgcd": "cutpoint.discretization.mgcd:mgcd",
    "monti": "cutpoint.discretization.rules:monti",
    "steck": "cutpoint.discretization.rules:steck",
}


def resolve(path: str) -> Callable:
    """Return the function that ``module:function`` or ``file.py:function`` names.

    A relative file is looked up in the working directory and then in the root of the clone.

    Raises:
        InputError: when there is no such file, module or function.
    """
    module_name, _, name = path.rpartition(":")
    try:
        found = getattr(user_code.module_of(module_name), name)
        if not callable(found) and not module_name.startswith("cutpoint."):
            raise InputError(f"{name} is no function")
        return found
    except InputError as problem:
        text = str(problem)
    except Exception as problem:  # anything may happen in a user's own file
        text = " ".join(f"{type(problem).__name__}: {problem}{user_code.place_of(problem)}".split())
    raise InputError(f"{path}: cannot be imported ({text}); write module:function or file.py:function")


def lookup(table: Mapping[str, str], name: str, what: str) -> str:
    """Return where the function of a name stands; a name with a colon stands for itself.

    Raises:
        InputError: naming the known names and the nearest one.
    """
    if not isinstance(name, str):
        raise InputError(f"{what}: one name is expected, not {name!r} (known: {', '.join(table)})")
    if ":" in name:
        return name
    if name not in table:
        raise InputError(f"unknown {what} {name!r}{suggest(name, table)}")
    return table[name]


@cache
def parameters_of(function: Callable) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function by name.

    Raises:
        InputError: for something that is no function, or an annotation that cannot be evaluated.
    """
    try:
        return dict(inspect.signature(function, eval_str=True).parameters)
    except Exception as problem:  # anything may stand in a user's own annotation
        name = getattr(function, "__name__", repr(function))
        text = " ".join(f"{type(problem).__name__}: {problem}".split())
        raise InputError(f"{name}: no function whose options can be read ({text})") from None


def options_of(function: Callable) -> dict[str, inspect.Parameter]:
    """Return the keyword-only parameters of a function: the options that a config may set."""
    return {k: p for k, p in parameters_of(function).items() if p.kind is p.KEYWORD_ONLY}


def arity_of(function: Callable) -> int:
    """Return how many arguments a function needs by position."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is p.empty for p in parameters_of(function).values())


def accepted(function: Callable, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the options that a function takes."""
    return {k: v for k, v in options.items() if k in options_of(function)}

"""What a method is made of: plain tables from a name to where its function stands.

A function is named ``module:function`` or ``path/to/file.py:function`` and imported when it is used,
so that a job imports what it needs and a change in one method leaves the results of the others alone.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cutpoint.errors import InputError

# values [N, n], frozen [n] -> thresholds
DISCRETIZERS = {
    "equal_width": "cutpoint.discretizers.binning:equal_width",
    "equal_frequency": "cutpoint.discretizers.binning:equal_frequency",
    "hartemink": "cutpoint.discretizers.hartemink:hartemink",
    "ruichu": "cutpoint.discretizers.mixture:ruichu",
}
# codes [N, n], cardinalities [n] -> LocalScore
SCORES = {
    "bdeu": "cutpoint.scores:bdeu",
    "bic": "cutpoint.scores:bic",
    "aic": "cutpoint.scores:aic",
    "mdl": "cutpoint.scores:mdl",
    "k2": "cutpoint.scores:k2",
    "ll": "cutpoint.scores:log_likelihood",
}
# values [N, n], frozen [n] -> LocalScore, without a discretization
CONTINUOUS_SCORES = {"kgv": "cutpoint.kgv:kgv", "gaussian_bic": "cutpoint.gaussian:gaussian_bic"}
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
    "friedman": "cutpoint.integrated.friedman:friedman",
    "friedman_exact": "cutpoint.integrated.exact:friedman_exact",
    "monti_exact": "cutpoint.integrated.exact:monti_exact",
    "steck_exact": "cutpoint.integrated.exact:steck_exact",
    "tran_onepass": "cutpoint.integrated.tran:tran_onepass",
    "tran_iterated": "cutpoint.integrated.tran:tran_iterated",
    "friedman_tabu": "cutpoint.integrated.friedman:friedman_tabu",
    "mgcd": "cutpoint.integrated.mgcd:mgcd",
    "monti": "cutpoint.integrated.monti:monti",
    "steck": "cutpoint.integrated.steck:steck",
}


@cache
def resolve(path: str) -> Callable:
    """Return the function that ``module:function`` or ``file.py:function`` names.

    Raises:
        InputError: when there is no such file, module or function.
    """
    module_name, _, name = path.rpartition(":")
    try:
        if module_name.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(module_name).stem, module_name)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(module_name)
        return getattr(module, name)
    except Exception as problem:  # anything may happen in a user's own file
        text = " ".join(f"{type(problem).__name__}: {problem}".split())
        raise InputError(f"{path}: cannot be imported ({text}); write module:function or file.py:function") from None


def lookup(table: Mapping[str, str], name: str, what: str) -> str:
    """Return where the function of a name stands; a name with a colon stands for itself.

    Raises:
        InputError: naming the known names and the nearest one.
    """
    if ":" in name:
        return name
    if name not in table:
        raise InputError(f"unknown {what} {name!r}{suggest(name, table)}")
    return table[name]


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the nearest one and all there are."""
    known = list(known)
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{hint} (known: {', '.join(known) or 'none'})"


@cache
def options_of(function: Callable) -> dict[str, inspect.Parameter]:
    """Return the keyword-only parameters of a function: the options that a config may set."""
    parameters = inspect.signature(function, eval_str=True).parameters
    return {k: p for k, p in parameters.items() if p.kind is p.KEYWORD_ONLY}


def accepted(function: Callable, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the options that a function takes."""
    return {k: v for k, v in options.items() if k in options_of(function)}

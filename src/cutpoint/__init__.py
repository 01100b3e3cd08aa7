"""Discretization and structure learning of Bayesian networks, compared.

Names are imported when they are used, so that a job loads only what it needs. Other examples go on from this one:

Examples:
    >>> import numpy as np
    >>> import cutpoint as cp
    >>> network = cp.network("asia")
    >>> codes = cp.sample(network, n=1000, seed=1)
    >>> learned = cp.hill_climb(codes, score="bdeu", ess=1.0)
    >>> cp.shd(learned, network.dag, "fu2005") < 16
    True
    >>> values = np.random.default_rng(1).normal(size=(500, 3)).cumsum(axis=1)
    >>> model = cp.fit(values, "eqfreq3")
"""

from importlib import import_module
from typing import Any

DISTRIBUTION = "bn-cutpoint"  # under which the package is installed
_HOMES = {
    "cutpoint.api": (
        *("boss", "certify", "discretize", "edge_confidence", "encode", "exact", "fit", "ges", "hill_climb", "learn"),
        *("methods", "order_search", "pc", "policy_score", "posterior", "score", "tabu"),
    ),
    "cutpoint.base.errors": ("InputError",),
    "cutpoint.discretization.encoding": ("cardinalities",),
    "cutpoint.discretization.thresholds": ("Thresholds",),
    "cutpoint.graphs.dags": ("is_dag", "markov_blanket"),
    "cutpoint.graphs.metrics": ("rates", "shd"),
    "cutpoint.graphs.patterns": ("consistent_extension", "cpdag"),
    "cutpoint.knowledge.knowledge": ("Knowledge",),
    "cutpoint.learners.greedy": ("Search",),
    "cutpoint.learners.learned": ("Learned",),
    "cutpoint.learners.scores": ("LocalScore", "network_score"),
    "cutpoint.models.effects": ("Effects",),
    "cutpoint.models.reading": ("read_model",),
    "cutpoint.models.model": ("Model",),
    "cutpoint.networks.network": ("Network", "network", "network_names", "read_network", "sample", "write_network"),
    "cutpoint.data.table": ("Table",),
    "cutpoint.data.user_table": ("read_data",),
    "cutpoint.bench.report.runs": ("edges", "results"),
    "cutpoint.networks.random_networks": ("random_network",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version(DISTRIBUTION)
        except PackageNotFoundError:  # of a bare source tree
            return "unknown"
    if name not in _HOME_OF:
        raise AttributeError(f"module 'cutpoint' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__

"""The parts of methods: plain tables from a name to the path of its function.

A function is named ``module:function`` or ``path/to/file.py:function`` and imported when it is used,
so that a job imports what it needs and a change in one method leaves the results of the others alone.
"""

from collections.abc import Mapping

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest

# values [N, n], discrete [n] -> thresholds
DISCRETIZERS = {
    "equal_width": "cutpoint.discretization.binning:equal_width",
    "equal_frequency": "cutpoint.discretization.binning:equal_frequency",
    "hartemink": "cutpoint.discretization.hartemink:hartemink",
    "ruichu": "cutpoint.discretization.mixtures:ruichu",
    "kmeans": "cutpoint.discretization.kmeans:kmeans",
    "mdl_histogram": "cutpoint.discretization.mdl_histogram:mdl_histogram",
    "bayesian_blocks": "cutpoint.discretization.bayesian_blocks:bayesian_blocks",
    "density_ladder": "cutpoint.discretization.density_ladder:density_ladder",
    "sturges": "cutpoint.discretization.histogram_rules:sturges",
    "scott": "cutpoint.discretization.histogram_rules:scott",
    "freedman_diaconis": "cutpoint.discretization.histogram_rules:freedman_diaconis",
}
# codes [N, n], cardinalities [n] -> LocalScore
SCORES = {
    "bdeu": "cutpoint.learners.scores:bdeu",
    "bic": "cutpoint.learners.scores:bic",
    "aic": "cutpoint.learners.scores:aic",
    "mdl": "cutpoint.learners.scores:mdl",
    "k2": "cutpoint.learners.scores:k2",
    "fnml": "cutpoint.learners.scores:fnml",
    "ll": "cutpoint.learners.scores:log_likelihood",
}
# values [N, n], discrete [n] -> LocalScore, without a discretization
CONTINUOUS_SCORES = {
    "kgv": "cutpoint.learners.kgv:kgv",
    "gaussian_bic": "cutpoint.learners.gaussian:gaussian_bic",
    "bge": "cutpoint.learners.bge:bge",
    "degenerate_gaussian": "cutpoint.learners.degenerate_gaussian:degenerate_gaussian",
    "conditional_gaussian": "cutpoint.learners.conditional_gaussian:conditional_gaussian",
    "copula": "cutpoint.learners.normal_scores:copula",
    "polynomial": "cutpoint.learners.normal_scores:polynomial",
}
# LocalScore -> Search
LEARNERS = {
    "hill_climbing": "cutpoint.learners.greedy:hill_climbing",
    "tabu": "cutpoint.learners.greedy:tabu",
    "order_search": "cutpoint.learners.order:order_search",
    "boss": "cutpoint.learners.boss:boss",
    "ges": "cutpoint.learners.ges:ges",
    "exact": "cutpoint.learners.exact:exact",
    "k2_search": "cutpoint.learners.k2_search:k2_search",
}
# codes [N, n], cardinalities [n] -> Learned, without a score
DISCRETE_PATTERN_LEARNERS = {"pc_g2": "cutpoint.learners.constraint:pc_g2"}
# values [N, n], discrete [n] -> Learned, without a score
PATTERN_LEARNERS = {
    "pc_fisherz": "cutpoint.learners.constraint:pc_fisherz",
    "pc_rank": "cutpoint.learners.rank_pc:pc_rank",
    "pc_copula": "cutpoint.learners.copula_pc:pc_copula",
    "miic": "cutpoint.discretization.miic:miic",
}
# values [N, n], discrete [n], search, first thresholds and knowledge of arcs where it takes them -> Learned
INTEGRATED = {
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
    "chen": "cutpoint.discretization.chen:chen",
    "vogel": "cutpoint.discretization.vogel:vogel",
    "mdlp": "cutpoint.discretization.supervised:mdlp",
    "modl": "cutpoint.discretization.supervised:modl",
    "nml": "cutpoint.discretization.supervised:nml",
    "consensus": "cutpoint.discretization.consensus:consensus",
    "latent": "cutpoint.discretization.latent:latent",
}


def lookup(table: Mapping[str, str], name: str, what: str) -> str:
    """Return the path of the function of a name; a name with a colon is a path already.

    An InputError has the names of the table and the nearest one.
    """
    if not isinstance(name, str):
        raise InputError(f"{what}: one name is expected, not {name!r} (known: {', '.join(table)})")
    if ":" in name:
        return name
    if name not in table:
        raise InputError(f"unknown {what} {name!r}{suggest(name, table)}")
    return table[name]

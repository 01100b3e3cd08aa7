"""The best thresholds of one variable by the discretizer of the exact methods, for tests."""

import numpy as np

from cutpoint.discretization.exact import Exact
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.objectives import bdeu_family, log_density, policy_score
from cutpoint.discretization.rules import RULES


def exact(values, discrete, name, **options):
    return Exact(values, discrete, RULES[name].kernel, RULES[name].accepts, **options)


def best_thresholds(values, dag, thresholds, variable, name, *, ess=1.0, discrete=None, **options):
    """Thresholds and scores of 1, 2, ... levels, all other variables held; higher is better.

    The score is minus the description length, S_Lambda of the variable (Monti) or L_P (Steck).
    """
    discrete = np.zeros(values.shape[1], bool) if discrete is None else discrete
    method = exact(values, discrete, name, ess=ess, **options)
    policy, graph = Discretization(values, thresholds), Neighbourhood(dag)
    view = method.view(variable, graph.families[variable], policy)
    best = []
    for positions in method.lists(variable, view, policy)[0]:
        cuts = method.columns.cuts(variable, positions)
        policy.replace(variable, cuts)
        if name == "monti":
            families = (variable, *graph.children[variable])
            score = log_density(policy.values[:, variable], cuts) + sum(
                bdeu_family(policy.codes.T, policy.levels, j, np.flatnonzero(graph.dag[:, j]), ess) for j in families
            )
        else:
            score = policy_score(values, policy.thresholds, graph.dag, name, ess=ess, discrete=discrete)
        best.append((cuts, -score if name == "friedman" else score))
    return best

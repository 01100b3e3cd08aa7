"""Scores against those of bnlearn's C core and of Tetrad, in environments of their own; else skipped.

Hill climbing and Hartemink's discretization, too.
"""

import json
import math

import environments
import numpy as np
import peer_scores
import pytest
from families import dependent
from references import random_dag

from cutpoint.discretization.hartemink import hartemink
from cutpoint.learners import scores
from cutpoint.learners.conditional_gaussian import conditional_gaussian
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.normal_scores import bge, degenerate_gaussian, gaussian_bic
from cutpoint.learners.scores import network_score

LEVELS = (2, 3, 4, 2, 3)
N = len(LEVELS)
EMPTY = np.zeros((N, N), bool)
MIXED = [None, 3, None, 2, None]
DISCRETE = {
    "bde": (lambda codes, levels: scores.bdeu(codes, levels, ess=7.0), {"iss": 7}),
    "bic": (scores.bic, {}),
    "aic": (scores.aic, {}),
    "loglik": (scores.log_likelihood, {}),
    "k2": (scores.k2, {}),
    "fnml": (scores.fnml, {}),
}


def values_of(seed, records):
    """Return linear data with other means and units, float64 [records, N]."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((records, N)).cumsum(axis=1) * [1, 3, 0.2, 1, 9] + [0, 5, -1, 100, 0]


def case(columns, levels, score, dags=(), **options):
    some = {"dags": [dag.astype(int).tolist() for dag in dags]} if dags else {}
    return some | {"columns": columns.T.tolist(), "levels": levels, "score": score, "options": options}


def mixed_values(seed, records):
    """Return numbers of which columns 1 and 3 are levels 0, 1, 2 and 0, 1, and follow each other."""
    values = values_of(seed, records)
    values[:, 1] = np.digitize(values[:, 1], [4.0, 7.0])
    values[:, 3] = values[:, 3] > 100
    return values


def untied(numbers):
    """Return the data sets with more records: of a few, many losses of Hartemink's are equal, the first one wins."""
    return [(n, values) for n, values in numbers.items() if n > 100]


def without_numbers_before_levels(dag):
    """Return a graph without the arcs from columns of numbers to those of levels."""
    coded = np.array([levels is not None for levels in MIXED])
    return dag & ~np.outer(~coded, coded)


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return a function that asks a program for cases."""

    def ask(name, cases):
        folder = tmp_path_factory.mktemp(name)
        (folder / "cases.json").write_text(json.dumps(cases))
        return environments.ask(name, folder / "env", peer_scores.__file__, name, folder / "cases.json")

    return ask


@pytest.fixture(scope="module")
def bnlearn(answers):
    """Data sets, graphs, and bnlearn's scores of them by name and number of records."""
    rng = np.random.default_rng(5)
    dags = [EMPTY, *(random_dag(rng, N) for _ in range(5))]
    coded = {n: dependent(n, n, LEVELS) for n in (40, 400, 1000)}
    numbers = {n: values_of(n, n) for n in (40, 400, 1000)}
    cases = {
        (name, n): case(codes, levels.tolist(), name, dags, **options)
        for n, (codes, levels) in coded.items()
        for name, (_, options) in DISCRETE.items()
    }
    cases |= {(name, n): case(x, [None] * N, name, dags) for n, x in numbers.items() for name in ("bge", "bic-g")}
    cases |= {
        ("bic-cg", n): case(mixed_values(n, n), MIXED, "bic-cg", map(without_numbers_before_levels, dags))
        for n in numbers
    }
    cases |= {("hartemink", n): case(x, [None] * N, "hartemink", breaks=3, ibreaks=20) for n, x in untied(numbers)}
    cases |= {("hc", n): case(codes, levels.tolist(), "bde", iss=1) for n, (codes, levels) in coded.items()}
    by_case = dict(zip(cases, answers("bnlearn-port", list(cases.values())), strict=True))
    return dags, coded, numbers, by_case


@pytest.mark.parametrize("name", DISCRETE)
def test_scores_of_codes_are_those_of_bnlearn(bnlearn, name):
    dags, coded, _, by_case = bnlearn
    for n, (codes, levels) in coded.items():
        ours = DISCRETE[name][0](codes, levels)
        assert [network_score(ours, dag) for dag in dags] == pytest.approx(by_case[name, n], rel=1e-10)


def test_bge_is_that_of_bnlearn(bnlearn):
    dags, _, numbers, by_case = bnlearn
    for n, values in numbers.items():
        ours = bge(values, np.zeros(N, bool))
        assert [network_score(ours, dag) for dag in dags] == pytest.approx(by_case["bge", n], rel=1e-10)


def test_gaussian_bic_is_that_of_bnlearn_with_unbiased_variances(bnlearn):
    dags, _, numbers, by_case = bnlearn
    for n, values in numbers.items():
        ours = gaussian_bic(values, np.zeros(N, bool))
        for dag, theirs in zip(dags, by_case["bic-g", n], strict=True):
            free = n - dag.sum(0) - 1  # bnlearn divides the squares of a node by them, the maximum is at the records
            change = sum(n / 2 * math.log(each / n) + (n - each) / 2 for each in free)
            assert network_score(ours, dag) + change == pytest.approx(theirs, rel=1e-10)


def test_conditional_gaussian_is_that_of_bnlearn(bnlearn):
    dags, _, numbers, by_case = bnlearn
    for n in numbers:
        score = conditional_gaussian(mixed_values(n, n), np.array([levels is not None for levels in MIXED]))
        ours = [network_score(score, without_numbers_before_levels(dag)) for dag in dags]
        assert ours == pytest.approx(by_case["bic-cg", n], rel=1e-10)


def test_hill_climbing_ends_where_that_of_bnlearn_does(bnlearn):
    _, coded, _, by_case = bnlearn
    for n, (codes, levels) in coded.items():
        score = scores.bdeu(codes, levels, ess=1.0)
        theirs = network_score(score, np.array(by_case["hc", n], bool))
        assert network_score(score, hill_climbing(score).dag) == pytest.approx(theirs, rel=1e-10)


def test_thresholds_of_hartemink_are_those_of_bnlearn(bnlearn):
    _, _, numbers, by_case = bnlearn
    for n, values in untied(numbers):
        ours = hartemink(values, np.zeros(N, bool), bins=3, initial=20)
        for mine, theirs in zip(ours, by_case["hartemink", n], strict=True):
            assert mine.tolist() == pytest.approx(theirs, rel=1e-12)


def test_degenerate_gaussian_is_half_that_of_tetrad_but_for_a_constant(answers):
    rng = np.random.default_rng(2)
    dags = [EMPTY, *(random_dag(rng, N) for _ in range(5))]
    data = [(values_of(2, 300), [None] * N), (mixed_values(3, 300), MIXED)]
    cases = [case(values, levels, "DegenerateGaussianScore", dags, penalty=1) for values, levels in data]
    for (values, levels), theirs in zip(data, answers("tetrad", cases), strict=True):
        score = degenerate_gaussian(values, np.array([each is not None for each in levels]))
        ours = np.array([network_score(score, dag) for dag in dags])
        assert 2 * (ours - ours[0]) == pytest.approx(np.array(theirs) - theirs[0], rel=1e-10)

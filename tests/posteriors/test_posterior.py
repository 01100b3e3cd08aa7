"""Draws from the posterior against enumeration, and what `cp.posterior` says of them."""

import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from references import enumerate_dags
from scipy.stats import chisquare

import cutpoint as cp
from cutpoint.discretization.thresholds import short
from cutpoint.graphs.dags import topological_order
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.best_kind import Kept
from cutpoint.learners.normal_scores import copula
from cutpoint.learners.scores import bdeu
from cutpoint.posteriors.chains import STEPS, ChainTarget, GraphChain, draw_graphs
from cutpoint.posteriors.families import FamilyTables
from cutpoint.posteriors.kinds import Logistic, Polynomials, _hermite, smooth
from cutpoint.posteriors.thresholds import CutGrid


def candidates_of(n):
    return np.array([[j for j in range(n) if j != i] for i in range(n)])


def arcs_of(n):
    allowed, required = ~np.eye(n, dtype=bool), np.zeros((n, n), bool)
    required[0, 2], allowed[2, 0], allowed[3, 1] = True, False, False
    return Arcs(allowed, required, "abcd", max_parents=2)


@pytest.mark.parametrize("arcs", [None, arcs_of(4)], ids=["free", "knowledge"])
@pytest.mark.parametrize(("whole", "block"), [(4, 4), (3, 3), (3, 2)])
def test_graphs_are_as_frequent_as_probable(arcs, whole, block, monkeypatch):
    rng, n, draws = np.random.default_rng(1), 4, 40_000
    monkeypatch.setattr("cutpoint.posteriors.chains.WHOLE", whole)
    monkeypatch.setattr("cutpoint.posteriors.chains.BLOCK", block)
    codes = rng.integers(0, 3, (100, n))
    codes[:, 1] = (codes[:, 0] + (rng.random(100) < 0.7)) % 3
    score = bdeu(codes, np.full(n, 3))
    families = FamilyTables(candidates_of(n), 3, 3)
    table = families.levels(codes.astype(np.uint16), np.full(n, 3), 1.0)
    np.testing.assert_allclose(table, families.table(Kept(score)), atol=1e-9)
    weights = 0.1 * table + families.log_prior(arcs)
    dags = np.array([*enumerate_dags(n)])
    logs = np.array([weights[np.arange(n), families.masks(dag)].sum() for dag in dags])
    probable = np.exp(logs - np.logaddexp.reduce(logs))
    if arcs is not None:
        honoured = dags[:, 0, 2] & ~dags[:, 2, 0] & ~dags[:, 3, 1] & (dags.sum(axis=1) <= 2).all(axis=1)
        assert (honoured == (probable > 0)).all()
    drawn = draw_graphs(weights, families.candidates, dags[probable.argmax()], draws, rng)
    place = {dag.tobytes(): k for k, dag in enumerate(dags)}
    frequent = np.bincount([place[dag.tobytes()] for dag in drawn], minlength=len(dags)) / len(drawn)
    np.testing.assert_allclose(frequent, probable, atol=0.01)


def test_one_parent_more_is_half_as_probable():
    families = FamilyTables(candidates_of(5), 4, 4)
    shares = [np.exp(families.log_prior(None)[:, families.sizes == size]).sum(axis=1) for size in range(5)]
    np.testing.assert_allclose(shares, np.repeat([[1], [1 / 2], [1 / 4], [1 / 8], [1 / 16]], 5, axis=1))


def test_a_logistic_regression_on_states_has_the_likelihood_of_their_table():
    rng = np.random.default_rng(9)
    codes = rng.integers(0, 3, (200, 2))
    codes[:, 1] = np.where(rng.random(200) < 0.4, codes[:, 0], codes[:, 1])
    states, pairs = np.ones(2, bool), np.ones((2, 2), bool)
    table = np.array([[((codes[:, 0] == a) & (codes[:, 1] == b)).sum() for b in range(3)] for a in range(3)])
    ratio = float((table * np.log(table * 200 / np.outer(table.sum(1), table.sum(0)))).sum())
    penalty = 0.5 * 4 * math.log(200) * 200 / (200 - 4 - 2)
    assert Logistic(codes.astype(float), states, pairs).family(1, [0]) == pytest.approx(ratio - penalty, abs=0.05)


def test_records_that_count_half_are_half_as_many():
    n, chains = 4, []
    x, families = np.random.default_rng(7).random((40, n)).cumsum(axis=1), FamilyTables(candidates_of(n), 3, 3)
    for values, power in ((x, 1.0), (np.repeat(x, 2, axis=0), 0.5)):
        grids = {i: CutGrid.of(values[:, i], np.quantile(x[:, i], np.linspace(0.1, 0.9, 9))) for i in range(n)}
        free = grids, np.zeros(values.shape, np.uint16), np.ones(n, np.int64), np.zeros(n, bool)
        target = ChainTarget(families, {}, families.log_prior(None), *free, 1.0, 3, power, ~np.eye(n, dtype=bool))
        chains.append(GraphChain(target, np.zeros((n, n), bool), np.random.default_rng(8), 1, 2, STEPS))
        chains[-1].go_on(40)
    np.testing.assert_allclose(*(chain.tables for chain in chains))
    first, second = ([str((draw.dag, draw.cuts)) for draw in chain.draws] for chain in chains)
    assert first == second


def test_thresholds_and_graphs_are_as_frequent_as_probable():
    rng, n, bins, draws = np.random.default_rng(2), 2, 6, 4000
    x = rng.random((60, n))
    x[:, 1] = np.where(rng.random(60) < 0.5, (x[:, 0] > 0.4) * 0.5 + rng.random(60) / 2, x[:, 1])
    edges, families = np.linspace(0, 1, bins + 1), FamilyTables(candidates_of(n), 1, 1)
    lines, half = families.table(Kept(copula(x, np.zeros(n, bool)))), math.log(0.5)
    grids = {i: CutGrid.of(x[:, i], edges[1:-1], edges) for i in range(n)}
    free = np.zeros(x.shape, np.uint16), np.ones(n, np.int64)
    prior, pairs = families.log_prior(None), ~np.eye(n, dtype=bool)
    target = ChainTarget(families, {"lines": lines}, prior, grids, *free, np.zeros(n, bool), 1.0, 3, 1.0, pairs)
    cuts = [np.array(each) for k in (1, 2) for each in combinations(range(1, bins), k)]
    dags, logs = [*enumerate_dags(n)], []
    for pair in product(cuts, repeat=n):
        codes = np.column_stack([grids[i].codes(each) for i, each in enumerate(pair)])
        score = bdeu(codes, np.array([len(each) + 1 for each in pair]))
        mixed = np.logaddexp(lines + half, families.table(Kept(score)) + half) + target.prior
        density = 0.0
        for i, each in enumerate(pair):
            widths = np.diff(edges[[0, *each, bins]])
            held = np.bincount(codes[:, i], minlength=len(widths)) @ np.log(widths)
            density += score.family(i, ()) - held - math.log(math.comb(bins - 1, len(each)))
        logs.append([density + mixed[np.arange(n), families.masks(dag)].sum() for dag in dags])
    probable = np.exp(logs - np.logaddexp.reduce(np.ravel(logs)))
    chain = GraphChain(target, np.zeros((n, n), bool), np.random.default_rng(3), 1, 1, STEPS)
    chain._draw_shares = lambda kinds: None  # which stay one half
    chain.go_on(draws)
    frequent = np.mean([[(draw.dag == dag).all() for dag in dags] for draw in chain.draws], axis=0)
    np.testing.assert_allclose(frequent, probable.sum(axis=0), atol=0.03)
    of_cuts = probable.sum(axis=1).reshape(len(cuts), len(cuts))
    for i in range(n):
        frequent = [np.mean([np.array_equal(draw.cuts[i], each) for draw in chain.draws]) for each in cuts]
        np.testing.assert_allclose(frequent, of_cuts.sum(axis=1 - i), atol=0.03)


def test_ranks_of_thresholds_are_uniform_under_the_prior():
    """Simulation-based calibration (Talts et al. 2018): 256 bins, up to four levels, graphs of three variables."""
    n, records, bins, most, ess, ranks = 3, 100, 256, 4, 4.0, []
    families, none = FamilyTables(candidates_of(n), 2, 2), np.zeros((n, n), bool)
    prior, edges = families.log_prior(None), np.linspace(0, 1, bins + 1)
    for seed in range(80):
        rng = np.random.default_rng([8, seed])
        dag = draw_graphs(prior, families.candidates, none, 20, rng)[-1]
        cuts = [np.sort(rng.choice(np.arange(1, bins), rng.integers(1, most), replace=False)) for _ in range(n)]
        x, codes, sizes = np.zeros((records, n)), np.zeros((records, n), int), [len(each) + 1 for each in cuts]
        for i in topological_order(dag):
            of = np.flatnonzero(dag[:, i])
            joint = codes[:, of] @ (most ** np.arange(len(of)))
            cells = np.prod([sizes[p] for p in of])
            table = rng.dirichlet(np.full(sizes[i], ess / cells / sizes[i]), most ** len(of)).cumsum(axis=1)
            codes[:, i] = (rng.random(records)[:, None] > table[joint, :-1]).sum(axis=1)
            ends = edges[[0, *cuts[i], bins]]
            x[:, i] = ends[codes[:, i]] + rng.random(records) * np.diff(ends)[codes[:, i]]
        grids = {i: CutGrid.of(x[:, i], edges[1:-1], edges) for i in range(n)}
        free = np.zeros(x.shape, np.uint16), np.ones(n, np.int64), np.zeros(n, bool)
        target = ChainTarget(families, {}, prior, grids, *free, ess, most, 1.0, ~np.eye(n, dtype=bool))
        chain = GraphChain(target, none, rng, 1, 1, STEPS)
        chain.go_on(55)
        drawn = [draw.cuts[0].mean() + 1e-6 * rng.random() for draw in chain.draws[14::5]]
        ranks.append(np.searchsorted(np.sort(drawn), cuts[0].mean() + 1e-6 * rng.random()))
    assert len(drawn) == 9
    assert chisquare(np.bincount(ranks, minlength=10)).pvalue > 0.01


def test_what_is_sure_has_an_interval_and_what_is_not_said_to_be(tmp_path):
    rng = np.random.default_rng(4)
    a = rng.standard_normal(500)
    b = np.where((a > 0.3) ^ (rng.random(500) < 0.1), 2.0, -2.0) + rng.standard_normal(500)
    frame = pd.DataFrame({"a": a, "b": b, "c": b + rng.standard_normal(500), "d": rng.choice(["x", "y"], 500)})
    sure = (learned := cp.posterior(frame, seed=1)).uncertainty
    assert [edge[:2] for edge in learned.edges()] == [("a", "b"), ("b", "c")]
    assert sure.edges.adjacent[0, 1] > 0.9 > 0.2 > sure.edges.adjacent[0, 3]
    assert sure.kinds["levels"][0] + sure.kinds["levels"][1] > 0.9
    low, _, _, high = sure.intervals[0].T
    assert (low <= 0.3).any()
    assert ((low <= learned.thresholds[0]) & (learned.thresholds[0] <= high)).all()
    assert sure.diagnostics.converged
    turned = cp.posterior(frame.assign(a=-3 * frame["a"]).iloc[::-1, ::-1], seed=1)
    np.testing.assert_allclose(turned.uncertainty.edges.adjacent[::-1, ::-1], sure.edges.adjacent)
    np.testing.assert_allclose(turned.uncertainty.intervals[3], -3 * sure.intervals[0][::-1, ::-1])
    effects, back = sure.effects, turned.uncertainty.effects[:, ::-1, ::-1]
    assert effects[0, 1, 2] == pytest.approx(0.9, abs=0.1)
    np.testing.assert_allclose(back[:, 1, 2], effects[:, 1, 2])
    np.testing.assert_allclose(back[:, 0, 1], -effects[[0, 2, 1], 0, 1])
    model = learned.fit(frame)
    assert model.confidence is not None
    np.testing.assert_array_equal(model.intervals["a"], sure.intervals[0])
    model.write(tmp_path / "model.json")
    read = cp.read_model(tmp_path / "model.json")
    assert [*read.intervals] == [*model.intervals]
    read.write(tmp_path / "model.html")
    assert f'"intervals":[["{short(sure.intervals[0][0])[0]}",' in (tmp_path / "model.html").read_text()
    for i, j in np.argwhere(model.dag).tolist():
        assert np.ptp(model.network.tables[j], axis=model.network.parents[j].index(i)).max() > 1e-3


def test_chains_that_have_not_converged_are_sure_of_nothing():
    learned = cp.posterior(values := np.random.default_rng(5).normal(size=(200, 4)).cumsum(axis=1), sweeps=2, rounds=1)
    assert all("not converged" in note for note in (learned.note, learned.fit(values).note))
    edges, of_any_kind = learned.uncertainty.edges, sum(learned.uncertainty.kinds.values())
    assert edges.adjacent.max() == pytest.approx(max(0.9, of_any_kind.max()))
    np.testing.assert_allclose(edges.directed + edges.directed.T + edges.undirected, edges.adjacent, atol=1e-12)
    with pytest.raises(cp.InputError, match="41 variables, and 40 is the most; leave some"):
        cp.posterior(np.random.default_rng(6).standard_normal((60, 41)))
    many = cp.Knowledge(required=[(f"x{i}", "x0") for i in range(1, 14)])
    with pytest.raises(cp.InputError, match="13 required parents of one, and 12 is the most; leave some"):
        cp.posterior(np.random.default_rng(6).standard_normal((60, 14)), knowledge=many)


def test_polynomials_have_the_density_of_a_gaussian_process():
    """By the covariance of the records, with the variance of noise integrated out."""
    values = np.random.default_rng(4).normal(size=(60, 4))
    values[:, 3] += values[:, :3].prod(axis=1)
    score, powers = Polynomials(values, np.zeros(4, bool), 60.0), [_hermite(column) for column in values.T]
    of = [d for d in product(range(5), repeat=3) if 0 < sum(d) < 5 and (0 in d or sum(d) == 3)]
    rows = np.array([math.prod(powers[i][k - 1] for i, k in enumerate(d) if k) for d in of])
    rows -= rows.mean(axis=1, keepdims=True)
    spread, logs, z = 0.5 ** (np.sum(of, axis=1) - 1), [], powers[3][0]
    for scale, most in product((0.03, 0.3, 3.0), (4, 1)):  # all powers, and products of the parents alone
        covariance = np.eye(60) + (rows.T * scale * spread * (np.max(of, axis=1) <= most)) @ rows
        told = z @ np.linalg.solve(covariance, z) / 60
        logs.append(-np.linalg.slogdet(covariance)[1] / 2 - 30 * math.log(told))
    assert score.family(3, (0, 1, 2)) == pytest.approx(np.logaddexp.reduce(logs) - math.log(6))
    assert score.family(3, (0, 1, 2)) > max(score.family(3, pair) for pair in combinations(range(3), 2)) + 1


def test_curves_of_many_parents_are_looked_at_where_those_of_few_tell_more_than_lines():
    values = np.random.default_rng(2).standard_normal((400, 6))
    values[:, 5] += values[:, :5].sum(axis=1)
    families = FamilyTables(candidates_of(6), 5, 5)
    for bent in (False, True):
        values[:, 5] += bent * 2 * values[:, 2] ** 2
        curves = smooth(values, np.zeros(6, bool), families, 1.0)[0]["polynomials"]
        assert (curves[:, families.sizes <= 4] > -np.inf).all()  # as many as a product may have
        assert np.isfinite(curves[5, families.sizes == 5]).all() == bent


def test_steps_hide_as_much_of_curves_as_of_lines():
    """Curves of answers are lines behind them, and would tell more only if each step counted as a value."""
    answers = np.digitize(np.random.default_rng(3).standard_normal((1000, 3)).cumsum(axis=1), [-1.5, -0.5, 0.5, 1.5])
    tables, left = smooth(answers.astype(float), np.zeros(3, bool), FamilyTables(candidates_of(3), 2, 2), 1.0)
    assert left < 0.9
    assert (tables["lines"] >= tables["polynomials"]).all()
    assert tables["lines"][2, 2] > tables["lines"][2, 3] > tables["lines"][2, 1] + 100  # behind x1, x0 tells nothing

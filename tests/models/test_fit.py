"""Fitted networks: tables, queries and likelihoods against pyAgrum, enumeration and the held-out likelihood."""

import pickle
import subprocess
import sys
from itertools import product

import numpy as np
import pandas as pd
import pyagrum as gum
import pytest
from references import joint_of

import cutpoint as cp
from cutpoint.bench.evaluation.held_out import HeldOut
from cutpoint.models.fitting import completed, fewer_parents

N = 300


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    weight = rng.normal(3000, 500, N)
    return pd.DataFrame(
        {
            "mpg": 60 - weight / 100 + rng.normal(0, 3, N),
            "we ight": weight,
            "cyl": np.where(weight > 3300, 8, np.where(weight > 2700, 6, 4)),
            "origin": np.where(rng.random(N) < 0.5, "USA", "é/x y"),
        }
    )


GRAPH = np.array([[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]], bool)


@pytest.fixture(scope="module")
def learned(frame):
    """A graph with two parents, whatever a search would find."""
    cuts = cp.discretize(frame, "equal_frequency", bins=3)
    return _result(GRAPH, cuts)


def _result(dag, cuts):
    from cutpoint.models.fitting import Result

    return Result(dag=dag, cpdag=cp.cpdag(dag), thresholds=cuts, variables=cuts.variables)


@pytest.fixture(scope="module")
def model(learned, frame):
    return learned.fit(frame, ess=2.0)


def test_tables_against_pyagrum(model, frame):
    peer = model.to_pyagrum()
    learner = gum.BNLearner(frame.assign(cyl=frame.cyl.astype(str)), peer)
    learner.useBDeuPrior(2.0)
    fitted = learner.learnParameters(peer)
    for name in model.variables:
        np.testing.assert_allclose(fitted.cpt(name).toarray(), peer.cpt(name).toarray(), atol=1e-12)


def test_queries_in_original_units_against_enumeration(model):
    evidence = {"mpg": 31.7, "origin": "USA"}
    codes = {0: int(np.searchsorted(model.thresholds[0], 31.7, side="right")), 3: 0}
    table = joint_of(model.network)[codes[0], :, :, 0].sum(0)
    answer = model.query("cyl", evidence)
    np.testing.assert_allclose([*answer.values()], table / table.sum(), atol=1e-12)
    assert [*answer] == ["4", "6", "8"]
    named = model.query(["cyl", "we ight"], {"mpg": model.network.states[0][codes[0]], "origin": "USA"})
    assert named["cyl"] == pytest.approx(answer)
    marginal = dict(zip(answer, joint_of(model.network).sum((0, 1, 3)), strict=True))
    assert model.query("cyl") == pytest.approx(marginal, abs=1e-12)
    for value, place in ((-1e9, 0), (1e9, -1)):  # beyond the range of the data
        assert model.query("cyl", {"mpg": value}) == model.query("cyl", {"mpg": model.network.states[0][place]})


def test_predictions_are_means_of_levels_and_states(model, frame):
    shares = model.probabilities(frame, "mpg")
    np.testing.assert_allclose(shares.sum(1), 1)
    codes = cp.encode(frame, model.thresholds)
    full = joint_of(model.network)[:, codes[5, 1], codes[5, 2], codes[5, 3]]
    np.testing.assert_allclose(shares[5], full / full.sum(), atol=1e-12)
    means = frame.groupby(codes[:, 0]).mpg.mean().to_numpy()
    np.testing.assert_allclose(model.predict(frame, "mpg"), shares @ means)
    one = {"we ight": 3400.0}
    answer = model.query("cyl", one)
    assert model.predict(one, "cyl") == max(answer, key=answer.get)
    alone = [model.predict({"we ight": x}, "cyl") for x in frame["we ight"][:3]]
    assert model.predict(frame[["we ight"]], "cyl").tolist()[:3] == alone
    assert model.predict(frame.assign(mpg=0.0), "mpg") == pytest.approx(model.predict(frame, "mpg"))


def test_the_log_likelihood_is_that_of_the_held_out_evaluator(learned, frame):
    """With the evaluator's own tables, both densities are the same; with Dirichlet tables nearly so."""
    from dataclasses import replace

    cuts = learned.thresholds
    values = cuts.read(frame)
    held = np.arange(N) % 5 == 0
    evaluator = HeldOut(values[~held], values[held], cuts.discrete, cp.cardinalities(cuts))
    expected = evaluator.log_density(GRAPH, evaluator.levels(cuts))
    model = learned.fit(frame[~held], ess=1.0)
    assert abs(model.log_likelihood(frame[held]).mean() - expected.mean()) < 0.05
    codes = cp.encode(frame[~held], cuts)
    tables = []
    for child, parents in enumerate(model.network.parents):
        name, masses = model.variables[child], None
        r = len(model.network.states[child])
        if name in model.scales:
            masses = model.scales[name].density.masses(cuts[child])
        else:
            masses = (np.bincount(codes[:, child], minlength=r) + 1 / r) / (len(codes) + 1)
        table = np.empty_like(model.network.tables[child])
        for cell in product(*(range(size) for size in table.shape[:-1])):
            inside = np.all([codes[:, i] == k for i, k in zip(parents, cell, strict=True)], axis=0)
            alone = (np.bincount(codes[:, child], minlength=r) + masses) / (len(codes) + 1)
            counts = np.bincount(codes[np.ones(len(codes), bool) & inside, child], minlength=r)
            own = (counts + alone) / (counts.sum() + 1)
            weighted = own if name in model.scales else masses * own / alone  # the model weighs levels of values itself
            table[cell] = weighted / weighted.sum() if parents else masses
        tables.append(table)
    same = replace(model, network=replace(model.network, tables=tuple(tables)))
    np.testing.assert_allclose(same.log_likelihood(frame[held]), expected, atol=1e-9)


def test_samples_have_the_marginals_of_the_model(model):
    n = 20_000
    drawn = model.sample(n, seed=5)
    assert list(drawn.variables) == model.variables
    codes = cp.encode(drawn, model.thresholds)
    exact = joint_of(model.network)
    for i in range(4):
        shares = np.bincount(codes[:, i], minlength=exact.shape[i]) / n
        expected = exact.sum(tuple({*range(4)} - {i}))
        # five standard errors of a share; 11 shares, so that a right sampler fails once in 100,000
        assert (np.abs(shares - expected) <= 5 * np.sqrt(expected * (1 - expected) / n)).all()
    density = model.scales["mpg"].density
    values = np.sort(drawn.values[:, 0])
    within = values[: (codes[:, 0] == 0).sum()]
    shares = density.masses(np.sort(within))[:-1].cumsum() / density.masses(model.thresholds[0])[0]
    steps = (np.arange(len(within)) + 0.5) / len(within)
    assert np.abs(shares - steps).max() < 1.95 / np.sqrt(len(within))  # Kolmogorov's test at 0.001
    assert model.sample(3, seed=5) == model.sample(3, seed=5)


def test_a_sample_is_learned_from_with_the_same_roles(model):
    drawn = model.sample(400, seed=1)
    again = cp.learn(drawn, "eqfreq3")
    assert again.thresholds.states["cyl"] == ("4", "6", "8")
    assert {*again.thresholds.states} == {"cyl", "origin"}


def test_a_pattern_becomes_a_member_and_says_so(frame):
    learned = cp.pc(frame[["mpg", "we ight"]])
    cuts = cp.discretize(frame[["mpg", "we ight"]], "equal_frequency", bins=3)
    model = learned.fit(frame[["mpg", "we ight"]], thresholds=cuts)
    assert model.note == "one member of the learned pattern, whose 1 undirected edge may point either way"
    assert "note: one member" in repr(model)
    assert np.array_equal(cp.cpdag(model.dag), learned.cpdag)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda m, f: m.query("mgp"), "unknown variable 'mgp'; did you mean 'mpg'"),
        (lambda m, f: m.query("mpg", {"mpg": 3.0}), "mpg is target and evidence"),
        (lambda m, f: cp.learn(f, "gaussian_bic").fit(f), "the method has no thresholds"),
        (lambda m, f: cp.learn(f, "eqfreq3").fit(f, ess=0), "ess: a number above 0"),
        (lambda m, f: m.write("x.docx"), "x.docx: the ending names the format"),
        (lambda m, f: cp.read_model("/none/x.bif"), "no such file"),
        (lambda m, f: m.write("/none/x.bif"), "cannot be written"),
    ],
)
def test_bad_input_is_named_in_one_line(model, frame, call, text):
    with pytest.raises(cp.InputError, match=text) as raised:
        call(model, frame)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("ending", ["bif", "xmlbif", "bifxml", "xml", "xdsl", "net", "uai", "json"])
def test_files_come_back(model, frame, tmp_path, ending):
    model.write(tmp_path / f"m.{ending}")
    read = cp.read_model(tmp_path / f"m.{ending}")
    for one, other in zip(read.network.tables, model.network.tables, strict=True):
        np.testing.assert_array_equal(one, other)
    if ending == "uai":
        return
    assert read.thresholds == model.thresholds
    assert (read.network.variables, read.network.states) == (model.network.variables, model.network.states)
    assert read.query("cyl", {"mpg": 31.7}) == model.query("cyl", {"mpg": 31.7})
    np.testing.assert_array_equal(read.predict(frame, "mpg"), model.predict(frame, "mpg"))
    assert read.scales["mpg"].greatest == frame.mpg.max()
    if ending == "json":
        assert (read.ess, read.records, read.note) == (2.0, N, "")
        np.testing.assert_allclose(read.log_likelihood(frame), model.log_likelihood(frame), rtol=1e-12)
        assert read.sample(5, seed=1) == model.sample(5, seed=1)
    else:
        with pytest.raises(cp.InputError, match="no density within levels"):
            read.sample(1)


def test_pickles_pictures_and_graphs(model, learned):
    again = pickle.loads(pickle.dumps(model))
    assert again.thresholds == model.thresholds
    assert again.query("cyl", {"mpg": 20}) == model.query("cyl", {"mpg": 20})
    back = pickle.loads(pickle.dumps(learned))
    assert repr(back) == repr(learned)
    assert np.array_equal(back.dag, learned.dag)
    for each in (model, learned):
        assert "<svg" in each._repr_svg_()
        assert {*each.to_networkx()} == {*model.variables}
    assert '"we ight" -> "mpg"' in model.to_dot()
    assert "dir=none" in learned.to_dot() or (learned.cpdag == GRAPH).all()
    assert model.to_networkx().nodes["mpg"]["thresholds"] == model.thresholds[0].tolist()
    assert repr(model).splitlines()[0] == (
        "<Model model: 4 variables, 4 arcs, 29 parameters, fitted to 300 records, equivalent sample size 2>"
    )
    assert pd.DataFrame(learned.edges()).columns.tolist() == ["source", "target", "directed"]


def test_nothing_but_its_own_object_needs_pyagrum(frame, tmp_path):
    frame.to_csv(tmp_path / "my.csv", index=False)
    code = """if True:
        import sys
        sys.modules["pyagrum"] = None  # as if it were not installed
        import cutpoint as cp
        from cutpoint.cli import main
        for ending in ("bif", "net", "json"):
            assert not main(["learn", "my.csv", "--method", "eqfreq3", "-o", f"my.{ending}"])
        model = cp.read_model("my.json")
        table = model.sample(50)
        assert model.log_likelihood(table).shape == (50,) and model.to_dot() and model._repr_svg_()
        assert model.query("mpg") and len(model.predict(table, "mpg")) == 50
        try:
            model.to_pyagrum()
        except cp.InputError as problem:
            assert "pip install pyagrum" in str(problem), problem
        else:
            raise AssertionError
    """
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_labels_are_evidence_elsewhere(model, frame):
    names = model.label(frame.iloc[0].to_dict())
    assert names["cyl"] == str(frame.cyl[0])
    assert model.query("origin", {"mpg": names["mpg"]}) == model.query("origin", {"mpg": frame.mpg[0]})
    assert model.label(frame).to_pylist()[0] == names


def test_one_step_is_the_two_steps(frame):
    known = {"knowledge": cp.Knowledge(required=["origin -> mpg"], thresholds={"mpg": [20, 30]})}
    one, two = cp.fit(frame, "eqfreq2", **known), cp.learn(frame, "eqfreq2", **known).fit(frame)
    assert one.thresholds == two.thresholds
    assert one.thresholds[one.variables.index("mpg")].tolist() == [20, 30]
    for a, b in zip(one.network.tables, two.network.tables, strict=True):
        np.testing.assert_array_equal(a, b)
    arrays = cp.fit(frame[["mpg", "we ight"]].to_numpy(), "eqfreq2")
    assert arrays.variables == ["x0", "x1"]
    assert arrays.encode(np.array([[20.0, 3000.0]])).shape == (1, 2)


def test_files_of_others_are_discrete_models(tmp_path):
    asia = cp.network("asia")
    cp.write_network(asia, tmp_path / "asia.bif")
    model = cp.read_model(tmp_path / "asia.bif")
    assert (model.scales, model.records) == ({}, None)
    engine = gum.LazyPropagation(model.to_pyagrum())
    engine.setEvidence({"dysp": "yes"})
    engine.makeInference()
    answer = model.query("lung", {"dysp": "yes"})
    np.testing.assert_allclose([*answer.values()], engine.posterior("lung").toarray(), atol=1e-12)
    assert len(model.sample(50, seed=1)) == 50
    assert cp.shd(model, asia) == 0
    hugin = 'net {} discrete node A { states = ("a" "b"); } % remark\npotential (A) { data = (0.25 0.75); }'
    (tmp_path / "a.net").write_text(hugin)
    assert cp.read_model(tmp_path / "a.net").query("A") == {"a": 0.25, "b": 0.75}


@pytest.fixture(scope="module")
def gapped(frame):
    """The frame without some numbers and states, its index no longer that of the rows."""
    draw = np.random.default_rng(5)
    holes = frame.copy()
    for name in ("mpg", "we ight", "origin"):
        holes.loc[draw.random(N) < 0.1, name] = None
    return holes


def test_records_with_gaps_are_dropped_or_filled_as_said(gapped):
    whole = gapped.dropna()
    assert 100 < len(whole) < N
    one, other = cp.fit(gapped, "eqfreq3", missing="drop"), cp.fit(whole, "eqfreq3")
    assert one.records == len(whole)
    assert one.thresholds == other.thresholds
    for a, b in zip(one.network.tables, other.network.tables, strict=True):
        np.testing.assert_array_equal(a, b)
    learned = cp.learn(gapped, "eqfreq3", missing="impute", seed=4)
    again = learned.fit(gapped, missing="impute", seed=4)
    assert again.records == N
    both = cp.fit(gapped, "eqfreq3", missing="impute", seed=4)
    for a, b in zip(again.network.tables, both.network.tables, strict=True):
        np.testing.assert_array_equal(a, b)
    assert again.scales["mpg"].least == gapped["mpg"].min()


def test_filled_cells_are_those_that_were_learned_from(gapped):
    learned = cp.learn(gapped, "eqfreq3", missing="impute", seed=4)
    for seed in (4, 5):
        filled = completed(gapped, learned.thresholds, "impute", seed)
        assert (cp.discretize(filled, "equal_frequency", bins=3) == learned.thresholds) == (seed == 4)


def test_a_missing_cell_is_no_evidence(gapped, frame):
    model = cp.fit(frame, "steck3")
    rows = gapped.drop(columns="mpg").iloc[:40]
    assert rows.isna().any(axis=1).nunique() == 2
    for target in ("mpg", "origin"):
        one_by_one = [model.predict(row.dropna().to_dict(), target) for _, row in rows.iterrows()]
        assert model.predict(rows, target).tolist() == pytest.approx(one_by_one)
    assert model.query("mpg", {"origin": None, "we ight": np.nan}) == model.query("mpg")


def test_gaps_that_nothing_is_said_of_are_one_line(gapped, frame):
    learned = cp.learn(frame, "eqfreq3")
    text = r"column (mpg|we ight|origin), row \d+: missing; fill .* take missing='drop' and"
    with pytest.raises(cp.InputError, match=text):
        learned.fit(gapped)
    with pytest.raises(cp.InputError, match="no column mpg"):
        learned.fit(gapped.drop(columns="mpg"), missing="drop")
    with pytest.raises(cp.InputError, match="missing: one of refuse, drop, impute, not 'mean'"):
        learned.fit(gapped, missing="mean")


@pytest.mark.parametrize("count", [15, 32])
def test_of_parents_that_are_too_many_those_that_tell_most_stay(count):
    told, lists = np.random.default_rng(count).permutation(count), cp.Thresholds([np.zeros(1)] * (count + 1))
    kept, _ = fewer_parents(lists, [()] * count + [(*range(count),)], lambda _, of: float(told[[*of]].sum()))
    assert {*told[[*kept[count]]]} == {*range(count - 13, count)}  # for 13 of two levels each there is room

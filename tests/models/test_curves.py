"""Fitted networks whose families have curves: what is learned acts, in tables, densities, predictions and samples."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

import cutpoint as cp
from cutpoint.discretization.binning import most_even
from cutpoint.models import inference
from cutpoint.models.curves import CURVE, LINE, FamilyCurve
from cutpoint.models.density import SmoothDensity
from cutpoint.models.fitted import log_family
from cutpoint.models.fitting import MOST_CELLS, Result
from cutpoint.models.inference import Inference


def simulated(kind, n, records, seed):
    """A frame of equations of one kind on a random graph; every third column of "mixed" has states."""
    rng = np.random.default_rng(seed)
    dag = np.triu(rng.random((n, n)) < 0.4, 1)
    values = np.zeros((records, n))
    for j in range(n):
        of, noise = values[:, dag[:, j]], rng.normal(size=records)
        if kind == "levels":
            values[:, j] = np.floor(of.sum(1) + noise) % 3 + 0.3 * rng.normal(size=records)
        elif kind == "curves":
            values[:, j] = np.sin(2 * of).sum(1) + 0.6 * noise
        else:
            values[:, j] = of @ rng.uniform(0.2, 1, dag[:, j].sum()) + noise
    frame = pd.DataFrame(values, columns=[f"x{i}" for i in range(n)])
    if kind == "mixed":
        for name in frame.columns[::3]:
            frame[name] = np.array([*"abc"])[np.digitize(frame[name], [-0.6, 0.4])]
    return frame if kind != "counts" else np.floor(np.exp(frame.clip(-2, 2)))


def dead(model):
    """The edges without effect: the table of the child is the same for all levels of the parent."""
    return [
        (model.variables[parent], model.variables[child])
        for child, parents in enumerate(model.network.parents)
        for axis, parent in enumerate(parents)
        if np.ptp(model.network.tables[child], axis=axis).max() < 1e-9
    ]


@settings(max_examples=5, deadline=None)
@given(
    st.sampled_from(["lines", "curves", "levels", "mixed", "counts"]),
    st.sampled_from([100, 400]),
    st.integers(0, 10**6),
)
def test_what_is_learned_acts(kind, records, seed):
    frame = simulated(kind, 6, records, seed)
    learned = cp.learn(frame)
    model = learned.fit(frame)
    assert dead(model) == []
    assert np.array_equal(model.dag, learned.dag)
    assert max(map(len, learned.thresholds)) < 8
    for table in model.network.tables:
        np.testing.assert_allclose(table.sum(-1), 1)
    assert (np.isfinite(model.log_likelihood(frame))).all()


def fitted(kinds, dag, frame, bins=3):
    """A network with a graph and kinds of families, whatever a search would find."""
    cuts = cp.discretize(frame, "equal_frequency", bins=bins)
    return Result(dag=np.array(dag, bool), thresholds=cuts, variables=list(frame.columns), kinds=kinds).fit(frame)


@pytest.fixture(scope="module")
def line():
    rng = np.random.default_rng(1)
    x, group = rng.normal(10, 3, 2000), rng.choice(["a", "b"], 2000)
    y = 2 * x + 5 * (group == "a") + rng.normal(0, 4, 2000)
    return pd.DataFrame({"x": x, "group": group, "y": y})


DAG = [[0, 0, 1], [0, 0, 1], [0, 0, 0]]


def test_a_line_is_that_of_least_squares_in_normal_scores(line):
    model = fitted(["levels", "levels", "lines"], DAG, line)
    curve = model.curves["y"]
    assert (curve.kind, model.kind("y"), model.kind("x")) == (LINE, "line", "")
    scores = {name: model.density(name).normal_scores(line[name].to_numpy()) for name in ("x", "y")}
    design = np.column_stack([scores["x"], line.group == "a", np.ones(2000)]).astype(float)
    slopes = np.linalg.lstsq(design, scores["y"])[0]
    residual = (scores["y"] - design @ slopes).std()
    shrunk = curve.spread**2 / residual**2  # the product with the marginal, see `normal_curve`
    assert curve.slopes[0] == pytest.approx(slopes[0] * shrunk, rel=0.01)
    assert curve.slopes[1] - curve.slopes[2] == pytest.approx(slopes[1] * shrunk, rel=0.01)
    predicted = model.predict(line[["x", "group"]], "y")
    exact = np.column_stack([line.x, line.group == "a", np.ones(2000)]).astype(float)
    best = exact @ np.linalg.lstsq(exact, line.y)[0]
    assert np.corrcoef(predicted, line.y)[0, 1] ** 2 > 0.97 * np.corrcoef(best, line.y)[0, 1] ** 2


def test_a_table_is_the_mean_of_what_the_curve_foretells(line):
    """Each cell by its own loop: the records in it and one more at the means of the parents' levels."""
    model = fitted(["levels", "levels", "polynomials"], DAG, line)
    curve, codes = model.curves["y"], cp.encode(line, model.thresholds)
    density, cuts = model.density("y"), model.density("y").normal_scores(model.thresholds[2])
    alone = density.masses(model.thresholds[2])
    from cutpoint.models.curves import splines

    scores = model.density("x").normal_scores(line.x.to_numpy())
    states = model.thresholds.states["group"]
    features = np.hstack([splines(scores), np.array([[g == s for s in states] for g in line.group], float)])
    width = features.shape[1] - len(states)

    def shares(predictor):
        given = np.diff([0, *norm.cdf((cuts - predictor) / curve.spread), 1])
        return (2000 * given + alone) / 2001

    means = [(features[codes[:, 0] == k, :width] @ curve.slopes[:width]).mean() for k in range(3)]
    for k, g in np.ndindex(3, len(states)):
        inside = (codes[:, 0] == k) & (codes[:, 1] == g)
        parts = [shares(each @ curve.slopes + curve.intercept) for each in features[inside]]
        middle = shares(means[k] + curve.slopes[width + g] + curve.intercept)
        expected = np.sum([*parts, middle], axis=0) / (inside.sum() + 1)
        np.testing.assert_allclose(model.network.tables[2][k, g], expected, atol=1e-5)  # scores are interpolated


@pytest.mark.parametrize("kind", ["lines", "kernels"])
def test_densities_of_a_family_have_mass_one(line, kind):
    model = fitted(["levels", "levels", kind], DAG, line)
    grid = np.linspace(-400, 500, 20_001)
    for x, group in ((3.0, "a"), (11.0, "b"), (19.0, "a")):
        rows = pd.DataFrame({"x": x, "group": group, "y": grid})
        values = model.thresholds.read(rows)
        density = np.exp(log_family(model, 2, values) + model.density("y").log_density(grid))
        assert np.trapezoid(density, grid) == pytest.approx(1, abs=0.01)  # Cauchy tails end at those of the grid


def test_a_discrete_child_follows_a_logistic_curve():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(2)
    x = rng.normal(size=3000)
    frame = pd.DataFrame({"x": x, "y": np.array([*"uv"])[(x + rng.logistic(size=3000) > 0).astype(int)]})
    model = fitted(["levels", "lines"], [[0, 1], [0, 0]], frame, bins=4)
    scores = model.density("x").normal_scores(x)
    peer = LogisticRegression(C=2.0).fit(scores[:, None], frame.y)
    codes = cp.encode(frame, model.thresholds)
    expected = [peer.predict_proba(scores[codes[:, 0] == k, None]).mean(0) for k in range(4)]
    np.testing.assert_allclose(model.network.tables[1], expected, atol=2e-3)


def test_counts_stand_where_a_curve_tells_less():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(2000, 2)), columns=["x", "y"])
    frame["y"] *= np.where(abs(frame.x) < 0.6, 0.2, 2.0)  # the variance follows x, the mean does not
    model = fitted(["levels", "kernels"], [[0, 1], [0, 0]], frame, bins=6)
    assert model.kind("y") == "table"
    assert model.curves == {}


def test_predictions_use_children_too(line):
    """With the whole blanket seen, as a sum over a fine grid of the target has it."""
    frame = line.assign(z=line.y * 0.5 + np.random.default_rng(5).normal(0, 2, 2000))
    frame = frame.assign(s=np.where(frame.y + np.random.default_rng(6).normal(0, 9, 2000) > 22, "hi", "lo"))
    dag = np.zeros((5, 5), bool)
    dag[[0, 1, 2, 2], [2, 2, 3, 4]] = True
    for kinds in (["levels", "levels", "lines", "lines", "lines"], ["levels"] * 3 + ["lines", "levels"]):
        model = fitted(kinds, dag, frame, bins=5)
        rows = frame.iloc[:4]
        grid = np.linspace(-40, 90, 5001)
        for k, row in enumerate(rows.to_dict("records")):
            many = pd.DataFrame([row]).loc[[0] * len(grid)].reset_index(drop=True).assign(y=grid)
            log = model.log_likelihood(many)
            weights = np.exp(log - log.max())
            expected = (weights * grid).sum() / weights.sum()
            assert model.predict(rows.drop(columns="y"), "y")[k] == pytest.approx(expected, abs=0.15)
        without = rows.drop(columns=["y", "x"])  # a parent is not seen: levels answer
        shares = model.probabilities(without, "y")
        np.testing.assert_allclose(model.predict(without, "y"), shares @ model.scales["y"].means)
        assert model.predict(rows.iloc[0].drop("y").to_dict(), "y") == pytest.approx(model.predict(rows, "y")[0])


def test_samples_follow_curves(line):
    model = fitted(["levels", "levels", "lines"], DAG, line)
    drawn = model.sample(20_000, seed=3)
    x, group, y = (drawn.values[:, i] for i in range(3))
    middle = (x > 0) & (x < 20) & (y > -20) & (y < 60)
    slope = np.polyfit(x[middle], y[middle], 1)[0]
    assert slope == pytest.approx(2, abs=0.1)
    shift = [y[middle & (group == g)].mean() for g in (0, 1)]
    assert shift[0] - shift[1] == pytest.approx(5, abs=0.5)


def test_a_model_is_read_back_with_its_curves(line, tmp_path):
    frame = line.assign(s=np.where(line.y > 25, "hi", "lo"))
    dag = np.zeros((4, 4), bool)
    dag[[0, 1, 2], [2, 2, 3]] = True
    model = fitted(["levels", "levels", "kernels", "lines"], dag, frame)
    model.write(tmp_path / "m.json")
    read = cp.read_model(tmp_path / "m.json")
    assert {name: curve.kind for name, curve in read.curves.items()} == {"y": CURVE, "s": LINE}
    np.testing.assert_allclose(read.log_likelihood(frame), model.log_likelihood(frame))
    np.testing.assert_allclose(read.predict(frame, "y"), model.predict(frame, "y"))
    text = (tmp_path / "m.json").read_text()
    changes = {'"spread": ': '"spread": "', '"kind": "line"': '"kind": "spiral"', '"slopes": [': '"slopes": [['}
    for old, new in changes.items():
        (tmp_path / "bad.json").write_text(text.replace(old, new, 1))
        with pytest.raises(cp.InputError, match=r"bad\.json"):
            cp.read_model(tmp_path / "bad.json")
    short = {**model.curves, "y": replace(model.curves["y"], slopes=model.curves["y"].slopes[:-1])}
    replace(model, curves=short).write(tmp_path / "short.json")
    with pytest.raises(cp.InputError, match="y: curve: does not fit"):
        cp.read_model(tmp_path / "short.json")


def test_interventions_leave_curves_of_others(line):
    frame = line.assign(z=line.y + np.random.default_rng(5).normal(0, 2, 2000))
    dag = np.zeros((4, 4), bool)
    dag[[0, 1, 2], [2, 2, 3]] = True
    model = fitted(["levels", "levels", "lines", "lines"], dag, frame)
    assert {*model.do({"x": 9.0}).curves} == {"z"}
    assert {*model.do({"y": 9.0}).curves} == set()


def test_ties_gain_nothing_from_more_levels():
    """A column of codes has the same density with 3 and with 30 levels of it, where nothing depends on it."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame({"code": rng.integers(0, 40, 2000) * 1.0, "y": rng.normal(size=2000)})
    new = pd.DataFrame({"code": rng.integers(0, 40, 2000) * 1.0, "y": rng.normal(size=2000)})
    totals = []
    for bins in (3, 30):
        cuts = cp.discretize(frame, "equal_width", bins=bins)
        model = Result(dag=np.array([[0, 0], [1, 0]], bool), thresholds=cuts, variables=["code", "y"]).fit(frame)
        totals.append(model.log_likelihood(new).mean())
    assert totals[1] < totals[0] + 0.01


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=2, max_size=30))
def test_the_most_even_threshold(whole):
    values = np.array(whole, float)
    (cut,) = [*most_even(values)] or [None]
    if len({*whole}) == 1:
        assert cut is None
        return
    sizes = [min((values < t).sum(), (values >= t).sum()) for t in np.unique(values)[1:]]
    assert min((values < cut).sum(), (values >= cut).sum()) == max(sizes)
    (mirrored,) = most_even(-values)
    assert (-values >= mirrored).sum() == (values < cut).sum() or len({*sizes}) < len(sizes)


def test_tables_are_limited_and_the_note_says_how():
    rng = np.random.default_rng(8)
    n = 22
    values = rng.normal(size=(400, n))
    values[:, -1] += values[:, :-1] @ np.linspace(0.02, 1, n - 1)
    names = [f"x{i}" for i in range(n)]
    dag = np.zeros((n, n), bool)
    dag[:-1, -1] = True
    for kinds in (None, ["levels"] * (n - 1) + ["lines"]):
        cuts = cp.discretize(values, "equal_frequency", bins=4)
        model = Result(dag=dag, thresholds=cuts, variables=names, kinds=kinds).fit(pd.DataFrame(values, columns=names))
        assert max(table.size for table in model.network.tables) <= MOST_CELLS
        kept = {model.variables[i] for i in model.network.parents[-1]}
        gone = {names[i] for i in range(n - 1)} - kept
        assert gone
        assert all(f"{name} -> x{n - 1}" in model.note or "more" in model.note for name in gone)
        assert "fewer levels" in model.note
        assert names[n - 2] in kept
        if kinds:
            assert gone <= {*names[:10]}  # those that tell least


def test_a_wide_network_answers_by_samples_and_says_so(monkeypatch):
    network = cp.random_network(5, nodes=(20, 20), density=(1.5, 1.5), arcs=(28, 28), max_parents=3)
    exact, codes = Inference(network), np.array([[0, 1], [1, 0]])
    answers = [exact.posteriors(10, [3, 15], codes), exact.joint([1, 2]), exact.joint([4, 12, 3])]
    monkeypatch.setattr(inference, "MAX_TREE", 8)
    sampled = Inference(network)
    near = [sampled.posteriors(10, [3, 15], codes), sampled.joint([1, 2]), sampled.joint([4, 12, 3])]
    assert 0 < sampled.error < 0.02
    for one, other in zip(answers, near, strict=True):
        np.testing.assert_allclose(one, other, atol=4 * sampled.error)
    assert exact.error == 0


def test_a_query_of_a_wide_network_warns(line, monkeypatch):
    model = fitted(["levels", "levels", "lines"], DAG, line)
    expected = model.query("y", {"x": 4.0})
    monkeypatch.setattr(inference, "MAX_TREE", 4)
    with pytest.warns(UserWarning, match=r"y: by 100,000 weighted samples, standard error"):
        answer = model.query("y", {"x": 4.0})
    assert answer == pytest.approx(expected, abs=0.02)
    with warnings.catch_warnings():  # with all else observed there is one variable left
        warnings.simplefilter("error")
        model.query("y", {"x": 4.0, "group": "a"})


def test_a_curve_without_records_of_a_state_gives_it_little():
    curve = FamilyCurve(LINE, np.zeros((1, 3)), np.log([0.5, 0.5, 1e-300]), None, 99)
    shares = curve.shares(curve.predictor(np.ones((1, 1))), np.empty(0), np.array([0.4, 0.4, 0.2]))
    np.testing.assert_allclose(shares, [[(99 * 0.5 + 0.4) / 100, (99 * 0.5 + 0.4) / 100, 0.002]])
    assert math.isclose(shares.sum(), 1)


@pytest.mark.parametrize("shape", ["normal", "cauchy", "ties"])
def test_interpolated_scores_are_near_and_go_back(shape):
    rng = np.random.default_rng(3)
    shapes = {"normal": rng.normal(size=900), "cauchy": rng.standard_cauchy(900), "ties": rng.integers(0, 9, 900) * 1.0}
    values = shapes[shape]
    density = SmoothDensity(values)
    inner = values[abs(values - np.median(values)) < 20]
    np.testing.assert_allclose(density.near_scores(inner), density.normal_scores(inner), atol=0.03)
    np.testing.assert_allclose(density.quantiles(density.near_scores(inner)), inner, atol=1e-6)


@pytest.mark.parametrize("records", [30, 200])
def test_functions_of_each_other_and_constant_columns_are_fitted(records):
    rng = np.random.default_rng(9)
    x, group = rng.normal(size=records), rng.integers(0, 5, records)
    frame = pd.DataFrame({"x": x, "twice": 2 * x, "sum": x + group, "group": group * 1.0, "of": np.sin(group)})
    for method in ("consensus", "eqfreq3"):
        learned = cp.learn(frame, method, continuous=[*frame.columns])
        model = learned.fit(frame)
        assert dead(model) == []
        arcs = {(model.variables[i], model.variables[j]) for i, j in np.argwhere(model.dag)}
        lost = {(learned.variables[i], learned.variables[j]) for i, j in np.argwhere(learned.dag)} - arcs
        assert all(f"{i} -> {j}" in model.note for i, j in lost)
        assert np.isfinite(model.log_likelihood(frame)).all()
        assert np.isfinite(model.predict(frame, "sum")).all()
    known = pd.DataFrame({"x": x, "same": 1.0})
    model = Result(
        dag=np.array([[0, 1], [0, 0]], bool),
        variables=["x", "same"],
        kinds=["levels", "lines"],
        thresholds=cp.Thresholds([np.zeros(1), np.empty(0)], ["x", "same"]),
    ).fit(known)
    assert (model.network.tables[1].shape, model.network.parents[1]) == ((1,), ())
    assert "where their levels change nothing: x -> same" in model.note


@pytest.mark.parametrize("kind", ["spread", "spikes", "limit", "lines"])
def test_tables_queries_and_samples_say_what_the_data_say(kind):
    """Of groups with unlike spreads, spikes of equal values and a limit of detection, not only of lines."""
    rng, n = np.random.default_rng(0), 2000
    group, noise = rng.choice(["a", "b", "c"], n), rng.normal(size=n)
    x = {
        "spread": np.select([group == "a", group == "b"], [285 + 8 * noise, 750 + 60 * noise], 265 + 5 * noise),
        "spikes": np.where(rng.random(n) < 0.9, 0, np.exp(2 + noise)).round(1),
        "limit": np.maximum((group == "a") + noise, 0),
        "lines": (group == "a") + noise,
    }[kind]
    frame = pd.DataFrame({"group": group, "x": x, "y": (x * rng.uniform(1, 1.2, n)).round(1)})
    model = cp.fit(frame)
    codes, drawn = model.encode(frame), model.encode(model.sample(20_000, seed=1))
    for i, name in enumerate(model.variables):
        held = [np.bincount(each[:, i], minlength=len(model.network.states[i])) / len(each) for each in (codes, drawn)]
        asked = [*model.query(name).values()]
        np.testing.assert_allclose(asked, held[0], atol=0.05)
        np.testing.assert_allclose(asked, held[1], atol=0.05)
    for value in "abc":
        levels = codes[group == value, model.variables.index("x")]
        held = np.bincount(levels, minlength=len(model.network.states[model.variables.index("x")])) / len(levels)
        np.testing.assert_allclose([*model.query("x", {"group": value}).values()], held, atol=0.05)

"""The transformers keep scikit-learn's contract and do what the functions do."""

import importlib
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import slow_mdlp
from sklearn import datasets, model_selection, naive_bayes, pipeline, preprocessing
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import cutpoint as cp
from cutpoint import estimators
from cutpoint.discretization.class_criteria import divide_by_modl
from cutpoint.discretization.supervised import CRITERIA
from cutpoint.estimators import Discretizer, MDLPDiscretizer, MODLDiscretizer, SupervisedDiscretizer
from cutpoint.method.registry import DISCRETIZERS

OPTIONS = {
    "hartemink": {"bins": 2, "initial": 10},
    "ruichu": {"max_levels": 3},
    "mdl_histogram": {"accuracy_share": 50},
    "bayesian_blocks": {"p0": 0.5},
    "density_ladder": {"bins": 2},
    "sturges": {"max_levels": 5},
}
METHODS = [*DISCRETIZERS, "steck3"]
SHORT = "EqualWidth EqualFrequency Hartemink Ruichu KMeans MDLHistogram BayesianBlocks DensityLadder Sturges Scott"
SHORT_FORMS = [*SHORT.split(), "FreedmanDiaconis", "MDLP", "MODL"]


def values_of(rng, records=60):
    return rng.normal(0, 1, (records, 3)) @ rng.normal(0, 1, (3, 3))


@parametrize_with_checks([*map(Discretizer, METHODS), *map(SupervisedDiscretizer, CRITERIA)])
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", DISCRETIZERS)
def test_a_discretizer_has_the_thresholds_of_its_function(name, rng):
    values, options = values_of(rng), OPTIONS.get(name, {})
    model = clone(Discretizer(name, **options))
    assert model.get_params() == {"method": name} | options
    expected = cp.discretize(values, name, **options)
    codes = model.fit_transform(values)
    for thresholds, cuts, edges, x in zip(model.thresholds_, expected, model.bin_edges_, values.T, strict=True):
        np.testing.assert_array_equal(thresholds, cuts)
        np.testing.assert_array_equal(edges, [x.min(), *cuts, x.max()])
    np.testing.assert_array_equal(codes, cp.encode(values, expected))
    assert codes.dtype == np.int32


def test_the_named_ones_are_discretizers():
    methods = [getattr(estimators, f"{name}Discretizer")().method for name in SHORT_FORMS]
    assert [method.replace("_", "") for method in methods] == [name.casefold() for name in SHORT_FORMS]
    assert not hasattr(estimators, "NoDiscretizer")


@pytest.mark.parametrize("method", ["friedman3", "monti3", "steck3", "eqwidth2"])
def test_a_method_that_learns_gives_its_graph_and_thresholds(method, rng):
    values = values_of(rng, 200)
    model = Discretizer(method, ess=2.0).fit(values)
    learned = cp.learn(values, method, ess=2.0)
    np.testing.assert_array_equal(model.graph_, learned.cpdag)
    assert model.graph_.any()
    np.testing.assert_array_equal(model.transform(values), cp.encode(values, learned.thresholds))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), bins=st.sampled_from([2, 4, 8]), records=st.integers(2, 15))
def test_codes_are_those_of_kbinsdiscretizer(seed, bins, records):
    # Quantiles where no two values are equal and all levels have as many: then both cut halfway. Theirs are
    # percentages, which are exact for these numbers of bins.
    values = np.random.default_rng(seed).normal(0, 1, (records * bins, 2))
    fresh = np.random.default_rng(seed + 1).normal(0, 3, (50, 2))
    for ours, strategy, more in [
        (Discretizer("equal_width", bins=bins), "uniform", {}),
        (Discretizer("equal_frequency", bins=bins), "quantile", {"quantile_method": "averaged_inverted_cdf"}),
    ]:
        theirs = preprocessing.KBinsDiscretizer(bins, encode="ordinal", strategy=strategy, **more).fit(values)
        ours.fit(values)
        for edges, expected in zip(ours.bin_edges_, theirs.bin_edges_, strict=True):
            np.testing.assert_allclose(edges, expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(ours.transform(fresh), theirs.transform(fresh))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_go_in_and_come_out(library, rng):
    frames = pytest.importorskip(library)
    values = values_of(rng)
    frame = frames.DataFrame({"b": values[:, 0], "a": values[:, 1], "c": values[:, 2]})
    for method in METHODS:
        codes = Discretizer(method).set_output(transform=library).fit_transform(frame)
        assert isinstance(codes, frames.DataFrame)
        assert list(codes.columns) == ["b", "a", "c"]
        np.testing.assert_array_equal(codes.to_numpy(), Discretizer(method).fit_transform(values))


@pytest.mark.parametrize("method", ["equal_width", "steck3"])
def test_new_frames_have_the_columns_that_were_fitted(method, rng):
    frames = pytest.importorskip("pandas")
    frame = frames.DataFrame(values_of(rng), columns=["b", "a", "c"])
    model = Discretizer(method).fit(frame)
    assert model.feature_names_in_.tolist() == model.get_feature_names_out().tolist() == ["b", "a", "c"]
    np.testing.assert_array_equal(model.transform(frame.iloc[[7]]), model.transform(frame)[[7]])
    with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
        model.transform(frame[["a", "b", "c"]])
    with pytest.raises(ValueError, match="seen at fit time, yet now missing:\n- a"):
        model.transform(frame.drop(columns="a"))
    with pytest.raises(ValueError, match="unseen at fit time:\n- d"):
        model.transform(frame.assign(d=1.0))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), records=st.integers(2, 60))
def test_columns_tell_the_class_as_slow_twins_say(seed, records):
    rng = np.random.default_rng(seed)
    target = rng.choice(["no", "perhaps", "yes"], records)
    values = np.column_stack([rng.integers(0, 9, records) + 4.0 * (target == "yes"), rng.integers(0, 5, records)])
    model = MDLPDiscretizer().fit(values, target)
    most = MODLDiscretizer(max_levels=3, candidates=None).fit(values, target)
    assert clone(most).get_params() == {"method": "modl", "max_levels": 3, "candidates": None}
    for i, x in enumerate(values.T):
        order = np.argsort(x, kind="stable")
        assert model.thresholds_[i].tolist() == slow_mdlp(x[order].tolist(), target[order].tolist())
        classes, ordered = np.unique(target[order], return_inverse=True)[1], x[order]
        places = divide_by_modl(classes, np.flatnonzero(np.diff(ordered)) + 1, max_levels=3, candidates=None)
        np.testing.assert_allclose(most.thresholds_[i], (ordered[places - 1] + ordered[places]) / 2)


@pytest.mark.parametrize("transformer", [MDLPDiscretizer(), MODLDiscretizer()])
def test_in_a_pipeline_classes_of_training_records_alone_decide(transformer):
    values, target = datasets.load_iris(return_X_y=True)
    steps = pipeline.make_pipeline(transformer, naive_bayes.CategoricalNB(min_categories=10))
    assert model_selection.cross_val_score(steps, values, target, cv=5).mean() > 0.85  # always the same class: 0.33
    train = np.arange(150) % 3 > 0
    alone = clone(transformer).fit(values[train], target[train])
    assert all(map(np.array_equal, steps.fit(values[train], target[train])[0].thresholds_, alone.thresholds_))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Discretizer("equal_width", bins=0), "Discretizer: equal_width: bins: .* greater than or equal to 1"),
        (Discretizer("equal_width").set_params(bin=2), "unknown option 'bin'; did you mean 'bins'"),
        (Discretizer("bach"), "bach has no thresholds; choose a method that discretizes"),
        (SupervisedDiscretizer("mdl"), "SupervisedDiscretizer: unknown method 'mdl'; did you mean 'm"),
        (MODLDiscretizer(max_levels=0), "SupervisedDiscretizer: modl: max_levels: .* or equal to 1, got 0"),
        (MDLPDiscretizer(max_levels=3), "SupervisedDiscretizer: mdlp: unknown option 'max_levels'"),
    ],
)
def test_what_is_wrong_is_named(model, message, rng):
    with pytest.raises(cp.InputError, match=message):
        model.fit(values_of(rng), np.arange(60) % 2)


def test_a_target_of_numbers_is_no_class(rng):
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        MDLPDiscretizer().fit(values_of(rng), rng.normal(0, 1, 60))


def test_without_scikit_learn_one_line_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, estimators.__name__)
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    with pytest.raises(
        ImportError, match=r"^cutpoint.estimators needs scikit-learn: pip install 'bn-cutpoint\[sklearn\]'$"
    ):
        importlib.import_module(estimators.__name__)


def test_codes_go_back_to_means_of_levels_and_have_labels():
    values = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 30.0], [6.0, 50.0]])
    model = Discretizer(bins=2).fit(values)
    assert model.labels_ == [["lt_3", "ge_3"], ["lt_25", "ge_25"]]
    assert model.inverse_transform(model.transform(values)).tolist() == [[1.5, 15], [1.5, 15], [5, 40], [5, 40]]
    with pytest.raises(ValueError, match="column 1: codes from 0 to 1"):
        model.inverse_transform([[0, 2]])
    with pytest.raises(ValueError, match="X has 1 columns; 2 are expected"):
        model.inverse_transform([[0]])

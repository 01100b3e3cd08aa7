"""What every discretizer of a single pass promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cutpoint.base.errors import InputError
from cutpoint.discretization.bayesian_blocks import bayesian_blocks
from cutpoint.discretization.binning import equal_frequency, equal_width
from cutpoint.discretization.density_ladder import density_ladder
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.hartemink import hartemink
from cutpoint.discretization.histogram_rules import freedman_diaconis, scott, sturges
from cutpoint.discretization.kmeans import kmeans
from cutpoint.discretization.mdl_histogram import mdl_histogram
from cutpoint.discretization.mixtures import ruichu

BY_BINS = [equal_width, equal_frequency, hartemink, kmeans]
BY_RULE = [sturges, scott, freedman_diaconis, bayesian_blocks, mdl_histogram]
DISCRETIZERS = [*BY_BINS, *BY_RULE, density_ladder, ruichu]
# By the order of the values alone.
BY_RANK = [equal_frequency, hartemink]

each = pytest.mark.parametrize("method", DISCRETIZERS)
tables = arrays(np.float64, st.tuples(st.integers(1, 20), st.just(2)), elements=st.integers(-6, 6).map(float))


@pytest.mark.parametrize("method", BY_RANK)
@given(values=tables, bins=st.integers(1, 6))
def test_increasing_transformations_change_no_code(method, values, bins):
    none, bent = np.zeros(2, bool), np.exp(values) + values**3
    codes = [encode(x, method(x, none, bins=bins)) for x in (values, bent)]
    assert np.array_equal(*codes)


@each
def test_discrete_columns_keep_their_codes(method):
    codes = np.random.default_rng(3).integers(0, 5, (60, 2)).astype(float)
    thresholds = method(codes, np.array([True, False]))
    assert np.array_equal(encode(codes, thresholds)[:, 0], codes[:, 0])


@each
def test_constant_columns_and_single_records_get_one_level(method):
    values = np.column_stack([np.full(40, 2.5), np.full(40, 1e300), np.random.default_rng(9).normal(size=40)])
    thresholds = method(values, np.zeros(3, bool))
    assert [cuts.size for cuts in thresholds[:2]] == [0, 0]
    assert method not in BY_BINS or thresholds[2].size == 2
    assert method(np.array([[2.0]]), np.array([False]))[0].size == 0


@each
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["tail", "spike", "huge", "adjacent", "two"])
def test_thresholds_rise_inside_the_range_of_awkward_columns(method, kind):
    rng = np.random.default_rng(7)
    column = {
        "tail": np.append(rng.standard_normal(99), 1e200),
        "spike": np.where(rng.random(200) < 0.97, 1.0, rng.random(200)),
        "huge": rng.choice([-8e307, 0.0, 8e307], 50),
        "adjacent": rng.choice([1.0, np.nextafter(1.0, 2)], 50),
        "two": rng.choice([0.0, 1.0], 50),
    }[kind]
    (cuts,) = method(column[:, None], np.array([False]))
    assert (np.diff(cuts) > 0).all()
    assert ((cuts > column.min()) & (cuts <= column.max())).all()


@each
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_finite_are_named(method, value):
    with pytest.raises(InputError, match="column 1 holds NaN or infinite values"):
        method(np.array([[1.0, value], [2.0, 3.0]]), np.zeros(2, bool))


@pytest.mark.parametrize(
    ("method", "options", "text"),
    [
        (hartemink, {"bins": 3, "initial": 2}, "initial is 2"),
        (ruichu, {"min_levels": 3, "max_levels": 2}, "min_levels"),
    ],
)
def test_options_that_contradict_each_other_are_named(method, options, text):
    with pytest.raises(InputError, match=text):
        method(np.zeros((3, 2)), np.zeros(2, bool), **options)

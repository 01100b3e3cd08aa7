"""New records get the codes of what was learned: matched by names of columns and states, or refused."""

import copy
import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

import cutpoint as cp
from cutpoint import api
from cutpoint.method.rows import parse

pd = pytest.importorskip("pandas")
COLUMNS = ["size", "city", "age", "many", "sick"]
STATES = {"city": ["Bern", "Lyon", "Oslo", "Rome"], "many": ["2", "10", "9.5"], "sick": [False, True]}
SORTED = {"city": ("Bern", "Lyon", "Oslo", "Rome"), "many": ("2", "9.5", "10"), "sick": ("False", "True")}


def table(records, seed):
    rng = np.random.default_rng(seed)
    drawn = {name: rng.choice(np.array(states, object), records) for name, states in STATES.items()}
    drawn |= {"age": rng.normal(40, 15, records), "size": rng.normal(0, 1, records)}
    return pd.DataFrame({name: drawn[name] for name in COLUMNS}).astype({"sick": bool, "many": "category"})


LEARNED = table(200, 0)
THRESHOLDS = cp.discretize(LEARNED, "equal_frequency", bins=3)


def code(name, cell):
    """Return the code of one cell, by counting."""
    if name in SORTED:
        return SORTED[name].index(str(cell))
    return sum(cell >= cut for cut in THRESHOLDS[COLUMNS.index(name)])


def expected(frame):
    return [[code(name, row[name]) for name in COLUMNS] for row in frame.to_dict("records")]


def test_thresholds_carry_names_and_states():
    assert THRESHOLDS.variables == COLUMNS
    assert THRESHOLDS.states == SORTED
    assert THRESHOLDS.discrete.tolist() == [False, True, False, True, True]
    learned = cp.learn(LEARNED, "eqwidth2").thresholds
    assert (learned.variables, learned.states) == (COLUMNS, SORTED)
    assert cp.learn(LEARNED, "steck2").thresholds.states == SORTED
    for same in (pickle.loads(pickle.dumps(THRESHOLDS)), copy.deepcopy(THRESHOLDS)):
        assert (same.variables, same.states) == (COLUMNS, SORTED)
        assert np.array_equal(cp.encode(LEARNED, same), expected(LEARNED))
    again = cp.Thresholds(list(THRESHOLDS), THRESHOLDS.variables, THRESHOLDS.states)
    assert np.array_equal(cp.encode(LEARNED, again), expected(LEARNED))
    assert THRESHOLDS[:3] != THRESHOLDS


@settings(max_examples=60, deadline=None)
@given(
    order=st.permutations(COLUMNS),
    rows=st.lists(st.integers(0, 199), min_size=1, max_size=12),
    library=st.sampled_from([pd.DataFrame, pa.Table.from_pandas]),
)
def test_any_rows_in_any_order_of_columns_get_the_codes_of_what_was_learned(order, rows, library):
    # few rows lack states, and often a column is constant
    few = LEARNED.iloc[rows].reset_index(drop=True)
    codes = cp.encode(library(few[order]), THRESHOLDS)
    assert codes.dtype == np.int32
    assert codes.tolist() == expected(few)


@settings(max_examples=60, deadline=None)
@given(order=st.permutations(COLUMNS), row=st.integers(0, 199))
def test_a_single_record_gets_its_codes_in_every_form(order, row):
    record = LEARNED[order].iloc[row]
    one = expected(LEARNED.iloc[[row]])[0]
    in_order = [LEARNED[name].iloc[row] for name in COLUMNS]
    for form in (record, record.to_dict(), in_order, np.array(in_order, object)):
        codes = cp.encode(form, THRESHOLDS)
        assert codes.dtype == np.int32
        assert codes.tolist() == one
    assert cp.encode(LEARNED[order].iloc[[row]], THRESHOLDS).tolist() == [one]
    assert cp.encode(pa.Table.from_pandas(LEARNED[order]).slice(row, 1).to_pylist()[0], THRESHOLDS).tolist() == one


@settings(max_examples=30, deadline=None)
@given(order=st.permutations(range(4)), rows=st.integers(1, 5), seed=st.integers(0, 99))
def test_numbers_alone_by_name_and_by_position(order, rows, seed):
    values = np.random.default_rng(seed).normal(size=(40, 4))
    names = list("dbca")
    named = cp.discretize(pd.DataFrame(values, columns=names), "equal_width", bins=3)
    plain = cp.discretize(values, "equal_width", bins=3)
    assert plain.variables is None
    fresh = np.random.default_rng(seed + 1).normal(size=(rows, 4)) * 9
    codes = cp.encode(fresh, plain)
    assert codes.min() >= 0
    assert codes.max() <= 2
    assert np.array_equal(cp.encode(fresh, named), codes)
    assert np.array_equal(cp.encode(fresh, list(plain)), codes)
    assert np.array_equal(cp.encode(pd.DataFrame(fresh, columns=names)[[names[i] for i in order]], named), codes)
    assert np.array_equal(cp.encode(pd.DataFrame(fresh), plain), codes)
    assert np.array_equal(cp.encode(fresh[0], plain), codes[0])
    assert np.array_equal(cp.encode(fresh[0], named), codes[0])


def test_values_beyond_what_was_learned_have_the_first_or_last_code():
    beyond = LEARNED.iloc[:2].assign(age=[-1e9, 1e9])
    assert cp.encode(beyond, THRESHOLDS)[:, 2].tolist() == [0, 2]


def test_states_that_are_numbers_are_the_same_in_every_writing():
    for cells in (["2", "9.5", "10"], [2.0, 9.5, 10.0], ["2.0", "9.50", "1e1"]):
        assert cp.encode(LEARNED.iloc[:3].assign(many=cells), THRESHOLDS)[:, 3].tolist() == [0, 1, 2]
    frame = pd.DataFrame({"a": pd.Categorical([1, 2, 10] * 2), "b": [0.0, 1.0, 2.0, 0.5, 1.5, 0.1]})
    codes = cp.discretize(frame, "equal_width", bins=2)
    assert cp.encode({"a": 10, "b": 5}, codes).tolist() == [2, 1]
    assert cp.encode(np.array([[2, 0.0], [1, 9.0]]), codes).tolist() == [[1, 0], [0, 1]]


def test_the_score_of_thresholds_follows_names_and_states_too():
    learned = cp.learn(LEARNED, "steck2")
    score = cp.policy_score(LEARNED, learned.thresholds, learned.dag, "steck")
    assert score == pytest.approx(learned.score)
    mixed = LEARNED[sorted(COLUMNS, reverse=True)].sample(frac=1, random_state=1)
    assert cp.policy_score(mixed, learned.thresholds, learned.dag, "steck") == pytest.approx(score)
    few = LEARNED[LEARNED.city != "Bern"]
    codes, levels = cp.encode(few, learned.thresholds), cp.cardinalities(learned.thresholds)
    assert codes[:, 1].min() == 1
    value = cp.policy_score(few, learned.thresholds, learned.dag, "steck")
    held = cp.score(codes, learned.dag, "bdeu", cardinalities=levels)
    continuous = [np.bincount(codes[:, i]) for i in (0, 2)]
    assert value == pytest.approx(held - sum(gammaln(counts).sum() for counts in continuous))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda f: f.drop(columns="age"), "^the data frame: no column age, which the thresholds were learned with$"),
        (lambda f: f.assign(id=1, tag="x"), "^the data frame: the thresholds know no columns id and tag; leave out"),
        (lambda f: f.assign(city="Oso"), "column city, row 1: unknown state 'Oso'; did you mean 'Oslo'.*known: Bern"),
        (lambda f: f.assign(age="old"), "^the data frame: column age, row 1: 'old' is not a finite number$"),
        (lambda f: f.assign(age=[1.0, np.inf, 2.0]), "column age, row 2: 'inf' is not a finite number"),
        (lambda f: f.assign(city=["Rome", None, "Rome"]), "column city, row 2: missing"),
        (lambda f: f.iloc[0].to_dict() | {"id": 1}, "^the record: the thresholds know no column id;"),
        (lambda f: f.to_dict("list"), "^the record: column size: several values; give several records as a data frame"),
        (lambda f: np.zeros((2, 2, 5)), "shape"),
    ],
)
def test_what_does_not_fit_is_named_in_one_line(change, text):
    with pytest.raises(cp.InputError, match=text) as raised:
        cp.encode(change(LEARNED.iloc[:3].reset_index(drop=True)), THRESHOLDS)
    assert "\n" not in str(raised.value)


def test_thresholds_without_states_take_no_text():
    with pytest.raises(cp.InputError, match=r"^the array: column x0, row 2: missing; "):
        cp.encode([1.0, np.nan], [0.5])
    with pytest.raises(cp.InputError, match=r"column city, row 1: .* is not a finite number"):
        cp.encode(LEARNED, list(THRESHOLDS))


def own_method(values, discrete, *, search, **options):
    """Return thresholds for the continuous columns alone."""
    cuts = [np.empty(0) if d else [np.median(x)] for x, d in zip(values.T, discrete, strict=True)]
    return cp.Learned(dag=np.zeros((len(cuts), len(cuts)), bool), thresholds=cuts)


def test_discrete_columns_keep_their_states_whatever_a_method_returns_for_them(monkeypatch):
    row = {"label": "own", "category": "integrated", "learner": "hill_climbing", "score": "bdeu"}
    monkeypatch.setattr(api, "method_of", lambda name, options: parse(row | {"policy": f"{__file__}:own_method"}))
    learned = cp.learn(LEARNED, "own")
    assert [len(cuts) for cuts in learned.thresholds] == [1, 3, 1, 2, 1]
    assert cp.encode(LEARNED.iloc[0], learned.thresholds)[1] == code("city", LEARNED.city[0])


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (([[1.0]], ["a", "b"]), "^variables: 1 different names are expected"),
        (([[1.0]], ["a"], {"b": ["x"]}), "^states: there is no variable b$"),
        (([[1.0]], ["a"], {"a": ["x"]}), "^states: 1 of a, whose thresholds make 2 levels$"),
    ],
)
def test_parts_of_thresholds_that_do_not_fit_are_refused(parts, text):
    with pytest.raises(cp.InputError, match=text):
        cp.Thresholds(*parts)

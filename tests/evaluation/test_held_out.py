"""Log-likelihoods of folds and of new records under the graphs that were learned."""

import math
from collections import Counter

import numpy as np
import pytest
from batches import of, read_results, write_results
from hypothesis import given
from hypothesis import strategies as st
from script_tools import script

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import ResampleJob, Runs
from cutpoint.bench.data.parquet import DataSet
from cutpoint.bench.evaluation.held_out import GAUSSIAN, SHARED, TRUTH, HeldOut, NewRecords
from cutpoint.data.anonymous import canonical_order
from cutpoint.data.resampling import folds, jackknife
from cutpoint.graphs.patterns import consistent_extension, cpdag
from cutpoint.models import curves
from cutpoint.models.density import SmoothDensity
from cutpoint.networks.network import Network, read_all, write_network

ROWS, FOLDS, SEED = 83, 4, 11
IDENTITY = (SEED, "own", "own", "folds")
METHODS = ["truth", "pattern", "direct", "blind", "slow", "cyclic", "absent"]
DAG = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)
CUTS = [np.array([0.0]), np.array([0.5, 1.5, 2.5]), np.array([-1.0, 1.0])]


@given(n=st.integers(2, 200), number=st.integers(2, 12), seed=st.integers(0, 9))
def test_folds_part_the_records_evenly(n, number, seed):
    if n < number:
        with pytest.raises(InputError, match=f"folds: {n} records cannot be divided into {number}"):
            folds(n, number, seed, "own")
        return
    parts = folds(n, number, seed, "own")
    sizes = np.bincount(parts, minlength=number)
    assert len(sizes) == number
    assert sizes.max() - sizes.min() <= 1
    assert np.array_equal(parts, folds(n, number, seed, "own"))


def test_folds_are_random_and_of_their_identity():
    parts = folds(500, 5, 1, "own", "own", "folds")
    assert not np.array_equal(parts, np.arange(500) % 5)
    for other in (folds(500, 5, 2, "own", "own", "folds"), folds(500, 5, 1, "own", "own", "others")):
        assert 0.1 < (parts == other).mean() < 0.3
    with pytest.raises(InputError, match="at least two"):
        folds(10, 1, 0)


@pytest.mark.parametrize(("n", "share", "left"), [(392, 0.1, 39), (5, 0.1, 1), (10, 0.99, 10), (30, 0.5, 15)])
def test_a_share_is_that_of_the_records(n, share, left):
    def kept():
        return jackknife(n, np.random.default_rng(3), share=share)

    if left == n:
        with pytest.raises(InputError, match="between 1 and 9"):
            kept()
        return
    assert len(kept()) == n - left
    assert np.array_equal(kept(), jackknife(n, np.random.default_rng(3), delete=left))


def write_data(folder):
    """A small mixed data set; one level of its discrete column has a single record."""
    rng = np.random.default_rng(5)
    a = rng.normal(size=ROWS)
    b = np.digitize(a + rng.normal(0, 0.5, ROWS), [-0.5, 0.5]).astype(float)
    b[17] = 3
    values = np.column_stack([a, b, b + rng.normal(size=ROWS)])
    about = {"cell": "own", "status": "ok", "message": "", "cardinalities": {"b": 4}, "truth": "net"}
    parquet.write_data(folder / "own.parquet", ["a", "b", "c"], [(0, values)], discrete=["b"], **about)
    return values


def true_network():
    """The graph of most methods as a network; nobody looks at its tables."""
    families = [tuple(np.flatnonzero(DAG[:, i]).tolist()) for i in range(3)]
    tables = [np.full((2,) * (len(parents) + 1), 0.5) for parents in families]
    return Network("net", ("a", "b", "c"), (("no", "yes"),) * 3, tuple(families), tuple(tables))


def held_out(folder, replicates=range(FOLDS), data="own"):
    about = {"seed": SEED, "dataset": "own", "resample": "folds", "folds": FOLDS}
    runs = [Runs("own", "folds", "own-folds", replicates, tuple(METHODS), **about)]
    wholes, networks = [folder / f"{data}.parquet"], read_all([folder / "net.bif"])
    rows = script("held_out").likelihoods_of(wholes, networks, runs, read_results(folder))
    return [dict.fromkeys(schemas.HELD_OUT.names) | row for row in rows]


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    folder = tmp_path_factory.mktemp("folds")
    values = write_data(folder)
    write_network(true_network(), folder / "net.bif")
    write_results(folder, "own-folds", ["a", "b", "c"], DAG, CUTS, range(FOLDS))
    return folder, values


@pytest.fixture(scope="module")
def rows(batch):
    return held_out(batch[0])


def test_every_record_is_held_out_once(rows):
    for method in METHODS:
        assert [row["replicate"] for row in of(rows, method)] == list(range(FOLDS))
        assert sum(row["records"] for row in of(rows, method)) == ROWS


@pytest.mark.parametrize("method", ["truth", "direct"])
def test_the_likelihood_is_that_of_the_fold(batch, rows, method):
    _, values = batch
    parts, discrete, levels = folds(ROWS, FOLDS, *IDENTITY), np.array([False, True, False]), np.array([0, 4, 0])
    ordered = np.ix_(*[canonical_order(values, discrete)] * 2)
    dag = np.zeros((3, 3), bool)
    dag[ordered] = consistent_extension(cpdag(DAG)[ordered])[0]
    for row in of(rows, method):
        held = parts == row["replicate"]
        train, test = values[~held], values[held]
        inner, names = folds(len(train), 3, *IDENTITY, row["replicate"]), dict(SHARED)
        names |= {} if method == "direct" else {"own": ("own",)}
        model = HeldOut(train, test, discrete, levels)
        splits = [HeldOut(train[inner != k], train[inner == k], discrete, levels) for k in range(3)]
        chance = {
            name: sum(split.log_density(dag, split.levels(CUTS) if name == "own" else name).sum() for split in splits)
            for family in names.values()
            for name in family
        }
        best = {family: max(each, key=chance.get) for family, each in names.items()}
        for family, name in best.items():
            evaluator = model.levels(CUTS) if name == "own" else name
            assert row[family] == pytest.approx(model.log_density(dag, evaluator).sum())
        assert row["evaluator"] == max(best, key=lambda family: chance[best[family]])
        assert row["log_likelihood"] == row[row["evaluator"]]
        assert best["eqfreq"] == f"eqfreq{row['levels']}"
        assert method != "direct" or row["own"] == row[GAUSSIAN]
        assert row["independence"] == pytest.approx(model.independence.sum())
        assert (row["status"], row["message"]) == ("ok", "")


def test_equal_classes_have_equal_values_whatever_the_method(rows):
    for row in of(rows, TRUTH):
        assert row["own"] is None
        for method in ("truth", "pattern", "direct"):
            same = ("levels", *SHARED, *(("log_likelihood", "evaluator") if method == "direct" else ()))
            (other,) = (each for each in of(rows, method) if each["replicate"] == row["replicate"])
            assert [other[name] for name in same] == [row[name] for name in same]


def test_runs_that_failed_say_why(rows):
    messages = {"slow": ("timeout", "over 60 s"), "blind": ("error", "no graph"), "cyclic": ("error", "cycle")}
    for method, (status, message) in (messages | {"absent": ("error", "left no run")}).items():
        for row in of(rows, method):
            assert row["log_likelihood"] is None
            assert row["status"] == status
            assert message in row["message"]
            assert row["independence"] < 0


def test_the_cut_into_batches_leaves_no_trace(batch, rows):
    parts = [held_out(batch[0], part) for part in (range(1), range(1, FOLDS))]
    assert [row for part in parts for row in part] == rows


def test_data_that_are_not_there_are_named(batch):
    gone = {"status": "unavailable", "message": "not public"}
    parquet.write_data(batch[0] / "gone.parquet", [], [], cell="own", **gone)
    for row in held_out(batch[0], data="gone"):
        assert (row["status"], row["message"], row["replicate"]) == ("unavailable", "not public", 0)


def resample(folder, name, replicates, **options):
    source = parquet.open_data(folder / "own.parquet")
    about = ResampleJob("own", "own", name, replicates, options, SEED)
    parquet.write_parts(folder / "drawn.parquet", [script("resample").resampled(source, about)])
    return parquet.open_data(folder / "drawn.parquet")


def test_a_replicate_of_a_cross_validation_is_all_but_its_fold(batch):
    folder, values = batch
    file = resample(folder, "folds", range(1, 3), kind="cross_validation", folds=FOLDS)
    assert (file.metadata["cell"], file.metadata["truth"], file.replicates) == ("own-folds", "net", [1, 2])
    parts = folds(ROWS, FOLDS, *IDENTITY)
    for r, data in file:
        drawn = data.values[:, np.argsort(data.variables)]  # a, b, c
        assert np.array_equal(drawn[:, [0, 2]], values[parts != r][:, [0, 2]])
        codes, training = drawn[:, 1], values[parts != r][:, 1]
        assert set(codes) == set(range(len(set(training))))  # numbered anew where a level is lacking
        assert np.array_equal(np.argsort(codes, kind="stable"), np.argsort(training, kind="stable"))


NAMES = ["a", "b", "c", "d"]
COLLIDER = np.array([[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]], bool)  # a -> c <- b, c -> d


def data_set(values, names=NAMES, discrete=()):
    flags = np.array([name in discrete for name in names])
    return DataSet([f"V{i}" for i in range(len(names))], list(names), np.asfortranarray(values), flags, {})


def draw_records(records, rng):
    a, b = rng.normal(0, 1, (2, records))
    c = a * b + a + b + rng.normal(0, 0.5, records)
    return np.column_stack([a, b, c, np.where(c > 0, 1.0, 0.0)])


def arranged(graph, judge):
    """A graph of NAMES in the order of the judge's variables."""
    places = [NAMES.index(name) for name in judge.variables]
    return graph[np.ix_(places, places)]


def by_hand(train, test, dag, thresholds):
    """Mean log density of test records above that without edges, record by record, by the formulas of `binned_gain`."""
    total = 0.0
    codes = [[tuple(np.searchsorted(cuts, x, side="right") for cuts, x in zip(thresholds, row, strict=True))
              for row in values] for values in (train, test)]  # fmt: skip
    for child in range(len(thresholds)):
        parents = np.flatnonzero(dag[:, child]).tolist()
        if not parents:
            continue
        masses = SmoothDensity(train[:, child]).masses(thresholds[child])
        levels, seen = range(len(masses)), Counter((tuple(row[p] for p in parents), row[child]) for row in codes[0])
        alone = [(sum(row[child] == k for row in codes[0]) + masses[k]) / (len(train) + 1) for k in levels]
        for row in codes[1]:
            u = tuple(row[p] for p in parents)
            within = sum(seen[u, k] for k in levels)
            given_u = [(seen[u, k] + alone[k]) / (within + 1) for k in levels]
            scale = sum(masses[k] * given_u[k] / alone[k] for k in levels)
            total += math.log(given_u[row[child]] / alone[row[child]] / scale)
    return total / test.size


def test_tables_of_own_levels_are_counts_by_hand(rng):
    train, test = rng.normal(0, 1, (60, 4)), rng.normal(0, 1, (40, 4))
    for values in (train, test):
        values[:, 2] += values[:, 0] - values[:, 1]
    judge = NewRecords(data_set(train), data_set(test))
    cuts = {"a": [0.0], "b": [-0.5, 0.5], "c": [-1.0, 0.0, 1.0], "d": []}
    thresholds = [np.array(cuts[name]) for name in judge.variables]
    gain = judge.measure(arranged(COLLIDER, judge), "dag", thresholds)["held_out_own"]
    places = [NAMES.index(name) for name in judge.variables]
    dag = consistent_extension(cpdag(arranged(COLLIDER, judge)))[0]
    assert gain == pytest.approx(by_hand(train[:, places], test[:, places], dag, thresholds), abs=1e-10)


def test_dependence_that_is_there_is_worth_more_than_none(rng):
    judge = NewRecords(data_set(draw_records(2000, rng), discrete="d"), data_set(draw_records(500, rng), discrete="d"))
    thresholds = [np.empty(0) if name == "d" else np.array([-0.5, 0.5]) for name in judge.variables]
    none = judge.measure(np.zeros((4, 4), bool), "dag", thresholds)
    assert none == {"held_out_splines": 0.0, "held_out_tables": 0.0, "held_out_own": 0.0}
    gains = judge.measure(arranged(COLLIDER, judge), "dag", thresholds)
    assert min(gains.values()) > 0.05
    wrong = np.zeros((4, 4), bool)
    wrong[0, 1] = True  # two independent causes
    assert max(judge.measure(arranged(wrong, judge), "dag", thresholds).values()) < 0.005
    assert judge.measure(arranged(COLLIDER, judge), "dag", None)["held_out_own"] is None


@given(st.permutations(range(4)), st.permutations(range(4)), st.integers(0, 100))
def test_neither_names_nor_the_order_of_columns_matter(order, other, seed):
    rng = np.random.default_rng(seed)
    train, test = draw_records(80, rng), draw_records(30, rng)
    results = []
    for first, second, names in ((range(4), range(4), NAMES), (order, other, ["w", "x", "y", "z"])):
        judge = NewRecords(
            data_set(train[:, first], [names[i] for i in first], names[3]),
            data_set(test[:, second], [names[i] for i in second], names[3]),
        )
        places = [names.index(name) for name in judge.variables]
        graph = COLLIDER[np.ix_(places, places)]
        results.append(judge.measure(graph, "dag", [np.array([0.1]) if i < 3 else np.empty(0) for i in places]))
    assert results[0] == results[1]


def test_equivalent_graphs_are_worth_the_same(rng):
    judge = NewRecords(data_set(draw_records(300, rng), discrete="d"), data_set(draw_records(100, rng), discrete="d"))
    chain = np.zeros((4, 4), bool)
    chain[0, 2] = chain[2, 3] = True
    pattern = judge.measure(arranged(cpdag(chain), judge), "pdag", None)
    assert all(judge.measure(arranged(graph, judge), "dag", None) == pattern for graph in (chain, chain.T))


def test_records_of_something_else_are_refused(rng):
    train = data_set(draw_records(50, rng), discrete="d")
    with pytest.raises(InputError, match="other variables than"):
        NewRecords(train, data_set(draw_records(20, rng), ["a", "b", "c", "e"]))
    with pytest.raises(InputError, match="other variables are discrete"):
        NewRecords(train, data_set(draw_records(20, rng)))


def test_a_judge_that_cannot_be_fitted_leaves_the_others(rng, monkeypatch):
    def singular(features, child):
        raise np.linalg.LinAlgError("Singular matrix")

    judge = NewRecords(data_set(draw_records(80, rng), discrete="d"), data_set(draw_records(20, rng), discrete="d"))
    monkeypatch.setattr(curves, "linear", singular)
    gains = judge.measure(arranged(COLLIDER, judge), "dag", None)
    assert gains["held_out_splines"] is None
    assert isinstance(gains["held_out_tables"], float)

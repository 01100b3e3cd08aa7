"""The tables of own data against counting by hand."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import synthetic_own
from cutpoint.bench.studies.calibration.experiments import reliability
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from script_tools import script

from cutpoint.base.checking import read_yaml
from cutpoint.bench.artefacts import table as artefacts
from cutpoint.bench.engine.declaration import declared, study_file
from cutpoint.bench.engine.tables import make_table
from cutpoint.bench.runs.runner import edge_rows
from cutpoint.bench.studies.own import confidence, held_out, study
from cutpoint.bench.studies.own.columns import texts
from cutpoint.bench.studies.own.held_out import mean_interval
from cutpoint.bench.studies.own.outcomes import OWN, basis, data, outcomes
from cutpoint.data.worries import worries
from cutpoint.graphs.frequencies import edge_frequencies, frequencies_of
from cutpoint.graphs.metrics import shd
from cutpoint.graphs.patterns import cpdag

FAILED, BROKEN = 3, 4  # places of methods
GRAPHS = st.integers(0, 100_000).map(lambda seed: synthetic_own.random_dag(6, 8, np.random.default_rng(seed)))


@pytest.fixture(scope="module")
def run():
    return synthetic_own.inputs(12, truth=True, failed=[FAILED], broken=[BROKEN])


@pytest.fixture(scope="module")
def empty():
    return synthetic_own.nothing()


def rows(inputs, name):
    table = make_table(inputs, name)
    return {row.key: dict(zip(table.columns, row.cells, strict=True)) for row in table.rows}


def test_mean_and_interval_of_a_few_values():
    values = np.array([0.3, np.nan, 0.5, 0.1, 0.25])
    good = values[np.isfinite(values)]
    low, high = stats.t.interval(0.95, len(good) - 1, good.mean(), stats.sem(good))
    assert mean_interval(values) == pytest.approx((good.mean(), low, high))
    assert mean_interval(np.array([2.0, np.nan]))[0] == 2
    assert np.isnan(mean_interval(np.array([2.0, np.nan]))[1:]).all()
    assert np.isnan(mean_interval(np.full(3, np.nan))).all()


def test_held_out_means_and_paired_differences(run):
    table, gains_table = run.held_out, rows(run, "table_held_out")
    columns = (table[k] for k in ("method", "replicate", "log_likelihood", "independence", "records"))
    runs = [run for run in zip(*columns, strict=True) if np.isfinite(run[2])]
    value = {(m, f): (total / n, alone / n) for m, f, total, alone, n in runs}
    folds = sorted({f for _, f in value})
    names = [m.name for m in run.methods]
    gain = {name: [value[name, f][0] - value[name, f][1] for f in folds if (name, f) in value] for name in names}
    best = max((m for m in gain if len(gain[m]) == len(folds)), key=lambda m: np.mean(gain[m]))
    assert gains_table[best]["Gain over the best graph"].reproduced == "best"
    for m in run.methods:
        if not gain[m.name]:
            continue
        cell = gains_table[m.name]["Gain over no edges"]
        assert cell.reproduced == pytest.approx(np.mean(gain[m.name]))
        spread = stats.t.interval(0.95, len(gain[m.name]) - 1, np.mean(gain[m.name]), stats.sem(gain[m.name]))
        assert (cell.low, cell.high) == pytest.approx(spread)
        if m.name != best:
            both = [value[m.name, f][0] - value[best, f][0] for f in folds if (m.name, f) in value]
            assert gains_table[m.name]["Gain over the best graph"].reproduced == pytest.approx(np.mean(both))
    broken = gains_table[run.methods[BROKEN].name]
    assert artefacts.coverage_text(broken["Gain over no edges"]) == "4/5 runs"
    assert "1 of 5 failed" in broken["Folds"].reproduced
    alone = gains_table[held_out.EMPTY[0]]
    assert alone["Gain over the best graph"].reproduced == pytest.approx(-np.mean(gain[best]))


def test_the_best_method_has_all_its_folds(run):
    table = {name: column.copy() for name, column in run.held_out.items()}
    table["log_likelihood"][table["method"] == run.methods[BROKEN].name] += 1e6
    changed = run.with_metrics(run.metrics, held_out=table)
    assert run.methods[BROKEN].name not in held_out.best(changed)
    assert rows(changed, "table_held_out")[run.methods[BROKEN].name]["Gain over the best graph"].reproduced != "best"


def gains_of(inputs, gains):
    """Inputs with some gains of the methods on the folds, nats per record [M, F]."""
    table = {name: column.copy() for name, column in inputs.held_out.items()}
    for m, each in zip(inputs.methods, gains, strict=True):
        for r, gain in enumerate(each):
            row = (table["method"] == m.name) & (table["replicate"] == r)
            table["log_likelihood"][row] = (table["independence"] + gain * table["records"])[row]
    return inputs.with_metrics(inputs.metrics, held_out=table)


NAMES = ("equal_frequency", "hartemink", "bach")  # the last of them has no thresholds
LOW, MIDDLE, HIGH = ([0.1, 0.11, 0.1, 0.12, 0.1], [0.3, 0.31, 0.3, 0.29, 0.3], [0.5, 0.52, 0.51, 0.5, 0.53])


def three(gains, methods=NAMES):
    """Inputs of three methods with some gains on the folds."""
    run = synthetic_own.inputs(6)
    chosen = [m for m in run.methods if m.name in methods]
    return gains_of(run.with_metrics(run.metrics, methods=chosen), gains)


def test_rows_stand_in_the_order_of_their_gains_and_those_not_worse_than_the_best_are_marked():
    slightly = np.add(HIGH, [0.01, -0.01, 0.02, -0.01, 0.0])
    wide = [0.6, -0.2, 0.9, 0.1, 0.4]  # as good as the best, and perhaps no better than no edges
    below = np.negative(LOW)
    for gains, order, marked in (
        ([LOW, HIGH, MIDDLE], ["hartemink", "bach", "equal_frequency", "independence"], {"hartemink"}),
        ([LOW, HIGH, slightly], ["bach", "hartemink", "equal_frequency", "independence"], {"bach", "hartemink"}),
        ([wide, LOW, MIDDLE], ["equal_frequency", "bach", "hartemink", "independence"], {"equal_frequency", "bach"}),
        ([wide, below, np.negative(HIGH)], ["equal_frequency", "independence"], {"equal_frequency", "independence"}),
    ):
        cells = rows(three(gains), "table_methods")
        assert [*cells][: len(order)] == order
        assert {name for name, row in cells.items() if row["Not significantly worse"].reproduced == "yes"} == marked
        for name, gain in zip(NAMES, gains, strict=True):
            assert cells[name]["Held-out gain"].reproduced == pytest.approx(np.mean(gain))


def test_methods_with_a_failed_fold_are_not_compared(run):
    cells = rows(run, "table_methods")
    for place in (FAILED, BROKEN):
        assert artefacts.absent(cells[run.methods[place].name]["Not significantly worse"])
    assert [*cells][-1] == run.methods[FAILED].name


def test_equal_graphs_are_both_the_best_of_the_table():
    run = gains_of(synthetic_own.inputs(6, 3), [HIGH, LOW, HIGH])
    cells = rows(run, "table_held_out")
    assert [cells[m.name]["Gain over the best graph"].reproduced == "best" for m in run.methods] == [True, False, True]


def test_graphs_under_each_evaluator(run):
    cells, table = rows(run, "table_evaluators"), run.held_out
    columns = {"own": "The method's own", "gaussian": "Gaussian copula", "eqfreq": "Equal frequency"}
    for name, key in ((m.name, m.name) for m in run.methods if m.name in {*table["method"]}):
        which = (table["method"] == key) & (table["status"] == "ok")
        for evaluator, column in columns.items():
            gains = ((table[evaluator] - table["independence"]) / table["records"])[which]
            if len(gains):
                assert cells[name][column].reproduced == pytest.approx(gains.mean())
    assert cells["truth"]["Gaussian copula"].reproduced > 0
    assert artefacts.absent(cells["truth"]["The method's own"])
    assert "truth" not in rows(synthetic_own.inputs(5, 2), "table_evaluators")


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=6))
def test_stability_against_pairs_of_graphs(drawn):
    graphs = np.zeros((len(drawn), 4, 4), bool)
    graphs[:, *np.triu_indices(4, 1)] = drawn
    both = sum(int((a & b).sum()) for a, b in combinations(graphs, 2))
    either = sum(int((a | b).sum()) for a, b in combinations(graphs, 2))
    share = confidence.stability(edge_frequencies(graphs))
    assert np.isnan(share) if not either else share == pytest.approx(both / either)


@settings(max_examples=30, deadline=None)
@given(st.lists(GRAPHS, min_size=1, max_size=6))
def test_shares_in_files_are_the_frequencies_of_the_graphs(graphs):
    names = list("abcdef")
    runs = [{"cell": "c", "method": "m", "replicate": r, "status": "ok", "kind": "dag"} for r in range(len(graphs))]
    each = [edge_rows({"cell": "c", "method": "m", "replicate": r}, names, graph) for r, graph in enumerate(graphs)]
    edges = [row for rows in each for row in rows]
    read = frequencies_of(script("edges").edge_shares(runs, edges), names, len(graphs))
    counted = edge_frequencies([cpdag(graph) for graph in graphs])
    for name in ("adjacent", "directed", "undirected"):
        np.testing.assert_allclose(getattr(read, name), getattr(counted, name))
    for i, j in np.ndindex(6, 6):
        settled = 4 * sum(int(cpdag(g)[i, j] and not cpdag(g)[j, i]) for g in graphs) >= 3 * len(graphs)
        assert (confidence.mark(read, i, j) == "->") == (confidence.mark(read, j, i) == "<-") == settled


def test_the_edges_of_the_network_stand_before_those_that_others_share(run):
    table, learned = make_table(run, "table_network"), outcomes(run)
    graph, names = learned[study.shown(run)].graph, data(run).variables
    inside = [row for row in table.rows if row.cells[4].reproduced == "yes"]
    assert table.rows[: len(inside)] == tuple(inside)
    joined = [frozenset((names[i], names[j])) for i, j in np.argwhere(graph)]
    assert {frozenset(row.key.split("--")) for row in inside} == {*joined}
    graphs = [each.graph for each in learned if each.graph is not None]
    for row in table.rows:
        i, j = (names.index(name) for name in row.key.split("--"))
        votes = sum(bool(each[i, j] or each[j, i]) for each in graphs)
        assert row.cells[2].reproduced == f"{votes} of {len(graphs)}"
        assert row in inside or 2 * votes > len(graphs)
        assert "→" not in row.label or (graph[i, j] and not graph[j, i])


def test_edges_stand_in_order_of_their_mean(run):
    table = make_table(run, "table_edges")
    means = [row.cells[0].reproduced for row in table.rows]
    assert means == sorted(means, reverse=True)
    shares = {(r["method"], r["source"], r["target"]): r["any"] for r in run.edges.to_dict("records")}
    good = [k for k in range(len(run.methods)) if k != FAILED]
    for row in table.rows:
        ends = row.key.split("--")
        each = [shares.get((run.methods[k].name, *ends), 0.0) for k in good]
        assert row.cells[0].reproduced == pytest.approx(np.mean(each))
        assert [float(row.cells[k + 1].reproduced.split()[0]) for k in good] == pytest.approx(each, abs=0.0051)
        assert artefacts.absent(row.cells[FAILED + 1])


def test_a_long_table_of_edges_says_what_it_leaves_out():
    large = synthetic_own.inputs(30, 3)
    table = make_table(large, "table_edges")
    most = declared("own").tables["table_edges"].options["most"]
    assert len(table.rows) == most
    more = len(large.edges[["source", "target"]].drop_duplicates()) - most
    assert any(note.startswith(f"{more} more pairs") for note in table.notes)


def test_agreement_against_sets_of_pairs(run):
    results, table = outcomes(run), rows(run, "table_agreement")
    learned = [o for o in results if o.graph is not None]
    pairs = {o.method.name: {frozenset(map(int, e)) for e in np.argwhere(o.graph)} for o in learned}
    for a in learned:
        cells = table[a.method.name]
        for b in results:
            if b.graph is None:
                assert artefacts.absent(cells[f"{b.method.label}, Jaccard"])
                continue
            one, other = pairs[a.method.name], pairs[b.method.name]
            assert cells[f"{b.method.label}, Jaccard"].reproduced == pytest.approx(len(one & other) / len(one | other))
            assert cells[f"{b.method.label}, SHD"].reproduced == shd(b.graph, a.graph, "standard")
        assert cells[f"{a.method.label}, SHD"].reproduced == 0


def test_the_row_of_a_method(run):
    results, table = outcomes(run), rows(run, "table_methods")
    continuous = np.flatnonzero(~run.datasets[OWN].discrete)
    for each in (o for o in results if o.graph is not None):
        cells = table[each.method.name]
        edges = [frozenset(pair) for pair in np.argwhere(each.graph).tolist()]
        assert cells["Edges"].reproduced == len({*edges})
        assert cells["Undirected"].reproduced == len(edges) - len({*edges})
        which = (run.metrics["grid"] == "whole") & (run.metrics["method"] == each.method.name)
        assert cells["CPU seconds"].reproduced == run.metrics["seconds"][which].item()
        if each.thresholds is None:
            assert cells["Levels"].reproduced == "-"
        else:
            levels = np.mean([len(each.thresholds[i]) + 1 for i in continuous])
            assert cells["Levels"].reproduced == pytest.approx(levels)


def test_distances_to_the_true_network_are_means_over_resamples(run):
    cells = rows(run, "table_structure")[run.methods[1].name]
    which = (run.metrics["grid"] == "confidence") & (run.metrics["method"] == run.methods[1].name)
    assert cells["SHD, mean"].reproduced == pytest.approx(run.metrics["shd_standard"][which].mean())
    assert artefacts.coverage_text(rows(run, "table_structure")[run.methods[BROKEN].name]["SHD, mean"]) == "19/20 runs"


NUMBERS = st.floats(-1e9, 1e9)


@given(st.lists(NUMBERS, min_size=1, max_size=6, unique=True).map(sorted), st.lists(NUMBERS, max_size=30))
def test_thresholds_as_they_are_written_give_the_same_levels(cuts, values):
    labels = texts(np.array(values), cuts)
    assert len(set(labels)) == len(set(cuts))
    np.testing.assert_allclose([float(text) for text in labels], cuts, rtol=1e-3)
    for value in values:
        assert sum(value >= float(text) for text in labels) == sum(value >= cut for cut in cuts)


def test_texts_of_thresholds():
    none = np.empty(0)
    assert texts(none, [0.000012345, 20370.4]) == ["1.234e-05", "20370"]
    assert texts(none, [1234.1, 1234.4]) == ["1234.1", "1234.4"]
    assert texts(np.array([4362.0, 4363.0]), [4362.5]) == ["4362.5"]  # 4362 belongs below it
    assert texts(np.array([4361.0, 4364.0]), [4362.5]) == ["4362"]


def test_samples_that_are_smaller_than_the_data_are_said():
    run = synthetic_own.inputs()
    drawn = run.metrics["grid"] == "confidence"
    cells = np.where(drawn, "own-bootstrap", run.metrics["cell"])
    small = run.with_metrics({**run.metrics, "cell": cells, "n": np.where(drawn, 100.0, run.metrics["n"])})
    same = run.with_metrics({**run.metrics, "cell": cells})
    assert basis(small, ["confidence"]).text == "20 bootstrap resamples of 100 of 400 records; seed 2005."
    assert basis(same, ["confidence"]).text == "20 bootstrap resamples of 400 records; seed 2005."
    note_start = "Each resample has 100 of the 400 records, so that the shares are those of graphs learned from so many"
    for inputs, count in ((small, 1), (same, 0), (run, 0)):
        assert sum(note.startswith(note_start) for note in make_table(inputs, "table_edges").notes) == count


def test_a_high_share_has_the_range_of_what_it_was_worth(run):
    bootstrap = synthetic_own.inputs(12, truth=True)
    cells = np.where(bootstrap.metrics["cell"] == "own-jackknife", "own-bootstrap", bootstrap.metrics["cell"])
    bootstrap = bootstrap.with_metrics({**bootstrap.metrics, "cell": cells})
    shares = {(name, n): true / pairs for name, of in confidence.TRUSTED.items() for n, (pairs, true) in of.items()}
    (low, n), (high, m) = min(shares, key=shares.get), max(shares, key=shares.get)
    expected = (
        f"between {shares[low, n]:.0%} ({low}, N = {n}) and {shares[high, m]:.0%} ({high}, N = {m}) were truly adjacent"
    )
    assert any(expected in note for note in make_table(bootstrap, "table_edges").notes)
    notes = make_table(run, "table_edges").notes
    assert not any("truly adjacent" in note for note in notes)  # the jackknife's are higher


def test_what_a_high_share_was_worth_is_what_the_experiment_finds():
    scale = read_yaml(study_file("calibration"))["scales"]["published"]["experiments"]["reliability"]
    rows_of_bins = reliability(2005, **{**scale, "sure": (), "networks": ("asia",)})
    for n in scale["records"]:
        about = {"records": n, "resample": "bootstrap", "feature": "adjacency"}.items()
        sure = [row for row in rows_of_bins if about <= row.items() and row["confidence"] > confidence.SURE + 1e-9]
        kept = [(row["pairs"], row["true"]) for row in sure]
        assert tuple(np.sum(kept, axis=0)) == confidence.TRUSTED["asia"][n]


def test_reasons_to_worry_are_those_of_the_data():
    inputs = synthetic_own.inputs(4)
    table = data(inputs)
    calm = {row: cells["Worry?"].reproduced for row, cells in rows(inputs, "table_worries").items()}
    assert calm["Missing_cells"] == calm["Columns_that_say_the_same"] == "no"
    assert calm["Few_records"] == ("yes" if len(table.values) < 20 * len(table.variables) else "no")
    values, (first, second) = table.values.copy(), np.flatnonzero(~table.discrete)[:2]
    values[: len(values) // 2, second] = np.nan
    values[: len(values) // 3, first] = 1.0
    found = worries(values, table.discrete, table.variables)
    broken = replace(inputs, datasets={OWN: replace(table, values=values, worries=found)}, cache={})
    worried = rows(broken, "table_worries")
    assert worried["Missing_cells"]["Worry?"].reproduced == worried["Repeated_values"]["Worry?"].reproduced == "yes"
    assert table.variables[first] in worried["Repeated_values"]["In your data"].reproduced
    assert rows(synthetic_own.nothing(), "table_worries") == {}


def test_an_arc_that_is_known_is_no_evidence():
    inputs = synthetic_own.inputs(4)
    name, learned = next(
        (key, row) for key, row in rows(inputs, "table_network").items() if row["In the network"].reproduced == "yes"
    )
    known = replace(data(inputs), knowledge={"required": [name.split("--")]})
    cells = rows(replace(inputs, datasets={OWN: known}, cache={}), "table_network")[name]
    assert [cell.reproduced for cell in cells.values()] == ["known"] * 4 + ["yes"]
    assert learned["Confidence"].reproduced != "known"

"""The study of Tran (2013): its graphs, experiments, tables, claims, and the errors found in print."""

import math
from dataclasses import replace

import numpy as np
import pytest
import synthetic_tran
from all_dags import enumerate_dags
from cutpoint.bench.studies.tran2013 import coarse, experiments, graphs
from cutpoint.bench.studies.tran2013.experiments import EXPERIMENTS
from cutpoint.bench.studies.tran2013.study import KINDS
from matplotlib.text import Text
from synthetic_tran import SMALL

from cutpoint.base.errors import InputError
from cutpoint.bench.engine.show import claims_of, figures_of, tables_of
from cutpoint.bench.report.artefacts import Scale
from cutpoint.bench.report.claims import judge
from cutpoint.bench.statistics.verdicts import CONTRADICTED, HOLDS, NO_DATA, OPEN, REPRODUCED
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners import scores
from cutpoint.learners.information import mutual_information
from cutpoint.method.parsing import check_options

TABLES, FIGURES, CLAIMS = (of("tran2013") for of in (tables_of, figures_of, claims_of))


@pytest.fixture(scope="module")
def results():
    return synthetic_tran.results()


@pytest.fixture(scope="module")
def inputs(results):
    return synthetic_tran.inputs(results)


def judgements(inputs):
    return {name: judge(name, claim, inputs).judgement for name, claim in CLAIMS.items()}


def test_the_graphs_are_all_dags_on_three_nodes_in_eleven_classes():
    found = {graphs.adjacency(arcs).tobytes() for arcs in graphs.GRAPHS}
    assert found == {dag.tobytes() for dag in enumerate_dags(3)}
    assert len(graphs.GRAPHS) == 25
    assert [len(members) for members in graphs.CLASSES] == [1, 2, 2, 2, 3, 3, 1, 3, 1, 1, 6]
    assert set(graphs.GRAPHS[7]) == {("1", "2"), ("1", "3")}
    assert {len({cpdag(graphs.adjacency(graphs.GRAPHS[g - 1])).tobytes() for g in c}) for c in graphs.CLASSES} == {1}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiments_depend_on_the_seed_alone(name, results):
    again, other = (EXPERIMENTS[name](seed, **SMALL[name]) for seed in (1, 2))
    assert again == results[name]
    assert other != again
    assert {tuple(row) for row in again} == {tuple(again[0])}
    assert all(isinstance(value, float | int | str | bool) for row in again for value in row.values())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("explosions", {"values": [2]}), ("explosions", {"values": [4, 17]}), ("explosions", {"values": []}),
        ("explosions", {"weights": []}), ("explosions", {"samples": 0}), ("recovery", {"records": []}),
        ("recovery", {"records": [0]}), ("recovery", {"values": []}), ("recovery", {"values": [17]}),
        ("recovery", {"samples": 0}), ("graph_scores", {"samples": 0}), ("removals", {"records": 0}),
    ],
)  # fmt: skip
def test_options_out_of_bounds_are_refused(name, options):
    with pytest.raises(InputError, match=rf"^x: {next(iter(options))}: [^\n]+$"):
        check_options([EXPERIMENTS[name]], options, "x")


def test_rounding_of_large_counts_makes_nothing_shorter_than_the_shortest():
    """The lengths of one discretization, summed in two orders, differ by more than 1e-12 of themselves here."""
    rows = EXPERIMENTS["explosions"](2005, values=[8], weights=[100, 10_000], samples=3)
    table = [row for row in rows if (row["place"], row["sample"]) == ("child", 2)]
    assert [(row["recovered"], row["optimal"]) for row in table] == [(True, True)] * 2
    assert {row["optimal"] for row in rows if row["recovered"]} == {True}


def test_scores_are_those_of_the_score_functions(results):
    rows = [row for row in results["graph_scores"] if row["sample"] == 0]
    by_graph = {row["graph"]: row for row in rows}
    n = SMALL["graph_scores"]["records"]
    for graph, row in by_graph.items():
        free, full = graphs.parameters(graph), graphs.parameters(graph, full=True)
        assert row["bic"] - row["aic"] == pytest.approx(free * (math.log(n) - 2))
        assert row["bic_full"] - row["aic_full"] == pytest.approx(full * (math.log(n) - 2))
        roots = sum(1 for node in graphs.NODES if node not in {end for _, end in graphs.GRAPHS[graph - 1]})
        assert row["mdl"] - row["mdl_rootless"] == pytest.approx(5 * roots * math.log(n) / 2)
        # (3.8): natural logarithms, three nodes of six values
        arcs = len(graphs.GRAPHS[graph - 1])
        assert row["mdl"] - row["bic"] / 2 == pytest.approx(3 * math.log(6) + (3 + arcs) * math.log(3))


def test_full_parameters_are_equal_within_a_class_only_when_nodes_have_as_many_values(rng):
    codes = rng.integers(0, [2, 3], (50, 2)).astype(np.int32)
    one, other = np.array([[0, 1], [0, 0]], bool), np.array([[0, 0], [1, 0]], bool)
    for options, equal in (({}, True), ({"parameters": "full"}, False)):
        score = scores.aic(codes, np.array([2, 3]), **options)
        assert math.isclose(scores.network_score(score, one), scores.network_score(score, other)) == equal


def test_explosions_are_as_asked_for(rng):
    column = rng.integers(0, 3, 200_000)
    shares = [np.array([1 / 3, 2 / 3]), np.array([2 / 7, 4 / 7, 1 / 7]), np.array([1.0])]
    finer = experiments.explode(rng, column, shares)
    original = np.repeat(np.arange(3), [2, 3, 1])
    np.testing.assert_array_equal(original[finer], column)
    for i, part in enumerate(shares):
        mine = finer[column == i]
        np.testing.assert_allclose([(mine == v).mean() for v in np.flatnonzero(original == i)], part, atol=0.01)
    chosen, exact = experiments.copies(column[:50], [np.array([1, 2]), np.array([1, 1, 1]), np.array([3])])
    np.testing.assert_array_equal(original[exact], column[:50][chosen])
    for i, part in enumerate([[1, 2], [1, 1, 1], [3]]):
        counts = [(exact == v).sum() for v in np.flatnonzero(original == i)]
        np.testing.assert_array_equal(counts, np.array(part) * (column[:50] == i).sum())
    assert experiments.true_thresholds([2, 3, 1]).tolist() == [False, True, False, False, True]
    assert experiments.groups_text(experiments.true_thresholds([2, 3, 1])) == "12|345|6"


def test_coarse_intervals_lose_independence():
    xy = coarse.series(1)
    (fine, remaining), (rough, lost) = (
        coarse.measured(xy, breaks) for breaks in (coarse.fine_breaks(xy), coarse.BREAKS)
    )
    assert remaining > 1
    assert lost < 0.02
    assert rough <= fine
    codes = np.searchsorted(coarse.BREAKS, xy)
    table = np.zeros((3, 3))
    np.add.at(table, tuple(codes.T), 1 / len(codes))
    assert rough == pytest.approx(mutual_information(table))


# Bits by which (3.13) falls from six levels of X1 to five that lose nothing, with r parameters per configuration
SAVED = 5 * (0.8 * math.log2(0.8) + 0.2 * math.log2(0.2)) + math.log2(6 / 5) + 4 * math.log2(50_000) / 2


def test_a_right_removal_saves_at_most_what_its_parameters_cost(inputs):
    rows = {row.key: row.cells for row in TABLES["table_5.1"](inputs).rows}
    assert list(rows) == list(inputs.printed("table_5.1_dl_local"))
    assert -SAVED <= rows["12|3|4|5|6"][1].reproduced < 0
    assert rows["1|23|4|5|6"][2].reproduced > 0


MANY = 200  # samples


def repeated(rows):
    """Return the rows of the first sample of an experiment as those of many."""
    return [row | {"sample": k} for k in range(MANY) for row in rows if row["sample"] == 0]


@pytest.fixture(scope="module")
def many(inputs):
    """Many samples that show what the thesis says."""
    found = {name: repeated(inputs.experiments[name]) for name in ("graph_scores", "removals")}
    for row in found["removals"]:
        for name in ("dl_full", "dl_free"):
            kind = KINDS.get(row["discretization"], "")
            row[name] = {"full list": 0.0, "right removal": -10.0, "true": -30.0}.get(kind, 100.0)
    tables = [row for row in inputs.experiments["explosions"] if row["records"] > 12_000]
    return replace(inputs, experiments={**found, "explosions": tables * 20}, cache={})


def test_what_the_thesis_says_holds_of_samples_that_are_so(many):
    assert {name: found.grade for name, found in judgements(many).items()} == dict.fromkeys(CLAIMS, REPRODUCED)


def test_one_pass_is_judged_with_the_most_records(inputs):
    cost, outcome = judgements(inputs)["T4"].statements
    shares = list(outcome.numbers.values())
    assert cost.numbers["tables"] == outcome.replicates == 16
    assert outcome.numbers["share"] == shares[-1] == 1
    assert 0 < shares[1] < 1  # with few records
    assert f"with {24 * 500 * 100_000:,} records" in outcome.text


@pytest.mark.parametrize(
    ("name", "experiment", "change"),
    [
        ("T1", "graph_scores", lambda row: {"aic": row["aic"] - 1e5 * (row["graph"] == 18)}),
        ("T2", "graph_scores", lambda row: {"bic": row["bic"] + (row["graph"] == 9)}),
        ("T3", "removals", lambda row: {"dl_full": row["dl_full"] + 1e4 * (row["discretization"] == "12|345|6")}),
        ("T4", "explosions", lambda row: {"recovered": False}),
        ("T4", "explosions", lambda row: {"optimal": False}),
        ("T4", "explosions", lambda row: {"comparisons": 9}),
    ],
)
def test_claims_notice_other_results(many, name, experiment, change):
    rows = [row | change(row) for row in many.experiments[experiment]]
    found = judgements(replace(many, experiments={**many.experiments, experiment: rows}, cache={}))
    assert CONTRADICTED in found[name].verdicts
    assert {each for each in CLAIMS if found[each].grade != REPRODUCED} == {name}


@pytest.mark.parametrize(("share", "verdict"), [(0.99, HOLDS), (0.96, OPEN), (0.85, CONTRADICTED)])
def test_removals_stand_out_in_a_share_of_the_samples(many, share, verdict):
    """The mean over samples would hold in each case: wrong removals raise DL local by 100 bits, or lower it by 1."""
    rows = [
        row | {"dl_full": -1.0} if row["discretization"] == "1|23|4|5|6" and row["sample"] >= share * MANY else row
        for row in many.experiments["removals"]
    ]
    found = judgements(replace(many, experiments={**many.experiments, "removals": rows}, cache={}))["T3"]
    assert found.verdicts[1] == verdict
    assert found.statements[1].numbers["share"] == share


def test_nothing_is_said_of_experiments_that_were_not_run(inputs):
    nothing = judgements(replace(inputs, experiments={}, cache={}))
    assert {found.grade for found in nothing.values()} == {NO_DATA}


def test_both_tables_print_the_same_scores(inputs):
    one, two = inputs.printed("table_2.3_scores"), inputs.printed("table_3.1_scores")
    assert all(one[g][name] == two[g][name] for g in one for name in ("aic", "bic"))


@pytest.mark.parametrize(
    "name",
    ["table_2.1", *FIGURES],
)
def test_what_rests_on_no_replicates_names_none(name, inputs):
    counted = replace(inputs, experiments={}, scale=Scale("published", 1, 7), cache={})
    if name in TABLES:
        texts = [str(TABLES[name](counted).scale)]
    else:
        texts = [text.get_text() for text in FIGURES[name](counted).findobj(Text)]
    assert any(text.endswith("Published scale; seed 1.") for text in texts)

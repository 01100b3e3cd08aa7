"""Claims of the Steck study: true, open and false by construction."""

import pytest
from synthetic_steck import EDGES, MAKERS, clusters, inputs, runs

from cutpoint.bench.engine.show import claims_of
from cutpoint.bench.report.claims import judge
from cutpoint.bench.statistics.verdicts import CONTRADICTED, DIRECTION, HOLDS, NO_DATA, OPEN, PREVIEW, REPRODUCED

CLAIMS = claims_of("steck2007")
SAMPLES = 200  # of learned graphs


def judgement(name, made):
    return judge(name, CLAIMS[name], made).judgement


def parts(name, made):
    """Return the verdicts by what is said."""
    found = judgement(name, made)
    return {said.text: verdict for said, verdict in zip(found.statements, found.verdicts, strict=True)}


def experiments():
    """Return the rows of all experiments, the learned graphs as the paper has them."""
    found = {name: make() for name, make in MAKERS.items()}
    for row in found["graphs"]:
        row.update(samples=SAMPLES, independent=SAMPLES * (row["records"] < 30))
    return found


def changed(experiment, update, /, **which):
    """Return inputs with the rows of an experiment changed where they agree with `which`."""
    found = experiments()
    for row in found[experiment]:
        if all(row[key] == value for key, value in which.items()):
            row.update(update(row))
    return inputs(rows=runs(12), experiments=found)


def shift(column, by):
    return lambda row: {column: row[column] + by}


def fixed(**values):
    return lambda row: values


def in_some(column, values, share):
    """Return a change of so large a share of the samples, in turn."""
    return lambda row: {column: values[row["sample"] % share == 0]}


BROKEN = {
    "S1 exact": ("S1", "clusters", shift("exact", -5), {"clusters": 7, "levels": 7}),
    "S1 greedy": ("S1", "clusters", shift("greedy", 7), {"clusters": 4, "levels": 5}),
    "S2": ("S2", "clusters", shift("greedy", -200), {"clusters": 4, "levels": 5}),
    "S3 maximum": ("S3", "clusters", shift("quantile", -60), {"clusters": 2, "levels": 2}),
    "S3 divisors and multiples": ("S3", "clusters", fixed(quantile=15.0), {"levels": 10}),
    "S4 counts": ("S4", "dependence", fixed(below=130), {"panel": "independent", "variable": 1}),
    "S4 one level": ("S4", "dependence", fixed(free=2), {"panel": "independent", "variable": 0}),
    "S4 threshold": ("S4", "dependence", fixed(wrong=10), {"panel": "dependent", "variable": 0}),
    "S5 low": ("S5", "dependence", fixed(below=100), {"panel": "low noise", "variable": 0}),
    "S5 high": ("S5", "dependence", fixed(wrong=50), {"panel": "high noise", "variable": 1}),
    "S6": ("S6", "overlap", fixed(levels0=2), {"levels0": 4}),
    "S7 levels": ("S7", "sizes", fixed(levels0=30, levels1=30), {"records": 10, "ess": 3.0}),
    "S7 few": ("S7", "graphs", fixed(independent=0), {"records": 10, "method": "steck2"}),
    "S7 many": ("S7", "graphs", fixed(independent=SAMPLES), {"records": 100}),
    "S9": ("S9", "invariance", fixed(policy=-1e-3), {"change": "reversed", "sample": 1}),
}


@pytest.mark.parametrize("case", BROKEN)
def test_parts_are_contradicted_where_they_are_broken(case):
    name, experiment, change, which = BROKEN[case]
    made = changed(experiment, change, **which)
    assert CONTRADICTED in parts(name, made).values()
    others = {each for each in CLAIMS if each != name and judgement(each, made).grade != REPRODUCED}
    assert not others - ({"S1", "S2", "S3"} if experiment == "clusters" else set())


def test_what_the_paper_says_holds_of_data_that_are_so():
    made = changed("clusters", fixed())
    assert {name: judgement(name, made).grade for name in CLAIMS} == dict.fromkeys(CLAIMS, REPRODUCED)


def test_the_highest_score_and_how_far_it_is_ahead_are_judged_apart():
    found = parts(
        "S1", changed("clusters", lambda row: {"greedy": row["greedy"] + 4 * (row["levels"] > 6)}, clusters=6)
    )
    assert {text: each for text, each in found.items() if each != HOLDS} == {
        "6 clusters: the greedy score of 6 levels is ahead of that of more levels by at least 5": CONTRADICTED
    }
    noisy = changed("clusters", lambda row: {"greedy": row["greedy"] + 9 * (-1) ** row["sample"]}, clusters=6, levels=6)
    assert {each for text, each in parts("S1", noisy).items() if text.startswith("6 clusters: the greedy")} == {
        HOLDS,
        OPEN,
    }


def test_a_cost_of_twice_as_much_is_the_direction_only():
    found = parts("S2", changed("clusters", shift("greedy", -70), clusters=4, levels=5))
    assert {each for each in found.values()} == {HOLDS, DIRECTION}


def test_sure_local_maxima_in_half_of_the_panels_are_no_majority():
    def noisy(row):
        return {"quantile": row["quantile"] + 900 * (-1) ** row["sample"] * (row["levels"] == 2 * row["clusters"])}

    found = parts("S3", changed("clusters", noisy))
    assert [each for text, each in found.items() if text.startswith("The divisors")] == [OPEN]


def test_few_records_are_judged_by_the_learned_graphs():
    made = changed("graphs", fixed(independent=SAMPLES // 2), method="steck2", records=10)
    assert list(parts("S7", made).values()).count(OPEN) == 1
    most = changed("graphs", fixed(independent=SAMPLES * 8 // 100), method="steck2", records=100)
    found = {text: each for text, each in parts("S7", most).items() if each != HOLDS}
    assert list(found) == ["steck2: from N = 50 on none is learned as independent (at most 5%)"]
    lost = changed("graphs", fixed(status="timeout", independent=None))
    assert list(parts("S7", lost).values()).count(NO_DATA) == 3


@pytest.mark.parametrize(
    ("method", "edges"), [("steck_quantile4", 85.0), ("steck_levels5", 75.0), ("steck_levels3", 60.0)]
)
def test_numbers_of_edges(method, edges):
    by = edges - EDGES[method]
    rows = [{**row, "learned_edges": row["learned_edges"] + by * (row["method"] == method)} for row in runs(12)]
    assert CONTRADICTED in parts("S8", inputs(rows=rows)).values()


def test_only_printed_levels_decide_on_edges():
    rows = [{**row, "learned_edges": 1.0} if row["method"] == "steck_quantile2" else row for row in runs(12)]
    assert judgement("S8", inputs(rows=rows)).grade == REPRODUCED


def test_a_majority_of_few_samples_is_open():
    made = changed("overlap", in_some("levels0", (4, 9), 3))
    assert judgement("S6", made).statements[0].numbers["share"] == pytest.approx(2 / 3)
    assert judgement("S6", made).grade == OPEN


def test_levels_beyond_the_overlap_are_too_many():
    assert judgement("S6", changed("overlap", fixed(levels0=6), levels0=4)).grade == CONTRADICTED


def test_a_smaller_scale_is_judged_by_what_it_has():
    found = experiments() | {"clusters": clusters(12, (2, 5))}
    small = inputs(experiments=found, scale="quick")
    assert [judgement(name, small).grade for name in ("S1", "S2", "S3")] == [REPRODUCED] * 3
    assert NO_DATA in parts("S1", inputs(experiments=found)).values()


def test_two_samples_conclude_nothing():
    few = inputs(experiments=experiments() | {"clusters": clusters(2)})
    assert judgement("S1", few).grade == PREVIEW

"""What studies will take before they run: sums by hand, and what has no measured cost is named."""

import math

import pytest
from workflow_tools import ROOT

from cutpoint.base.errors import InputError
from cutpoint.bench.workflow.forecast import FIELDS, Forecast, Law, Load, load_of, read_laws, sizes
from cutpoint.bench.workflow.plan import Batch, Cell, Part
from cutpoint.bench.workflow.settings import Study

LAWS = [
    Law("method", "fast", "integrated", 0.1, 1.0, 2.0),
    Law("method", "slow", "integrated tabu", 0.3, 1.0, 2.0),
    Law("method", "other", "direct", 5.0),
    Law("method", "exact", "direct exact", 1.0, most=30),
    Law("discretizer", "bins()", "", 0.03, 1.0),
    Law("experiment", "s/e", "", 40.0),
    Law("experiment", "t/e tiny", "", 3.0),
    Law("job", "", "", 1.5),
    Law("run", "", "", 0.01),
    Law("data", "", "", 0.25),
    Law("study", "", "", 6.0),
    Law("own", "fast", "integrated", 0.2, 1.5),
    Law("own", "", "", 0.02, 0.5),
]
GROUPS = {"mine": "integrated exact", "like": "integrated tabu", "search": "direct exact"}
MADE = {"make": "draw", "title": "t"}
STUDY = Study(
    title="t", citation="c", experiments=["e", "f"],
    tables={"table_1": MADE}, figures={"figure_1": MADE, "figure_2": MADE},
    scales={"published": {}, "tiny": {"experiments": {"f": {"draws": 2}}}},
    random_networks={"random": {"nodes": (10, 20)}}, noises={"low": {"kind": "gaussian", "sigma": 0.1}},
    grids={
        "g": {"networks": ["asia", "random"], "n": [100], "noises": ["low"], "methods": ["a"]},
        "h": {"networks": ["asia"], "n": [100], "noises": ["low"], "methods": ["b"], "held_out": 50},
        "r": {"datasets": ["iris"], "methods": ["a"]},
    },
)  # fmt: skip


def forecast():
    return Forecast(LAWS, GROUPS, 600)


def test_the_sum_of_a_study_by_hand():
    jobs = [{("fast", 2000, 40): 10}, {("other", 1, 1): 20}]
    load = Load("s", jobs=jobs, batches=1, data=4, values=1e6, artefacts=2, experiments={"e": "published"})
    found = forecast().estimate(load)
    runs = 10 * 0.1 * 2 * 4 + 20 * 5.0
    assert found.seconds == pytest.approx(3 * 1.5 + 30 * 0.01 + runs + 4 * 0.25 + 6 + 40)
    assert found.longest == pytest.approx(1.5 + 20 * 5.01)  # the job of the method `other`
    assert found.runs == 30
    assert found.megabytes == pytest.approx(8.5 + 30 * 0.004 + 0.3)


def test_a_discretizer_that_methods_share_runs_once():
    """A method's law includes its discretizer: alone it costs what it says, and two share one."""
    beside = 6 + 2 * 1.5  # the study, and the jobs of discretizers and methods
    for methods, seconds in ((["fast"], 0.1), (["fast", "slow"], 0.1 + 0.3 - 0.03)):
        jobs = [dict.fromkeys(((name, 1000, 20) for name in methods), 5)]
        load = Load(
            "s", jobs=jobs, discretizations=[{("bins()", 1000, 20): 5}], shared=dict.fromkeys(methods, "bins()")
        )
        found = forecast().estimate(load)
        assert found.seconds == pytest.approx(beside + 5 * seconds + 5 * (len(methods) + 1) * 0.01)
        assert found.runs == 5 * len(methods)


def test_a_discretizer_without_a_law_is_counted_with_its_methods():
    load = {"jobs": [{("fast", 1000, 20): 5}]}
    shared = load | {"discretizations": [{("new()", 1000, 20): 5}], "shared": {"fast": "new()"}}
    alone, both = (forecast().estimate(Load("s", **each)).seconds for each in (load, shared))
    assert both == pytest.approx(alone + 1.5 + 5 * 0.01)


@pytest.mark.parametrize(
    ("method", "variables", "seconds", "guessed"),
    [
        ("fast", 20, 0.1, set()),
        ("fast", 1e6, 600, set()),  # stopped at the limit
        ("exact", 30, 1.0, set()),
        ("exact", 31, 0.0, set()),  # ends at once
        ("like", 20, 0.3, {"like"}),  # the same learner
        ("mine", 20, 0.2, {"mine"}),  # the median of the category
        ("unknown", 20, 0.65, {"unknown"}),  # the median of all
        ("search", 31, 0.0, {"search"}),
    ],
)
def test_a_method_without_a_law_takes_the_median_of_similar_ones(method, variables, seconds, guessed):
    model = forecast()
    assert model.run(method, 1000, variables) == pytest.approx(seconds)
    assert model.guessed == guessed


def test_the_page_names_what_has_no_measured_cost():
    loads = [Load("s", jobs=[{("mine", 1000, 20): 1}]), Load("t", experiments={"f": "tiny", "e": "tiny"})]
    page = forecast().page(loads, 1).splitlines()
    assert page[0].split() == ["study", "runs", "CPU", "wall", "on", "1", "core", "disk"]
    assert [line.split()[:2] for line in page[1:4]] == [["s", "1"], ["t", "0"], ["all", "1"]]
    assert page[4] == "no measured cost, taken for similar ones: mine, t/f"


def test_the_work_of_a_study_is_counted_from_its_batches():
    x, y, z = Cell("x", "asia", 100, "low"), Cell("y", "random", 200, "low"), Cell("z", dataset="iris")
    batches = [
        Batch("simulated", "x", (Part("g", x, 2, 4, ("a", "b", "c")), Part("h", x, 4, 5, ("b", "d")))),
        Batch("simulated", "y", (Part("g", y, 18, 21, ("a",)),)),
        Batch("real", "z", (Part("r", z, 0, 0, ("a",)),)),
    ]
    jobs, discretizers = {"a": "j", "b": "j", "c": "ext", "d": "own"}, {
        "a": ("built_in", "bins(2)"), "b": ("built_in", "bins(2)"), "d": ("mine", "mine.py:f()"),
    }  # fmt: skip
    size = sizes(STUDY, {"asia": 8}, {"iris": {"rows": 150, "columns": [1, 2, 3], "dropped": [1]}})
    load = load_of("s", STUDY, "tiny", batches, jobs, discretizers, size)
    assert load.jobs == [
        {("a", 100, 8): 3, ("b", 100, 8): 5},
        {("c", 100, 8): 3},
        {("d", 100, 8): 2},
        {("a", 200, 15): 4},
        {("a", 150, 2): 1},
    ]
    assert load.discretizations == [
        {("bins(2)", 100, 8): 4},  # the fourth replicate is of both grids
        {("mine.py:f()", 100, 8): 2},
        {("bins(2)", 200, 15): 4},
        {("bins(2)", 150, 2): 1},
    ]
    assert load.shared == {name: found for name, (_, found) in discretizers.items()}
    assert (load.batches, load.artefacts, load.experiments) == (3, 3, {"e": "published", "f": "tiny"})
    assert load.data == 2 + 1 + 2 + 1 + 2  # codes and values, further records, samples; networks of two blocks
    assert load.values == 4 * 100 * 8 + 4 * 200 * 15 + 150 * 2


def test_an_experiment_with_the_options_of_a_scale_has_a_law_of_its_own():
    model = forecast()
    assert model.estimate(Load("t", experiments={"e": "tiny"})).seconds == pytest.approx(6 + 3)
    assert not model.guessed
    assert model.estimate(Load("s", experiments={"e": "tiny"})).seconds == pytest.approx(6 + 40)
    assert model.guessed == {"s/e"}  # known at the published scale alone


@pytest.mark.parametrize("text", [None, "kind,name\nlearn,a\n", f"{','.join(FIELDS)}\nmethod,a,b,x,1,1,inf\n"])
def test_a_malformed_file_is_named(tmp_path, text):
    if text is not None:
        (tmp_path / "costs.csv").write_text(text)
    with pytest.raises(InputError, match=r"costs\.csv: (No such file|a row without .*tools/costs\.py)"):
        read_laws(tmp_path / "costs.csv")


def test_the_shipped_file_has_a_law_for_all_that_the_studies_print():
    laws = {(law.kind, law.name): law for law in read_laws(ROOT / "data" / "costs.csv")}
    assert {("method", name) for name in ("steck3", "mgcd", "bach", "tetrad_pc")} <= laws.keys()
    assert {(kind, "") for kind in ("job", "run", "data", "study")} <= laws.keys()
    assert all(math.isfinite(x) for law in laws.values() for x in (law.seconds, law.records, law.variables))


def test_own_data_have_laws_of_their_own():
    jobs = [{("fast", 4000, 20): 3, ("other", 4000, 20): 2}]  # the second has none
    runs = 3 * 0.2 * 4**1.5 + 2 * 5.0
    assert forecast().estimate(Load("own", jobs=jobs)).seconds == pytest.approx(1.5 + runs + 5 * 0.02 * 2 + 6)
    assert forecast().estimate(Load("s", jobs=jobs)).seconds == pytest.approx(1.5 + 3 * 0.4 + 2 * 5.0 + 5 * 0.01 + 6)


def test_the_records_of_resamples_of_own_data():
    resamples = {"bootstrap": {"kind": "bootstrap", "most": 50}, "folds": {"kind": "cross_validation"}}
    study = Study(title="t", citation="c", scales={"quick": {}}, resamples=resamples)
    for rows, drawn in ((40, 40), (80, 50)):
        size = sizes(study, {}, {}, (rows, 8))
        found = [size(Cell("own", dataset="own", resample=how)) for how in (None, "folds", "bootstrap")]
        assert found == [(rows, 8), (rows, 8), (drawn, 8)]


def test_how_long_own_data_take():
    """CPU seconds at quick scale against those measured, see docs/cost.md."""
    laws = read_laws(ROOT / "data" / "costs.csv")
    assert {law.name for law in laws if law.kind == "own"} >= {"", "steck3", "monti3", "hartemink"}

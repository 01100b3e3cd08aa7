"""Plans: every data set of a grid is in one batch, however it is cut; and forecasts of what a plan takes."""

from collections import Counter, defaultdict
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.engine.declaration import study_file, study_names
from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.forecast import FIELDS, Forecast, Load, load_of, read_costs, size_of
from cutpoint.bench.workflow.lookups import Plan
from cutpoint.bench.workflow.plan import Batch, DataKind, RunBlock
from cutpoint.bench.workflow.settings import Study
from cutpoint.method.rows import read_rows

STUDIES = {name: Study.model_validate(read_yaml(study_file(name))) for name in study_names()}
FU, OTHER = STUDIES["fu2005"], STUDIES["mabrouk2015"]
BY_SIZE = {"published": FU.scales["published"].model_copy(update={"together": False})}
STUDY = FU.model_copy(update={"scales": FU.scales | BY_SIZE})
METHODS = read_rows(ROOT / "config" / "methods.yaml")[0]
KNOWN = {f"{kind}{how}" for kind in ("codes", "latent") for how in ("", "_rounded", "_ties", "_skewed", "_noisy")}


def batches(scale="published", rows=METHODS, study=STUDY, extra=()):
    return plan.batches_of(study, scale, plan.methods_of(study, "fu2005", rows, extra))


def with_grids(study, **changes):
    """Return a study with other keys of some grids."""
    grids = {name: grid.model_copy(update=changes.get(name, {})) for name, grid in study.grids.items()}
    return study.model_copy(update={"grids": grids})


def replicated(study, **replicates):
    """Return a study with other replicates of some grids at the published scale."""
    scale = study.scales["published"]
    scale = scale.model_copy(update={"replicates": scale.replicates | replicates})
    return study.model_copy(update={"scales": {**study.scales, "published": scale}})


def parts(by_name):
    return [part for batch in by_name.values() for part in batch.parts]


def methods_of(by_name):
    return {part.grid: part.methods for part in parts(by_name)}


def test_the_published_grid_has_the_papers_size():
    simulated = [part for part in parts(batches()) if part.grid == "simulated"]
    assert sum(part.replicates * len(part.methods) for part in simulated) == 840
    assert {part.cell.n for part in simulated} == {500, 1000, 5000}


@given(block=st.integers(1, 100), scale=st.sampled_from(["published", "tiny"]))
def test_every_run_is_in_one_batch_and_every_data_set_too(block, scale):
    study = STUDY.model_copy(update={"block": block})
    plans = batches(scale, study=study)
    for grid in study.grids:
        mine = [part for part in parts(plans) if part.grid == grid]
        sets = [(part.cell, r) for part in mine for r in range(part.first, part.last + 1)]
        assert len(sets) == len(set(sets))
        replicates = 1 if study.grids[grid].datasets else study.scales[scale].of("replicates", grid)
        assert len(sets) == len(plan.cells_of(study, study.scales[scale], grid)) * replicates
    sets = [(cell, r) for b in plans.values() for cell, (first, last) in b.data.items() for r in range(first, last + 1)]
    assert len(sets) == len(set(sets)) == sum(batch.datasets for batch in plans.values())
    runs = sum(part.replicates * len(part.methods) for part in parts(plans))
    assert sum(batch.runs for batch in plans.values()) == runs
    if scale == "published":
        assert all(batch.data[cell][1] - batch.data[cell][0] < block for batch in plans.values() for cell in batch.data)
    else:
        assert [*plans] == ["simulated/all", "real/all"]


@given(
    networks=st.permutations(["alarm", "child", "asia", "sachs"]),
    sizes=st.lists(st.sampled_from([100, 200, 300, 400]), min_size=1, unique=True),
    replicates=st.integers(1, 60),
)
def test_what_is_added_leaves_other_batches_alone(networks, sizes, replicates):
    """A network, a size or a block of replicates more is in batches of its own: all others stay as they are."""
    few = with_grids(STUDY, simulated={"networks": networks[:2], "n": sizes})
    before = batches(study=replicated(few, simulated=replicates))
    whole = -(-replicates // few.block) * few.block  # so that the last block is full
    for wider in (
        replicated(with_grids(few, simulated={"networks": networks}), simulated=replicates),
        replicated(with_grids(few, simulated={"n": [*sizes, 500000]}), simulated=replicates),
    ):
        after = batches(study=wider)
        assert before.items() <= after.items()
        assert len(after) > len(before)
    before, after = (batches(study=replicated(few, simulated=r)) for r in (whole, whole + 1))
    assert before.items() <= after.items()
    assert {batch.datasets for name, batch in after.items() if name not in before} == {1}


def test_names_of_batches_say_what_is_in_them():
    names = [*batches()]
    assert names[:3] == [f"simulated/alarm.n{n}.block0" for n in (500, 1000, 5000)]
    assert names[-1] == "real/datasets"
    together = ["simulated/alarm+child+insurance.block0", "simulated/hailfinder.block0", "real/datasets"]
    assert [*batches(study=FU)] == together
    maua = plan.batches_of(STUDIES["maua2018"], "published", {"searches": ("m",)})
    assert [*maua] == [f"simulated/{name}.block0" for name in ("asia", "sachs", "child")]
    steck = plan.batches_of(STUDIES["steck2007"], "published", dict.fromkeys(STUDIES["steck2007"].grids, ("m",)))
    assert [*steck][:3] == ["real/hartemink.block0", "real/sachs.block0", "real/hartemink.block1"]


def test_data_sets_of_two_grids_are_made_once():
    study = with_grids(STUDY, sigma={"noises": ["sigma0.35"]})
    batch = batches(study=study)["simulated/alarm.n500.block0"]
    (cell,) = [cell for cell in batch.data if cell.noise == "sigma0.35"]
    both = [part for part in batch.parts if part.cell == cell]
    assert [part.grid for part in both] == ["simulated", "sigma"]
    assert batch.data[cell] == (0, 4)
    assert batch.of(["sigma"]).methods == ("eqwidth3", "monti3", "bach")


def mine(**keys):
    """A row that a user wrote."""
    return {key: value for key, value in METHODS["bach"].items() if key != "studies"} | keys


def test_an_own_method_joins_the_full_grids_below_the_printed_rows():
    rows = METHODS | {"mine": mine(), "elsewhere": mine(studies=["other"])}
    by_grid = methods_of(batches(rows=rows))
    assert by_grid["simulated"][-1] == "mine"
    assert by_grid["real"][-1] == "mine"
    assert "mine" not in by_grid["sigma"]
    assert "elsewhere" not in by_grid["simulated"]


def test_a_shipped_row_joins_other_studies_only_when_asked():
    assert len(methods_of(batches())["simulated"]) == 14
    by_grid = methods_of(batches(extra=["mgcd", "bach"]))
    assert by_grid["simulated"][14:] == ("mgcd",)
    assert "mgcd" not in by_grid["sigma"]
    named = methods_of(batches(rows=METHODS | {"mgcd": METHODS["mgcd"] | {"studies": ["fu2005"]}}))
    assert named == by_grid


def test_grids_have_their_own_replicates_and_are_cut_by_blocks():
    methods = plan.methods_of(OTHER, "mabrouk2015", METHODS)
    by_name = plan.batches_of(OTHER.model_copy(update={"block": 35}), "published", methods)
    ranges = {grid: sorted({(p.first, p.last) for p in parts(by_name) if p.grid == grid}) for grid in OTHER.grids}
    assert ranges == {"structure": [(0, 34), (35, 69)], "sensitivity": [(0, 34), (35, 69)], "prediction": [(0, 24)]}
    assert sum(part.replicates for part in parts(by_name) if part.grid == "structure") == 350
    assert sum(part.replicates for part in parts(by_name) if part.grid == "prediction") == 200
    quick = plan.batches_of(OTHER, "quick", methods)
    assert {part.cell.n for part in parts(quick) if part.grid == "sensitivity"} == {1000}


def test_variants_are_a_latin_square_and_a_thinned_grid_is_balanced_over_them():
    field = STUDIES["field2026"]
    methods = plan.methods_of(field, "field2026", METHODS)
    pieces = parts(plan.batches_of(field, "published", methods))
    noises = [*field.grids["field"].noises]
    sets = defaultdict(set)
    for part in pieces:
        sets[part.grid].add((part.cell.network, part.cell.n, noises.index(part.cell.noise), part.first))
    assert all(part.first == part.last for part in pieces)
    assert sets["fourth"] < sets["field"]
    networks, sizes = field.grids["field"].networks, field.grids["field"].n
    of_kind = Counter((network, n, noise // 5) for network, n, noise, _ in sets["field"])
    assert {*of_kind.values()} == {7}
    assert len(of_kind) == len(networks) * len(sizes) * len(noises) // 5
    assert len({data[:3] for data in sets["field"]}) == len(networks) * len(sizes) * len(noises)
    assert {r for *_, r in sets["field"]} == set(range(7))
    thinned = Counter((network, n, noise // 5) for network, n, noise, _ in sets["fourth"])
    assert len(thinned) == len(of_kind)  # every network has every data type at every size
    assert {*thinned.values()} <= {1, 2}
    by_measurement = Counter(noise % 5 for *_, noise, _ in sets["fourth"])
    assert max(by_measurement.values()) < 1.05 * min(by_measurement.values())


def test_references_run_where_every_value_stands_for_a_known_level():
    field, missing = STUDIES["field2026"], STUDIES["missing"]
    for study, noises in ((field, KNOWN), (missing, {"complete"})):
        methods = dict.fromkeys(study.grids, ("bach", "true_codes"))
        pieces = parts(plan.batches_of(study, "published", methods, ["true_codes"]))
        assert all("bach" in part.methods for part in pieces)
        assert {part.cell.noise for part in pieces if "true_codes" in part.methods} == noises


COSTS = {
    ("method", "fast"): 0.1,
    ("method", "slow"): 0.3,
    ("method", "other"): 5.0,
    ("experiment", "s/e"): 40.0,
    ("experiment", "t/e tiny"): 3.0,
    ("job", ""): 1.5,
    ("run", ""): 0.01,
    ("study", ""): 6.0,
}
GROUPS = {"fast": "direct tabu", "slow": "direct tabu", "like": "direct tabu", "other": "integrated pc"}


def forecast():
    return Forecast(COSTS, GROUPS, 600)


def test_the_sum_of_a_study_by_hand():
    jobs = [{("fast", 2000, 40): 10}, {("other", 1, 20): 20}]
    estimate = forecast().estimate(Load("s", "published", jobs, others=4, values=1e6, artefacts=2, experiments=["e"]))
    runs = 10 * 0.1 * 2 * 2 + 20 * 5.0
    assert estimate.seconds == pytest.approx((2 + 4) * 1.5 + 30 * 0.01 + runs + 6 + 40)
    assert estimate.longest == pytest.approx(1.5 + 20 * 5.01)  # the job of the method `other`
    assert estimate.runs == 30
    assert estimate.megabytes == pytest.approx(8.5 + 30 * 0.004 + 0.3)


@pytest.mark.parametrize(
    ("method", "variables", "seconds", "guessed"),
    [
        ("fast", 20, 0.1, set()),
        ("fast", 10, 0.05, set()),
        ("fast", 2, 0.025, set()),  # a quarter at least
        ("fast", 1e6, 600, set()),  # stopped at the limit
        ("like", 20, 0.2, {"like"}),  # the median of its group
        ("unknown", 20, 0.3, {"unknown"}),  # the median of all
    ],
)
def test_a_method_without_a_cost_takes_the_median_of_similar_ones(method, variables, seconds, guessed):
    model = forecast()
    assert model.run(method, 1000, variables) == pytest.approx(seconds)
    assert model.guessed == guessed


def test_the_page_names_what_has_no_measured_cost():
    loads = [Load("s", jobs=[{("mine", 1000, 20): 1}]), Load("t", "tiny", experiments=["f", "e"])]
    page = forecast().page(loads, 1).splitlines()
    assert page[0].split() == ["study", "runs", "CPU", "wall", "on", "1", "core", "disk"]
    assert [line.split()[:2] for line in page[1:4]] == [["s", "1"], ["t", "0"], ["all", "1"]]
    assert page[4] == "no measured cost, taken for similar ones: mine, t/f"


def test_the_work_of_a_study_is_counted_from_its_batches():
    study = Study(
        title="t",
        citation="c",
        experiments=["e"],
        scales={"tiny": {}},
        random_networks={"random": {"nodes": (10, 20)}},
        noises={"low": {"kind": "gaussian", "sigma": 0.1}},
        grids={"g": {"networks": ["asia", "random"], "n": [100], "noises": ["low"], "methods": ["a"]}},
    )
    x, y, z = DataKind("x", "asia", 100, "low"), DataKind("y", "random", 200, "low"), DataKind("z", dataset="iris")
    batches = [
        Batch("simulated", "x", (RunBlock("g", x, 2, 4, ("a", "b", "c")), RunBlock("h", x, 4, 5, ("b",)))),
        Batch("simulated", "y", (RunBlock("g", y, 18, 21, ("a",)),)),
        Batch("real", "z", (RunBlock("r", z, 0, 0, ("a",)),)),
    ]
    datasets = {"iris": {"rows": 150, "columns": [1, 2, 3], "dropped": [1]}}
    sizes = partial(size_of, study=study, variables={"asia": 8}, datasets=datasets)
    load = load_of("s", study, "tiny", batches, {"a": "j", "b": "j", "c": "ext"}, sizes)
    assert load.jobs == [
        {("a", 100, 8): 3, ("b", 100, 8): 5},
        {("c", 100, 8): 3},
        {("a", 200, 15): 4},
        {("a", 150, 2): 1},
    ]
    assert (load.others, load.artefacts, load.experiments) == (4 + 4 + 3, 0, ["e"])
    assert load.values == 4 * 100 * 8 + 4 * 200 * 15 + 150 * 2


def test_an_experiment_without_a_cost_at_its_scale_takes_that_of_the_published_one():
    assert forecast().estimate(Load("t", "tiny", experiments=["e"])).seconds == pytest.approx(6 + 3)
    assert forecast().estimate(Load("s", "tiny", experiments=["e"])).seconds == pytest.approx(6 + 40)


@pytest.mark.parametrize("text", [None, "kind,name\nlearn,a\n", f"{','.join(FIELDS)}\nmethod,a,x\n"])
def test_a_malformed_file_is_named(tmp_path, text):
    if text is not None:
        (tmp_path / "costs.csv").write_text(text)
    with pytest.raises(InputError, match=r"costs\.csv: (No such file|a row without .*tools/costs\.py)"):
        read_costs(tmp_path / "costs.csv")


def test_the_shipped_file_has_a_cost_of_what_the_studies_run():
    costs = read_costs(ROOT / "data" / "costs.csv")
    assert {("method", name) for name in ("steck3", "mgcd", "bach", "tetrad_pc")} <= costs.keys()
    assert {(kind, "") for kind in ("job", "run", "study")} <= costs.keys()
    assert all(0 <= seconds < float("inf") for seconds in costs.values())


def test_the_records_of_resamples_of_own_data():
    resamples = {"bootstrap": {"kind": "bootstrap", "most": 50}, "folds": {"kind": "cross_validation"}}
    study = Study(title="t", citation="c", scales={"quick": {}}, resamples=resamples)
    for rows, drawn in ((40, 40), (80, 50)):
        cells = [DataKind("own", dataset="own", resample=how) for how in (None, "folds", "bootstrap")]
        assert [size_of(cell, study, {}, {}, (rows, 8)) for cell in cells] == [(rows, 8), (rows, 8), (drawn, 8)]


@pytest.mark.parametrize(("records", "columns", "seconds"), [(400, 8, 13.2), (1500, 12, 17.8)])
def test_the_report_says_nearly_what_its_jobs_took(tmp_path, monkeypatch, records, columns, seconds):
    """CPU seconds of all jobs of a quick report, measured once, beside the forecast from the shipped costs."""
    monkeypatch.chdir(tmp_path)
    values = np.random.default_rng(0).normal(size=(records, columns)).round(3)
    pd.DataFrame(values).add_prefix("x").to_csv("a.csv", index=False)
    settings = read_yaml(ROOT / "config" / "config.yaml") | {"scale": "quick", "data": "a.csv", "study": "own"}
    forecast, (load_of_own,) = Plan(load(settings, ROOT, tmp_path)).studies._work(["own"])
    assert 1 / 1.3 < forecast.estimate(load_of_own).seconds / seconds < 1.3

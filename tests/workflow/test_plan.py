"""Plans: every data set of a grid is in exactly one batch, however it is cut."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.checking import read_yaml
from cutpoint.bench.engine.declaration import study_file, study_names
from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.settings import Study

ROOT = Path(__file__).parents[2]
STUDIES = {name: Study.model_validate(read_yaml(study_file(name))) for name in study_names()}
STUDY, OTHER = STUDIES["fu2005"], STUDIES["mabrouk2015"]
METHODS = read_yaml(ROOT / "config" / "methods.yaml")


def batches(scale="published", size=60, rows=METHODS, study=STUDY, extra=()):
    return plan.batches_of(study, scale, size, plan.methods_of(study, "fu2005", rows, extra))


def test_the_published_grid_has_the_papers_size():
    simulated = [b for b in batches() if b.grid == "simulated"]
    assert sum(b.datasets * len(b.methods) for b in simulated) == 840
    assert {c.n for b in simulated for c in b.cells} == {500, 1000, 5000}


@given(size=st.integers(1, 100))
def test_every_data_set_is_in_one_batch(size):
    for grid in STUDY.grids:
        mine = [b for b in batches(size=size) if b.grid == grid]
        sets = [(c.name, r) for b in mine for c in b.cells for r in range(b.first, b.last + 1)]
        assert len(sets) == len(set(sets))
        cells, scale = plan.cells_of(STUDY, STUDY.scales["published"], grid), STUDY.scales["published"]
        assert len(sets) == len(cells) * (1 if STUDY.grids[grid].datasets else scale.of("replicates", grid))
        assert all(b.datasets <= size for b in mine)
        assert len({b.name for b in mine}) == len(mine)


def test_scales_never_share_a_batch():
    shared = {b.name for b in batches()} & {b.name for b in batches("quick")}
    assert all(name.startswith("real-") for name in shared)  # the same data sets at every scale


def test_a_new_size_leaves_the_other_batches_alone():
    wider = STUDY.model_copy(
        update={"grids": {"simulated": STUDY.grids["simulated"].model_copy(update={"n": [500, 1000, 2000, 5000]})}}
    )
    before = {b.name for b in batches(size=5) if b.grid == "simulated"}
    after = {b.name for b in batches(size=5, study=wider)}
    assert before < after
    assert len(after - before) == 4


def mine(**keys):
    """A row that a user wrote."""
    return {key: value for key, value in METHODS["bach"].items() if key != "studies"} | keys


def test_an_own_method_joins_the_full_grids_below_the_printed_rows():
    rows = METHODS | {"mine": mine(), "elsewhere": mine(studies=["other"])}
    found = {b.grid: b.methods for b in batches(rows=rows)}
    assert found["simulated"][-1] == "mine"
    assert found["real"][-1] == "mine"
    assert "mine" not in found["sigma"]
    assert "elsewhere" not in found["simulated"]


def test_where_no_grid_runs_all_methods_those_with_the_most_take_the_others():
    grids = {"simulated": ["bach", "steck3"], "real": ["bach", "eqfreq3"], "sigma": ["bach"]}
    update = {name: STUDY.grids[name].model_copy(update={"methods": methods}) for name, methods in grids.items()}
    study = STUDY.model_copy(update={"grids": update})
    found = plan.methods_of(study, "fu2005", METHODS | {"mine": mine()})
    assert found == {name: (*methods, *["mine"] * (name != "sigma")) for name, methods in grids.items()}


def test_a_shipped_row_joins_other_studies_only_when_asked():
    found = {b.grid: b.methods for b in batches()}
    assert len(found["simulated"]) == 14
    found = {b.grid: b.methods for b in batches(extra=["mgcd", "bach"])}
    assert found["simulated"][14:] == ("mgcd",)
    assert "mgcd" not in found["sigma"]
    asked = {b.grid: b.methods for b in batches(rows=METHODS | {"mgcd": METHODS["mgcd"] | {"studies": ["fu2005"]}})}
    assert asked == found


def test_no_row_joins_a_study_that_says_so_but_by_demand():
    study = STUDY.model_copy(update={"joins": False})
    rows = METHODS | {"mine": mine(), "named": mine(studies=["fu2005"])}
    assert plan.methods_of(study, "fu2005", rows) == {name: tuple(g.methods) for name, g in STUDY.grids.items()}
    found = plan.methods_of(study, "fu2005", rows, ["mine"])
    assert found["simulated"] == (*STUDY.grids["simulated"].methods, "mine")


def test_grids_have_their_own_replicates_and_are_cut_evenly():
    methods = plan.methods_of(OTHER, "mabrouk2015", METHODS)
    found = plan.batches_of(OTHER, "published", 60, methods)
    ranges = {b.grid: sorted({(x.first, x.last) for x in found if x.grid == b.grid}) for b in found}
    assert ranges == {"structure": [(0, 34), (35, 69)], "sensitivity": [(0, 34), (35, 69)], "prediction": [(0, 24)]}
    assert sum(b.datasets for b in found if b.grid == "structure") == 350
    assert sum(b.datasets for b in found if b.grid == "prediction") == 200
    quick = plan.batches_of(OTHER, "quick", 60, methods)
    assert {c.n for b in quick for c in b.cells if b.grid == "sensitivity"} == {1000}


def test_a_network_file_gives_its_name_to_its_cells():
    grid = STUDY.grids["simulated"].model_copy(update={"networks": ["my/own.bif"]})
    study = STUDY.model_copy(update={"grids": {"simulated": grid}})
    assert plan.cells_of(study, STUDY.scales["published"], "simulated")[0].name == "own-n500-sigma0.35"

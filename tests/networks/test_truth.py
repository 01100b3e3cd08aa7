"""What references learn from: the codes behind the values of a data set, under the names that methods see."""

import pytest
from script_tools import script

from cutpoint.base.errors import InputError
from cutpoint.bench.data.params import NoiseJob, SampleJob
from cutpoint.bench.data.parquet import open_parts, write_parts
from cutpoint.bench.simulation.values import blur
from cutpoint.discretization.encoding import encode
from cutpoint.method.rows import check_row, method_of, method_rows
from cutpoint.networks.network import network

NOISES = {
    "codes": {"kind": "gaussian", "sigma": 0.35},
    "uniform": {"kind": "uniform", "lengths": [0.5, 2.0]},
    "skewed": {"kind": "beta", "measured": {"skew": [0.5, 1], "below": 0.05, "step": 0.1}},
    "linear": {"kind": "linear_sem"},
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The values and codes of child with each noise, and the codes that references learn from."""
    folder, networks = tmp_path_factory.mktemp("truth"), {"child": network("child")}
    paths = {name: folder / f"{name}.parquet" for name in ("drawn", "values", "codes", "thresholds")}
    sample = SampleJob("s", "child", 400, range(2), 1)
    write_parts(paths["drawn"], [script("sample").draw(networks, sample)])
    (source,) = open_parts(paths["drawn"])
    noises = [NoiseJob(sample, name, noise | {"columns": "shuffled"}) for name, noise in NOISES.items()]
    write_parts(paths["values"], [blur(source, networks, noise) for noise in noises])
    for truth in ("codes", "thresholds"):
        script("truth").write(paths["values"], paths["drawn"], truth, paths[truth])
    return {name: {part.metadata.get("noise"): part for part in open_parts(path)} for name, path in paths.items()}


def test_there_are_codes_where_values_stand_for_levels(files):
    assert {*files["codes"]} == {*files["thresholds"]} == {*NOISES} - {"linear"}


@pytest.mark.parametrize("noise", ["codes", "uniform", "skewed"])
def test_codes_are_those_behind_each_value_under_the_names_that_methods_see(files, noise):
    for replicate, data in files["values"][noise]:
        drawn = files["drawn"][None].read(replicate)
        codes, cut = (files[truth][noise].read(replicate) for truth in ("codes", "thresholds"))
        assert codes.variables == cut.variables == data.variables
        assert codes.discrete.all()
        assert (codes.values == drawn.values[:, [drawn.variables.index(name) for name in data.variables]]).all()
        assert (cut.values == encode(data.values, [data.about["thresholds"][c] for c in data.columns])).all()
        if noise == "uniform":  # each value stands in the interval of its code
            assert (cut.values == codes.values).all()


def test_a_reference_finds_what_its_search_finds_on_the_codes_and_takes_no_values(files):
    reference, data = check_row(method_rows()["true_codes"], "true_codes"), files["codes"]["codes"].read(0)
    parts = {"category": "prediscretization", "discretizer": "equal_width", "learner": "boss", "score": "bdeu"}
    learned = reference.learn(data.values, data.discrete)
    assert (learned.cpdag == check_row(parts, "boss").learn(data.values, data.discrete).cpdag).all()
    assert learned.thresholds is None
    with pytest.raises(InputError, match="in the workflow alone"):
        reference.learn(data.values, ~data.discrete)
    with pytest.raises(InputError, match="runs in studies alone"):
        method_of("true_codes", {})

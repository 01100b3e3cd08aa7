"""The fitted networks of own data: who has one, and that it reads the data as the method did."""

from dataclasses import replace

import numpy as np
import pytest
import synthetic_own

from cutpoint.bench.studies.own import models
from cutpoint.bench.studies.own.outcomes import data, outcomes
from cutpoint.models.reading import read_model


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    inputs = synthetic_own.inputs(6)
    names = {"equal_frequency", "hartemink", "bach"}  # the last has no thresholds
    chosen = [m for m in inputs.methods if m.name in names]
    inputs = inputs.with_metrics(inputs.metrics, methods=chosen)
    folder = tmp_path_factory.mktemp("own") / "models"
    models.write_models(inputs, folder)
    return inputs, folder


def test_every_method_with_thresholds_has_a_file_in_every_format(written):
    inputs, folder = written
    names = [m.method.name for m in outcomes(inputs) if m.thresholds is not None]
    assert names == ["equal_frequency", "hartemink"]
    files = {f"{name}.{ending}" for name in names for ending in models.ENDINGS}
    assert {path.name for path in folder.iterdir()} == files


@pytest.mark.parametrize("ending", ["json", "bif"])
def test_a_file_reads_the_data_as_its_method_did(written, ending):
    inputs, folder = written
    about = data(inputs)
    for each in outcomes(inputs):
        if each.thresholds is None:
            continue
        model = read_model(folder / f"{each.method.name}.{ending}")
        codes = model.encode(models.records(about))
        for i, name in enumerate(about.variables):
            mine = codes[:, model.variables.index(name)]
            levels = [sum(x >= cut for cut in each.thresholds[i]) for x in about.values[:, i]]
            expected = about.values[:, i] if about.discrete[i] else levels
            np.testing.assert_array_equal(mine, expected)
        pairs = {frozenset((model.variables[i], model.variables[j])) for i, j in np.argwhere(model.dag)}
        assert pairs == {frozenset((about.variables[i], about.variables[j])) for i, j in np.argwhere(each.graph)}


def test_a_table_with_gaps_has_its_models_too(written, tmp_path):
    inputs, _ = written
    about = data(inputs)
    values = about.values.copy()
    values[::9, int(np.argmax(about.discrete))] = values[1::9, int(np.argmin(about.discrete))] = np.nan
    gapped = replace(inputs, datasets={"own": replace(about, values=values)})
    models.write_models(gapped, tmp_path / "models")
    model = read_model(tmp_path / "models" / "hartemink.json")
    assert model.records == len(values)
    assert 0.0 < model.log_likelihood(models.records(about)).std() < np.inf


def test_a_method_that_failed_has_no_file(tmp_path):
    models.write_models(synthetic_own.inputs(5, 2, failed=[0]), tmp_path)
    assert not [*tmp_path.glob("equal_frequency.*")]

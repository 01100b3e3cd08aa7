"""Experiments of all studies at small sizes: their rows depend on the seed alone."""

from importlib import import_module

import pytest
import synthetic_calibration
import synthetic_tran

from cutpoint.base.checking import check_options
from cutpoint.method.functions import parameters_of

SMALL = {
    ("fu2005", "readings"): {"networks": ("child",), "records": (500,), "samples": 1},
    ("mabrouk2015", "readings"): {"records": (300,), "samples": 2},
    ("steck2007", "readings"): {"samples": 2, "starts": 2},
    ("calibration", "reliability"): synthetic_calibration.SMALL,
    ("steck2007", "clusters"): {"clusters": (2, 5), "levels": (4, 5), "samples": 1, "starts": 4},
    ("steck2007", "dependence"): {"samples": 1, "max_levels": 2, "starts": 1},
    ("steck2007", "overlap"): {"samples": 1, "ess": (1, 5), "max_levels": 5, "starts": 2},
    ("steck2007", "sizes"): {"samples": 1, "records": (1, 20), "ess": (0.1,), "max_levels": 2, "starts": 1},
    ("steck2007", "invariance"): {"samples": 1, "max_levels": 2, "starts": 1},
    **{("tran2013", name): options for name, options in synthetic_tran.SMALL.items()},
}


def experiments_of(study):
    return import_module(f"cutpoint.bench.studies.{study}.experiments").EXPERIMENTS


@pytest.mark.parametrize(("study", "name"), SMALL, ids=str)
def test_rows_are_flat_and_depend_on_the_seed_alone(study, name):
    run, options = experiments_of(study)[name], SMALL[study, name]
    check_options(parameters_of(run), {key: list(v) if isinstance(v, tuple) else v for key, v in options.items()}, "x")
    rows = run(1, **options)
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert all(isinstance(value, float | int | str | bool) for row in rows for value in row.values())
    assert run(1, **options) == rows
    assert run(2, **options) != rows or name == "invariance"

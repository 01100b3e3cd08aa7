"""Options of methods: their bounds are checked when the config is read, before anything runs."""

import math
from pathlib import Path
from types import UnionType
from typing import get_args, get_origin

import pytest
import yaml

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.method import registry
from cutpoint.method.parsing import check_row
from cutpoint.method.rows import load_methods
from cutpoint.method.signatures import options_of

METHODS = read_yaml(Path(__file__).parents[2] / "config" / "methods.yaml")


def written(folder, rows):
    path = folder / "methods.yaml"
    path.write_text(yaml.safe_dump(rows))
    return path


EXACT = METHODS["eqwidth3"] | {"learner": "exact"}
WRONG = [
    (EXACT, {"memory_mb": 0, "max_parents": -1}),
    (METHODS["pc_g2"], {"alpha": 2.0, "candidates": "x", "min_records_per_cell": -1, "stable": 1}),
    (METHODS["steck3"] | {"policy": "steck_exact"}, {"candidates": -1, "levels": 0, "max_levels": 0, "ess": 0}),
    (METHODS["monti3"], {"ess": math.inf}),
    (METHODS["hartemink"], {"bins": 0, "initial": 0}),
]


@pytest.mark.parametrize(("row", "key", "value"), [(row, *one) for row, wrong in WRONG for one in wrong.items()])
def test_options_out_of_bounds_are_refused_when_the_file_is_read(tmp_path, row, key, value):
    check_row(row, "right")
    with pytest.raises(InputError, match=f"mine: {key}: Input should be ") as raised:
        load_methods(written(tmp_path, {"mine": row | {key: value}}))
    assert "\n" not in str(raised.value)


def test_whole_numbers_and_none_stand_where_they_may():
    check_row(METHODS["eqwidth3"] | {"ess": 2}, "mine")
    check_row(EXACT | {"max_parents": None, "memory_mb": 100}, "mine")
    check_row(METHODS["hartemink"] | {"initial": None}, "mine")


@pytest.mark.parametrize("table", [name for name in vars(registry) if name.isupper()])
def test_every_option_that_is_a_number_or_a_name_has_bounds(table):
    for path in getattr(registry, table).values():
        for key, option in options_of(path).items():
            several = get_args(option.annotation) if get_origin(option.annotation) is UnionType else ()
            assert not {int, float, str} & {option.annotation, *several}, f"{path}: {key}"

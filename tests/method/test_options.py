"""Options of methods: all have bounds, checked as the config is read; tests/golden/errors has wrong ones."""

from pathlib import Path
from types import UnionType
from typing import get_args, get_origin

import pytest

from cutpoint.base.checking import read_yaml
from cutpoint.method import registry
from cutpoint.method.functions import options_of
from cutpoint.method.parsing import check_row

METHODS = read_yaml(Path(__file__).parents[2] / "config" / "methods.yaml")


EXACT = METHODS["eqwidth3"] | {"learner": "exact"}


def test_whole_numbers_and_none_stand_where_they_may():
    check_row(METHODS["eqwidth3"] | {"ess": 2}, "mine")
    check_row(EXACT | {"max_parents": None, "memory_mb": 100}, "mine")
    check_row(METHODS["hartemink"] | {"initial": None}, "mine")


@pytest.mark.parametrize(
    "table", [name for name, one in vars(registry).items() if isinstance(one, dict) and name.isupper()]
)
def test_every_option_that_is_a_number_or_a_name_has_bounds(table):
    for path in getattr(registry, table).values():
        for key, option in options_of(path).items():
            several = get_args(option.annotation) if get_origin(option.annotation) is UnionType else ()
            assert not {int, float, str} & {option.annotation, *several}, f"{path}: {key}"

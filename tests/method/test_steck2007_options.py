"""Which options the experiments of the Steck study take."""

from pathlib import Path

import pytest

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.method.parsing import check_options
from cutpoint.studies.steck2007.experiments import EXPERIMENTS

CONFIG = Path(__file__).parents[2] / "config" / "studies" / "steck2007.yaml"
REFUSED = {
    "clusters": [
        {"clusters": [2, 11]}, {"clusters": [0]}, {"clusters": []}, {"clusters": 3}, {"levels": [0]}, {"levels": []},
        {"ess": 0}, {"ess": [3]},
    ],
    "dependence": [{"ess": -1.0}, {"max_levels": 1}],
    "overlap": [{"ess": []}, {"ess": [1, 0]}, {"ess": [float("inf")]}, {"ess": 1.0}, {"max_levels": 1}],
    "sizes": [{"records": []}, {"records": [0]}, {"ess": []}, {"ess": [0.0]}, {"max_levels": 0}],
    "invariance": [{"ess": float("nan")}, {"max_levels": 1}],
}  # fmt: skip


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_options_out_of_bounds_are_refused(name):
    for options in [*REFUSED[name], {"samples": 0}, {"samples": True}, {"starts": 0}]:
        with pytest.raises(InputError, match=rf"^x: {next(iter(options))}: [^\n]+$"):
            check_options([EXPERIMENTS[name]], options, "x")


def test_options_of_all_scales_are_taken():
    for scale in read_yaml(CONFIG)["scales"].values():
        for name, options in scale.get("experiments", {}).items():
            check_options([EXPERIMENTS[name]], options, "x")


def test_the_least_that_is_taken_can_be_run():
    least = {
        "clusters": {"clusters": [1], "levels": [1], "samples": 1, "ess": 0.1, "starts": 1},
        "dependence": {"samples": 1, "max_levels": 2, "starts": 1},
        "overlap": {"samples": 1, "ess": [0.1], "max_levels": 2, "starts": 1},
        "sizes": {"samples": 1, "records": [1], "ess": [0.1], "max_levels": 2, "starts": 1},
        "invariance": {"samples": 1, "max_levels": 2, "starts": 1},
    }
    for name, options in least.items():
        check_options([EXPERIMENTS[name]], options, "x")
        assert EXPERIMENTS[name](1, **options), name

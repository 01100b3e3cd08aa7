"""Which options the experiments of the Tran study take."""

import pytest

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.method.parsing import check_options
from cutpoint.studies.declaration import study_file
from cutpoint.studies.tran2013.experiments import EXPERIMENTS


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("explosions", {"values": [2]}), ("explosions", {"values": [4, 17]}), ("explosions", {"values": []}),
        ("explosions", {"weights": []}), ("explosions", {"samples": 0}), ("recovery", {"records": []}),
        ("recovery", {"records": [0]}), ("recovery", {"values": []}), ("recovery", {"values": [17]}),
        ("recovery", {"samples": 0}), ("graph_scores", {"samples": 0}), ("removals", {"records": 0}),
    ],
)  # fmt: skip
def test_options_out_of_bounds_are_refused(name, options):
    with pytest.raises(InputError, match=rf"^x: {next(iter(options))}: [^\n]+$"):
        check_options([EXPERIMENTS[name]], options, "x")


def test_options_of_all_scales_are_taken():
    for scale in read_yaml(study_file("tran2013"))["scales"].values():
        for name, options in scale.get("experiments", {}).items():
            check_options([EXPERIMENTS[name]], options, "x")
    check_options([EXPERIMENTS["explosions"]], {"values": [3, 16]}, "x")

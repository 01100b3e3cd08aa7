"""Which discretizations are made before the methods start."""

import numpy as np
import pytest

from cutpoint.bench.data import parquet
from cutpoint.bench.runs import functions, supervise
from cutpoint.bench.runs.discretize import shared
from cutpoint.bench.runs.runner import Rows
from cutpoint.method.rows import method_of

METHODS = {
    name: method_of(name, {})
    for name in ("eqfreq3", "pc_g2", "eqwidth3", "friedman3", "search.equal_frequency.bic.hill_climbing")
}


def test_a_discretization_that_several_methods_need_is_made_once():
    discretizers, name_of = shared(METHODS)
    assert name_of.keys() == {name for name, method in METHODS.items() if method.discretizer}
    assert all(discretizers[same] == METHODS[name].discretizer for name, same in name_of.items())
    several, names = shared(METHODS, least=2)
    users = {same: [name for name in name_of if name_of[name] == same] for same in discretizers}
    assert several.keys() == {same for same, methods in users.items() if len(methods) > 1} != discretizers.keys()
    assert names == {name: same for name, same in name_of.items() if same in several}


@pytest.mark.parametrize("ours", [False, True])
def test_a_file_of_a_user_is_tried_in_a_child_before_it_is_imported(tmp_path, monkeypatch, ours):
    parquet.write_data(tmp_path / "data.parquet", ["x"], [(0, np.zeros((2, 1)))], cell="c")
    (tmp_path / "mine.py").write_text("def learn(values, discrete):\n    raise ValueError('no')\n")
    file, called, call = str(tmp_path / "mine.py"), [], supervise.call
    monkeypatch.setattr(supervise, "call", lambda f, *rest, **limits: called.append(f) or call(f, *rest, **limits))
    batch = functions.Batch({"mine": (file, {})}, {}, [str(tmp_path / "data.parquet")], Rows(), 60.0, 1000.0, ours)
    assert [run["status"] for run in functions.run(batch).runs] == ["error"]
    assert len(called) == 2 - ours

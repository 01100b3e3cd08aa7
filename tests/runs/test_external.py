"""causal-learn behind our interface: the rows tetrad_pc and causal_learn_*."""

import sys

import numpy as np
import pytest

from cutpoint.base import user_code
from cutpoint.base.errors import InputError

causal_learn = user_code.module_of("scripts/methods/causal_learn.py")


def chain_and_collider(records=800):
    """Return a constant column 0, 1 -> 2 -> 3 and 4 -> 6 <- 5."""
    rng = np.random.default_rng(3)
    values = rng.standard_normal((records, 7))
    values[:, 0] = 1.0
    values[:, 2] += values[:, 1]
    values[:, 3] += values[:, 2]
    values[:, 6] += values[:, 4] + values[:, 5]
    return values


def test_endpoint_marks():
    marks = np.array([[0, -1, -1, 1], [1, 0, 0, 0], [-1, 0, 0, 0], [1, 0, 0, 0]])
    assert np.argwhere(causal_learn.pattern_of(marks)).tolist() == [[0, 1], [0, 2], [0, 3], [2, 0], [3, 0]]


def test_directions_and_counts(capfd):
    pytest.importorskip("causallearn")
    learned = causal_learn.learn(chain_and_collider(), np.zeros(7, bool), alpha=0.001)
    expected = [[1, 2], [2, 1], [2, 3], [3, 2], [4, 6], [5, 6]]
    assert np.argwhere(learned.cpdag).tolist() == expected
    assert learned.kind == "pdag"
    assert 15 <= learned.evaluations <= learned.score_calls
    assert learned.learn_seconds >= 0
    assert capfd.readouterr() == ("", "")


def test_without_two_varying_columns_there_is_nothing_to_test():
    pytest.importorskip("causallearn")
    learned = causal_learn.learn(chain_and_collider()[:, :2], np.zeros(2, bool))
    assert not learned.cpdag.any()
    assert learned.score_calls == 0


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "causallearn.search.ConstraintBased.PC", None)
    with pytest.raises(InputError, match="causal-learn"):
        causal_learn.learn(chain_and_collider(), np.zeros(7, bool))

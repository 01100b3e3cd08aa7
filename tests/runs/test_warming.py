"""Warming: what is compiled once, and a user's own function that must not harm the job."""

import os
import threading

import pytest

from cutpoint.method import assembly
from cutpoint.runs import warming
from cutpoint.runs.runner import Limits

LIMITS = Limits(1.0, 200.0)
SHIPPED = {"category": "direct", "learner": "hill_climbing", "score": "kgv"}
OWN = {"category": "prediscretization", "discretizer": "my.py:cut", "learner": "hill_climbing", "score": "bdeu"}
TWIN = OWN | {"discretizer": "equal_width"}  # its shipped parts


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setattr(warming.config, "CACHE_DIR", str(folder))
    return folder


def test_own_parts_are_recognized():
    assert warming.is_own(OWN)
    assert warming.is_own({"policy": "steck", "initial": {"my.py:cut": 3}})
    assert not warming.is_own(SHIPPED | {"initial": {"equal_width": 3}})


def test_a_function_that_ends_its_process_spares_the_job(cache):
    seen = []

    def warm(row):
        if row is OWN:
            os._exit(3)
        seen.append(row)

    warming.warm_all(warm, [OWN, SHIPPED], LIMITS)
    assert seen == [TWIN, SHIPPED]


MINE = {"category": "integrated", "policy": "my.py:p", "learner": "tabu", "score": "bic", "tabu_length": 3, "x": "y"}
TABU = {"category": "prediscretization", "discretizer": "equal_width", "learner": "tabu", "score": "bic"}


@pytest.mark.parametrize(
    ("row", "twin"),
    [
        (MINE | {"initial": {"equal_frequency": 2}}, TABU | {"tabu_length": 3}),
        (MINE | {"policy": "steck", "initial": {"my.py:d": 2}}, MINE | {"policy": "steck", "x": None}),
        (MINE | {"policy": "mgcd", "learner": "my.py:l"}, {"policy": "mgcd", "learner": "tabu"}),
        (TABU | {"learner": "pc_g2", "discretizer": "my.py:d", "score": None}, {"discretizer": "equal_width"}),
        (TABU | {"discretizer": "hartemink", "learner": "my.py:l", "score": "my.py:s", "bins": 4}, None),
        ({"category": "direct", "learner": "hill_climbing", "score": "my.py:s"}, None),
        ({"category": "direct", "learner": "my.py:l"}, "nothing"),
        ({"discretizer": "my.py:d", "bins": 3}, "nothing"),
    ],
)  # fmt: skip
def test_the_shipped_parts_of_a_row_can_be_warmed_alone(row, twin):
    row = {key: value for key, value in row.items() if value is not None}
    found = warming.shipped_twin(row)
    if twin == "nothing":
        assert found is None
        return
    assert not warming.is_own(found)
    kept = {part: name for part, name in row.items() if part in ("learner", "score") and ":" not in name}
    assert found.items() >= (kept | {k: v for k, v in (twin or {}).items() if v is not None}).items()
    assert "x" not in found
    assembly.warm(found)


def test_a_good_function_of_ones_own_is_loaded_into_the_job(cache):
    seen = []
    warming.warm_all(seen.append, [OWN], LIMITS)
    assert seen == [TWIN, OWN]


def test_a_second_job_waits_until_the_first_has_compiled(cache):
    order = []

    def second():
        with warming.compiling_alone("a"):
            order.append("second")

    with warming.compiling_alone("a"):
        thread = threading.Thread(target=second)
        thread.start()
        with warming.compiling_alone("b"):
            order.append("other")
        thread.join(0.2)
        order.append("first")
    thread.join()
    assert order == ["other", "first", "second"]
    with warming.compiling_alone("a"), warming.compiling_alone("a"):
        order.append("nobody waits")


def test_what_failed_is_compiled_by_the_next(cache):
    with pytest.raises(ZeroDivisionError), warming.compiling_alone("a"):
        raise ZeroDivisionError
    assert not list(cache.glob("compiled-" + "?" * 12))


def test_without_a_cache_nobody_waits(monkeypatch):
    monkeypatch.setattr(warming.config, "CACHE_DIR", "")
    with warming.compiling_alone("a"), warming.compiling_alone("a"):
        pass

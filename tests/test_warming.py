"""Warming: what is compiled once, and a user's own function that must not harm the job."""

import os
import threading

import pytest

from cutpoint import warming
from cutpoint.runner import Limits

LIMITS = Limits(1.0, 200.0)
SHIPPED = {"category": "direct", "learner": "hill_climbing", "score": "kgv"}
OWN = {"category": "prediscretization", "discretizer": "my.py:cut", "learner": "hill_climbing", "score": "bdeu"}


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
    assert seen == [SHIPPED]


def test_a_good_function_of_ones_own_is_loaded_into_the_job(cache):
    seen = []
    warming.warm_all(seen.append, [OWN], LIMITS)
    assert seen == [OWN]


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

"""Warming: what is compiled once, and a user's own function that must not harm the job."""

import os

import pytest

from cutpoint.bench.runs import warm
from cutpoint.bench.runs.runner import Limits
from cutpoint.method.method import FIRST, Direct, DiscretizerFunction, Function, Integrated, Method, Prediscretization

LIMITS = Limits(1.0, 200.0)
BDEU, CLIMB = Function("cutpoint.learners.scores:bdeu"), Function("cutpoint.learners.greedy:hill_climbing")
MINE = DiscretizerFunction("my.py:f")
SHIPPED = Direct({"learner": CLIMB, "score": Function("cutpoint.learners.kgv:kgv")})
OWN = Prediscretization({"discretizer": MINE, "learner": CLIMB, "score": BDEU})


@pytest.fixture
def seen(monkeypatch):
    """What is run in this process, in order."""
    order = []
    monkeypatch.setattr(Method, "warm", lambda method: order.append(method))
    monkeypatch.setattr(Method, "warm_search", lambda method: order.append("search"))
    return order


def test_users_functions_are_recognized():
    assert SHIPPED.is_shipped
    assert not OWN.is_shipped
    assert not OWN.discretizer.is_shipped
    steck = Function("cutpoint.discretization.rules:steck")
    assert Integrated({"policy": steck, "learner": CLIMB, "score": BDEU, "initial": FIRST}).is_shipped
    assert not Integrated({"policy": steck, "learner": CLIMB, "score": BDEU, "initial": MINE}).is_shipped


def test_a_function_that_ends_its_process_spares_the_job(seen, monkeypatch):
    monkeypatch.setattr(Method, "warm", lambda method: os._exit(3) if method is OWN else seen.append(method))
    warm.warm_all([OWN, SHIPPED], LIMITS)
    assert seen == ["search", SHIPPED]


def test_a_good_function_of_a_user_is_loaded_into_the_job(seen):
    warm.warm_all([OWN], LIMITS)
    assert seen == ["search", OWN]


@pytest.mark.parametrize(
    ("functions", "runs"),
    [
        ({"learner": CLIMB, "score": BDEU}, 1),
        ({"learner": MINE, "score": BDEU}, 0),
        ({"learner": CLIMB, "score": MINE}, 0),
        ({"learner": Function("cutpoint.learners.constraint:pc_g2")}, 0),
    ],
)
def test_a_shipped_search_is_compiled_whatever_the_users_part_does(monkeypatch, functions, runs):
    searches = []
    monkeypatch.setattr(Method, "search", lambda method, codes, levels: searches.append(codes.shape))
    Prediscretization(functions | {"discretizer": MINE}).warm_search()
    assert searches == [(300, 5)] * runs

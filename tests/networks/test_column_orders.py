"""The order of the columns of data from a network."""

from typing import get_args

import numpy as np
import pytest

from cutpoint.bench.simulation.column_orders import ColumnOrder, in_order
from cutpoint.networks.network import network

ALARM = network("alarm")


def order(kind, seed=1):
    return in_order(ALARM, kind, np.random.default_rng(seed))


@pytest.mark.parametrize("kind", get_args(ColumnOrder))
def test_every_order_has_all_variables(kind):
    assert sorted(order(kind)) == sorted(ALARM.variables)


def test_arcs_run_along_one_order_and_against_its_reverse():
    place = {name: i for i, name in enumerate(order("topological"))}
    arcs = [(ALARM.variables[i], ALARM.variables[j]) for i, j in np.argwhere(ALARM.dag)]
    assert all(place[parent] < place[child] for parent, child in arcs)
    assert order("reversed") == order("topological")[::-1]


def test_orders_that_names_and_files_say():
    assert order("declared") == list(ALARM.variables)
    assert order("alphabetical") == sorted(ALARM.variables)


def test_a_random_order_knows_nothing_of_the_arcs():
    places = []
    for seed in range(200):
        place = {name: i for i, name in enumerate(order("shuffled", seed))}
        places.append([place[ALARM.variables[j]] > place[ALARM.variables[i]] for i, j in np.argwhere(ALARM.dag)])
    assert order("shuffled", 1) == order("shuffled", 1) != order("shuffled", 2)
    assert abs(np.mean(places) - 0.5) < 0.02  # 46 arcs in 200 orders

"""The order of the columns of data from a network."""

import numpy as np

from cutpoint.bench.simulation.columns import in_order
from cutpoint.networks.network import network

ALARM = network("alarm")


def order(kind, seed=1):
    return in_order(ALARM, np.random.default_rng(seed), columns=kind)


def test_orders_are_those_that_names_files_and_arcs_say():
    assert order("declared") == list(ALARM.variables)
    assert order("alphabetical") == sorted(order("shuffled")) == sorted(ALARM.variables)
    assert order("reversed") == order("topological")[::-1]
    place = {name: i for i, name in enumerate(order("topological"))}
    assert all(place[ALARM.variables[i]] < place[ALARM.variables[j]] for i, j in np.argwhere(ALARM.dag))


def test_a_random_order_knows_nothing_of_the_arcs():
    places = []
    for seed in range(200):
        place = {name: i for i, name in enumerate(order("shuffled", seed))}
        places.append([place[ALARM.variables[j]] > place[ALARM.variables[i]] for i, j in np.argwhere(ALARM.dag)])
    assert order("shuffled", 1) == order("shuffled", 1) != order("shuffled", 2)
    assert abs(np.mean(places) - 0.5) < 0.02  # 46 arcs in 200 orders

"""The stand-in for the light tunnel, with a simulator of which the sensors are known."""

import light_tunnel
import numpy as np
from workflow_tools import ROOT

from cutpoint.networks.network import read_network

TRUTH = read_network(ROOT / "data" / "truths" / "light_tunnel.bif")


def simulate(red, green, blue, pol_1, pol_2, **constant):
    assert set(constant) == {*light_tunnel.SENSORS, *light_tunnel.PARAMETERS}
    light = [red + green + blue + k for k in range(7)]
    return [*light, pol_1, pol_2]


def test_records_are_those_of_the_simulator_with_errors_of_the_stated_size():
    columns = light_tunnel.simulated(simulate, 20_000, 0.1, np.random.default_rng(0))
    errors = columns["ir_2"] - (columns["red"] + columns["green"] + columns["blue"] + 2)
    light = columns["red"] + columns["green"] + columns["blue"]
    assert abs(errors.std() / light.std() - 0.1) < 0.005
    assert (columns["red"].min(), columns["red"].max()) == (0, 85)
    assert (columns["pol_1"].min(), columns["pol_1"].max()) == (-15, 25)


def test_fourteen_variables_of_the_truth_and_27_of_its_arcs_are_there():
    columns = light_tunnel.simulated(simulate, 10, 0.1, np.random.default_rng(0))
    assert set(TRUTH.variables) - set(columns) == {f"l_{k}{i}" for k in (1, 2, 3) for i in (1, 2)}
    assert TRUTH.dag_of([*columns]).sum() == 27
    smaller = read_network(ROOT / "data" / "truths" / "light_tunnel_14.bif")
    assert set(smaller.variables) == set(columns)
    assert (smaller.dag_of([*columns]) == TRUTH.dag_of([*columns])).all()

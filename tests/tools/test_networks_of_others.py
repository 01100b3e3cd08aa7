"""What tools make of others: networks of bnRep as rdata reads them, and the light tunnel by its simulator."""

from types import SimpleNamespace

import bnrep
import light_tunnel
import numpy as np
import pytest
from workflow_tools import ROOT

from cutpoint.base.errors import InputError
from cutpoint.networks.network import read_network, write_network


def table(values, dims, *states):
    """An array with named axes."""
    coords = {dim: SimpleNamespace(values=np.array(names)) for dim, names in zip(dims, states, strict=True)}
    return SimpleNamespace(values=np.array(values), dims=tuple(dims), coords=coords)


RAIN = table([0.2, 0.3, 0.5], ["dim_0"], ["none", "some", "much"])
WET = table([[0.9, 0.5, 0.1], [0.1, 0.5, 0.9]], ["Wet", "Rain"], ["no", "yes"], ["none", "some", "much"])


def test_tables_have_the_parents_first_and_the_variable_last(tmp_path):
    net = bnrep.network_of("rain", {"Rain": {"parents": [], "prob": RAIN}, "Wet": {"parents": ["Rain"], "prob": WET}})
    write_network(net, tmp_path / "rain.bif")
    again = read_network(tmp_path / "rain.bif")
    assert again.states == (("none", "some", "much"), ("no", "yes"))
    assert again.parents == ((), (0,))
    np.testing.assert_allclose(again.tables[0], [0.2, 0.3, 0.5])
    np.testing.assert_allclose(again.tables[1], [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]])


def test_gaussian_networks_have_equations(tmp_path):
    fit = {
        "b": {"parents": ["a"], "coefficients": np.array([1.0, -2.0]), "sd": np.array([0.5])},
        "a": {"parents": [], "coefficients": np.array([3.0]), "sd": np.array([2.0])},
    }
    write_network(bnrep.network_of("two", fit), tmp_path / "two.bif")
    equations = read_network(tmp_path / "two.bif").equations
    assert equations.intercepts.tolist() == [1, 3]
    assert equations.variances.tolist() == [0.25, 4]
    assert equations.weights.tolist() == [[0, 0], [-2, 0]]


def test_what_is_neither_and_axes_in_another_order_are_refused():
    mixed = {"a": {"parents": [], "prob": RAIN}, "b": {"parents": [], "coefficients": np.ones(1), "sd": np.ones(1)}}
    with pytest.raises(InputError, match="mixed: neither discrete nor Gaussian"):
        bnrep.network_of("mixed", mixed)
    turned = SimpleNamespace(values=WET.values.T, dims=("Rain", "Wet"), coords=WET.coords)
    with pytest.raises(InputError, match=r"turned: the table of Wet has the axes \['Rain', 'Wet'\]"):
        bnrep.network_of(
            "turned", {"Rain": {"parents": [], "prob": RAIN}, "Wet": {"parents": ["Rain"], "prob": turned}}
        )


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

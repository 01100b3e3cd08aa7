"""Networks of bnRep as rdata reads them: tables with named axes, coefficients, and what is neither."""

from types import SimpleNamespace

import bnrep
import numpy as np
import pytest

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

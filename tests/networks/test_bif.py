"""BIF files: names, tables and equations come back, and equations give what they say."""

from pathlib import Path

import numpy as np
import pyagrum as gum
import pytest
from scipy import stats

from cutpoint.base.errors import InputError
from cutpoint.bench.simulation.noise import Origin, make_continuous
from cutpoint.networks.network import LinearGaussian, Network, network, read_network, two_levels, write_network

SMALL = (Path(__file__).parents[1] / "golden" / "errors" / "small.bif").read_text()


@pytest.fixture
def read(tmp_path):
    def read_text(text):
        path = tmp_path / "small.bif"
        path.write_text(text)
        return read_network(path)

    return read_text


def test_small_file_by_hand(read):
    small = read(SMALL)
    assert small.name == "small"
    assert small.variables == ("A", "B")
    assert small.states == (("yes", "no"), ("<5", "5-12", "12+"))
    assert small.parents == ((), (0,))
    assert small.tables[0].tolist() == [0.2, 0.8]
    assert small.tables[1].tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    assert small.counts()["max_out_degree"] == 1


def test_everything_that_the_format_allows(read):
    text = """// a comment
    network "My network" { property author = "A; B }"; }
    /* two
       lines */
    probability("C""A""B") { property x; table .1 .2 .3 .4 .5 .6  .9 .8 .7 .6 .5 .4; }
    variable A{type discrete[2]{a//b
      c/d};property position = (1, 2);}
    variable "B" { property p; type discrete [ 3 ] { "x y", "{", 'z' }; }
    variable C { type discrete [ 2 ] { Asy/Patch, 0-3_days }; }
    probability ( A ) { default 1, 0; }
    probability ( B | A ) { default 2e-1, 3E-1, 0.5; (c/d) 0 0 1; }
    """
    rich = read(text)
    assert rich.name == "My network"
    assert rich.states == (("a", "c/d"), ("x y", "{", "'z'"), ("Asy/Patch", "0-3_days"))
    assert rich.parents == ((), (0,), (0, 1))
    np.testing.assert_allclose(rich.tables[1], [[0.2, 0.3, 0.5], [0, 0, 1]])
    np.testing.assert_allclose(rich.tables[2][..., 0], [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])


def test_a_table_with_parents_is_ordered_as_in_pyagrum(read, tmp_path):
    plain = SMALL.replace("<5, 5-12, 12+", "b0, b1, b2")
    text = plain[: plain.index("  (yes)")] + "  table 0.1, 0.3, 0.2, 0.3, 0.7, 0.4;\n}\n"
    ours = read(text)
    peer = gum.loadBN(str(tmp_path / "small.bif"))  # must outlive its tables
    assert ours.tables[1].tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    np.testing.assert_allclose(peer.cpt("B").toarray(), ours.tables[1], atol=1e-6)


def test_rows_are_rescaled_within_tolerance(read):
    third = read(SMALL.replace("0.1, 0.2, 0.7", "0.333, 0.333, 0.333"))
    np.testing.assert_allclose(third.tables[1][0], 1 / 3, rtol=1e-12)


def test_odd_names_are_quoted_and_survive(tmp_path):
    names, states = ("a b", "x|y"), (("", "//", "{;}"), ("a,b", "12+"))
    odd = Network("odd net", names, states, ((1,), ()), (np.full((2, 3), 1 / 3), np.array([0.1, 0.9])))
    write_network(odd, tmp_path / "odd.bif")
    again = read_network(str(tmp_path / "odd.bif"))
    assert (again.name, again.variables, again.states, again.parents) == ("odd net", names, states, odd.parents)
    np.testing.assert_array_equal(again.tables[0], odd.tables[0])


def test_what_cannot_be_written_is_named(tmp_path):
    quote = Network("q", ('a"b',), (("0", "1"),), ((),), (np.array([0.5, 0.5]),))
    with pytest.raises(InputError, match="cannot be written: no quotation marks or line breaks"):
        write_network(quote, tmp_path / "q.bif")
    with pytest.raises(InputError, match=r"x\.bif: cannot be written: No such file or directory"):
        write_network(network("asia"), tmp_path / "none" / "x.bif")


CHAIN = LinearGaussian(
    np.array([1.0, 0.0, -2.0]), np.array([4.0, 1.0, 0.25]), np.array([[0, 3, 0], [0, 0, -0.5], [0, 0, 0.0]])
)


def test_equations_are_those_of_the_file():
    small = read_network(Path(__file__).parents[1] / "golden" / "errors" / "gaussian.bif")
    assert small.equations.intercepts.tolist() == [1, 0.5]
    assert small.equations.variances.tolist() == [2, 1]
    assert small.equations.weights.tolist() == [[0, -3], [0, 0]]
    assert small.parameters == 5


def test_samples_have_the_means_and_covariances_of_a_chain_worked_out_by_hand():
    values = CHAIN.sample(400_000, np.random.default_rng(0))
    np.testing.assert_allclose(values.mean(0), [1, 3, -3.5], atol=0.05)
    expected = [[4, 12, -6], [12, 37, -18.5], [-6, -18.5, 9.5]]
    np.testing.assert_allclose(CHAIN.covariances(), expected)
    np.testing.assert_allclose(np.cov(values.T), expected, rtol=0.02)
    assert values.flags.f_contiguous


def test_two_levels_of_a_chain():
    tables = two_levels(CHAIN, [(), (0,), (1,)])
    assert tables[0].tolist() == [0.5, 0.5]
    high = stats.norm.cdf(3 * 2 * np.sqrt(2 / np.pi))
    np.testing.assert_allclose(tables[1], [[high, 1 - high], [1 - high, high]])
    assert tables[2][1, 1] < 0.5 < tables[2][0, 1]
    assert all(np.allclose(table.sum(-1), 1) for table in network("magic_irri").tables)


def test_data_of_own_equations_stand_in_the_columns_of_the_codes():
    ecoli = network("ecoli70")
    names = sorted(ecoli.variables)
    origin = Origin(1, "s", "ecoli70", 50, 0, "noise")
    continuous = make_continuous(np.zeros((50, 46), int), dict.fromkeys(names, 2), {"kind": "own_sem"}, origin, ecoli)
    assert (continuous.thresholds, continuous.discrete) == (None, [])
    own = ecoli.equations.of(ecoli.places(names))
    means = np.linalg.solve(np.eye(46) - own.weights.T, own.intercepts)
    assert (np.abs(continuous.values.mean(0) - means) < 5 * np.sqrt(np.diag(own.covariances()) / 50)).all()
    assert np.ptp(means) > 1

import numpy as np
import pytest
from cutpoint.bench.studies.mabrouk2015.examples import largest_difference, reversals
from cutpoint.bench.studies.mabrouk2015.reversal import reverse_arc
from hypothesis import assume, given
from hypothesis import strategies as st
from references import joint_of

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag, markov_blanket, topological_order
from cutpoint.networks.network import Network
from cutpoint.networks.random_networks import random_network


def with_zeros(network, rng):
    """Put zeros into about half of the rows."""
    tables = []
    for table in network.tables:
        kept = np.where(rng.random(table.shape) < 0.4, 0, table)
        kept[kept.sum(axis=-1) == 0] = table[kept.sum(axis=-1) == 0]
        tables.append(kept / kept.sum(axis=-1, keepdims=True))
    return Network(network.name, network.variables, network.states, network.parents, tuple(tables))


@given(st.integers(0, 10**6), st.data())
def test_marginals_are_sums_of_the_joint_distribution(seed, data):
    network = random_network(seed, nodes=(4, 6), density=(0.8, 1.5), arcs=(3, 9), max_parents=5, domains=(2, 3))
    count = len(network.variables)
    chosen = data.draw(st.permutations(range(count)))[: data.draw(st.integers(1, count))]
    whole = joint_of(network).reshape(network.cardinalities)
    summed = whole.sum(tuple(set(range(count)) - set(chosen)))  # the axes that stay are in the order of the network
    marginal = network.marginal(chosen).transpose(np.argsort(chosen))
    np.testing.assert_allclose(marginal, summed, atol=1e-14)


@given(st.integers(0, 10**6), st.booleans(), st.data())
def test_the_joint_distribution_stays(seed, zeros, data):
    network = random_network(seed, nodes=(4, 6), density=(0.8, 1.5), arcs=(3, 9), max_parents=5, domains=(2, 3))
    if zeros:
        network = with_zeros(network, np.random.default_rng(seed))
    dag = network.dag
    x, y = data.draw(st.sampled_from(np.argwhere(dag).tolist()))
    parent, child = network.variables[x], network.variables[y]
    reversed_dag = dag.copy()
    reversed_dag[x, y], reversed_dag[y, x] = False, True
    if not is_dag(reversed_dag):
        with pytest.raises(InputError, match=f"{parent} -> .* -> {child} is another path$"):
            reverse_arc(network, parent, child)
        return
    after = reverse_arc(network, parent, child)
    np.testing.assert_allclose(joint_of(after), joint_of(network), atol=1e-14)
    reversed_dag[:, y] |= dag[:, x]
    reversed_dag[:, x] |= dag[:, y] & (np.arange(len(dag)) != x)
    np.testing.assert_array_equal(after.dag, reversed_dag)
    assert after.variables == network.variables
    for i, table in enumerate(after.tables):
        assert table.shape == tuple(len(network.states[k]) for k in (*after.parents[i], i))
        assert (table >= 0).all()
        np.testing.assert_allclose(table.sum(axis=-1), 1, atol=1e-12)


@given(st.integers(0, 10**6), st.data())
def test_a_variable_without_children_has_its_blanket_as_parents(seed, data):
    network = random_network(seed, nodes=(4, 6), density=(0.8, 1.5), arcs=(3, 9), max_parents=5, domains=(2, 2))
    x = data.draw(st.integers(0, len(network.variables) - 1))
    children = [i for i in topological_order(network.dag) if network.dag[x, i]]
    assume(children)
    after = network
    for child in children:
        after = reverse_arc(after, network.variables[x], network.variables[child])
    assert not after.dag[x].any()
    assert sorted(after.parents[x]) == markov_blanket(network.dag, x).tolist()
    np.testing.assert_allclose(joint_of(after), joint_of(network), atol=1e-14)


def test_rows_given_what_cannot_be_are_uniform():
    tables = (np.array([0.5, 0.5]), np.array([[0.75, 0.25, 0.0], [0.25, 0.75, 0.0]]))
    states = (("a", "b"), ("c", "d", "e"))
    after = reverse_arc(Network("pair", ("X", "Y"), states, ((), (0,)), tables), "X", "Y")
    np.testing.assert_allclose(after.tables[1], [0.5, 0.5, 0])
    np.testing.assert_allclose(after.tables[0], [[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]])
    assert after.parents == ((1,), ())


@pytest.mark.parametrize(
    ("parent", "child", "text"),
    [("Q", "V", "network figure_2 has no variable 'Q'"), ("V", "X", "network figure_2 has no arc V -> X")],
)
def test_what_is_no_arc_is_named(parent, child, text):
    with pytest.raises(InputError, match=f"^{text}$"):
        reverse_arc(reversals()["(a) before"], parent, child)


def arcs(network):
    return {network.variables[i] + network.variables[j] for i, j in np.argwhere(network.dag)}


def test_figure_2():
    titles, networks = zip(*reversals().items(), strict=True)
    assert [title[:3] for title in titles] == ["(a)", "(b)", "(c)"]
    before, between, after = networks
    assert arcs(before) == {"PX", "RX", "XV", "SV", "XW", "TW"}
    assert arcs(between) == {"PX", "RX", "SX", "VX", "PV", "RV", "SV", "XW", "TW"}
    assert arcs(after) == {*("PX", "RX", "SX", "TX", "VX", "WX"), *("PV", "RV", "SV"), *("PW", "RW", "SW", "TW", "VW")}
    assert largest_difference(networks) < 1e-15


def test_a_changed_table_shows_as_a_difference():
    before = reversals()["(a) before"]
    root = before.variables.index("P")
    table = before.tables[root][::-1]
    changed = Network("other", before.variables, before.states, before.parents, (table, *before.tables[1:]))
    assert root == 0
    assert largest_difference([before, changed]) == pytest.approx(np.abs(joint_of(before) - joint_of(changed)).max())
    assert largest_difference([before]) == 0

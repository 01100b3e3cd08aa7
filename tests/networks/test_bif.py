import re

import numpy as np
import pyagrum as gum
import pytest

from cutpoint.base.errors import InputError
from cutpoint.networks.network import Network, network, read_network, write_network

HEAD = """network unknown {
}
variable A {
  type discrete [ 2 ] { yes, no };
}
variable B {
  type discrete [ 3 ] { <5, 5-12, 12+ };
}
"""
A = "probability ( A ) {\n  table 0.2, 0.8;\n}\n"
B = "probability ( B | A ) {\n  (yes) 0.1, 0.2, 0.7;\n  (no) 0.3, 0.3, 0.4;\n}\n"


@pytest.fixture
def read(tmp_path):
    def read_text(text):
        path = tmp_path / "small.bif"
        path.write_text(text)
        return read_network(path)

    return read_text


def test_small_file_by_hand(read):
    small = read(HEAD + A + B)
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
    plain = HEAD.replace("<5, 5-12, 12+", "b0, b1, b2") + A
    text = plain + "probability ( B | A ) {\n  table 0.1, 0.3, 0.2, 0.3, 0.7, 0.4;\n}\n"
    ours = read(text)
    peer = gum.loadBN(str(tmp_path / "small.bif"))  # must outlive its tables
    assert ours.tables[1].tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    np.testing.assert_allclose(peer.cpt("B").toarray(), ours.tables[1], atol=1e-6)


def test_rows_are_rescaled_within_tolerance(read):
    third = read(HEAD + A + B.replace("0.1, 0.2, 0.7", "0.333, 0.333, 0.333"))
    np.testing.assert_allclose(third.tables[1][0], 1 / 3, rtol=1e-12)


def edited(old, new):
    text = HEAD + A + B
    assert text.count(old) == 1, "the edit must hit one place"
    return text.replace(old, new)


# tests/golden/errors/networks.csv has more
BAD = {
    "syntax": (edited("table 0.2, 0.8;", "table 0.2 ( 0.8;"), "line 10: expected a number or ';', not '('"),
    "block": ("graph x { }", "line 1: expected network, variable or probability, not 'graph'"),
    "open quote": (edited("{ yes,", '{ "yes,'), "line 4: a quoted name or a comment is not closed"),
    "row before states": (edited("  (no)", "  no"), "line 14: expected table, default or a row, not 'no'"),
    "bad type": (edited("discrete [ 2 ]", "normal"), "line 4: expected 'discrete', not 'normal'"),
    "no type": (edited("  type discrete [ 2 ] { yes, no };\n", ""), "line 4: variable 'A' has no type"),
    "sign for a name": (edited("{ yes, no }", "{ yes, ( }"), "line 4: expected a state or '}', not '('"),
    "count": (edited("[ 2 ]", "[ 4 ]"), "line 4: variable 'A' says [ 4 ] but lists 2 states"),
    "twice a state": (edited("yes, no", "no, no"), "line 4: variable 'A' needs states with different names"),
    "no block": (HEAD + A, "variable 'B' has no probability block"),
    "unknown parent": (edited("( B | A )", "( B | X )"), "line 12: unknown parent 'X'"),
    "unknown state": (edited("(no)", "(na)"), "line 14: unknown state 'na' of 'A': it has yes, no"),
    "states": (edited("(no)", "(no, no)"), "line 14: a row names 2 states for 1 parents"),
    "missing row": (edited("  (no) 0.3, 0.3, 0.4;\n", ""), "line 14: variable 'B' has no row for (no)"),
    "short row": (edited("0.3, 0.3,", "0.6"), "line 14: a row of 'B' has 2 entries for 3 states"),
    "nan": (edited("0.3, 0.3,", "nan, 0.3,"), "line 14: a row of 'B' sums to nan, not 1"),
    "negative": (edited("0.3, 0.3,", "0.7, -0.1,"), "line 14: a row of 'B' has the negative entry -0.1"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused_in_one_line(case, read):
    text, message = BAD[case]
    with pytest.raises(InputError, match=rf"^\S*small\.bif(: |, ){re.escape(message)}$"):
        read(text)


def test_odd_names_are_quoted_and_survive(tmp_path):
    names, states = ("a b", "x|y"), (("", "//", "{;}"), ("a,b", "12+"))
    odd = Network("odd net", names, states, ((1,), ()), (np.full((2, 3), 1 / 3), np.array([0.1, 0.9])))
    write_network(odd, tmp_path / "odd.bif")
    again = read_network(str(tmp_path / "odd.bif"))
    assert (again.name, again.variables, again.states, again.parents) == (
        "odd net",
        names,
        states,
        odd.parents,
    )
    np.testing.assert_array_equal(again.tables[0], odd.tables[0])


def test_what_cannot_be_written_is_named(tmp_path):
    quote = Network("q", ('a"b',), (("0", "1"),), ((),), (np.array([0.5, 0.5]),))
    with pytest.raises(InputError, match="cannot be written: no quotation marks or line breaks"):
        write_network(quote, tmp_path / "q.bif")
    with pytest.raises(InputError, match=r"x\.bif: cannot be written: No such file or directory"):
        write_network(network("asia"), tmp_path / "none" / "x.bif")

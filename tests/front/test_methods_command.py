"""`cutpoint methods`, and what is said to a method that no row has the name of."""

import pytest

import cutpoint as cp
from cutpoint.base.text import MOST, suggest
from cutpoint.cli import main
from cutpoint.commands.methods import ABOUT
from cutpoint.method import DEFAULT


def test_categories_list_what_python_lists_and_words_narrow_it(capsys):
    names = []
    for category in ABOUT:
        assert main(["methods", category]) == 0
        names += [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert sorted(names) == sorted(cp.methods())
    assert main(["methods", "STECK3", "exact,", "None"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["steck_exact3_all"]


def test_an_overview_fits_on_a_screen_and_every_method_is_explained(capsys):
    assert main(["methods"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 21
    assert lines[0].split()[0] == DEFAULT
    assert {line.split()[0] for line in lines[:-1]} <= {*cp.methods()}
    assert max(map(len, lines)) <= 90
    assert main(["methods", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines if line.split(":")[0] not in ABOUT) == sorted(cp.methods())
    for name in cp.methods():
        assert main(["methods", name]) == 0
        assert capsys.readouterr().out.startswith(f"{name}: ")
    assert main(["methods", "steck3"]) == 0
    output = capsys.readouterr().out
    assert "\npolicy steck: Learn a structure and thresholds" in output
    assert "\n  ess=1.0, max_levels=60\n" in output


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("Steck3", "steck3"),
        ("hartemink / bic / tabu", "search.hartemink.bic.tabu"),
        ("Hartemink/bic/tabu", "search.hartemink.bic.tabu"),
        ("stek3", "steck3"),
    ],
)
def test_a_label_or_a_slip_is_answered_with_its_row_first_and_few_names(name, row):
    with pytest.raises(cp.InputError) as raised:
        cp.learn([[0.0]], name)
    message = str(raised.value)
    assert message.startswith(f"unknown method {name!r}; did you mean {row!r}? (known: ")
    assert message.endswith(f" and {len(cp.methods()) - MOST} more; cutpoint methods --all lists all)")
    assert len(message) < 300


def test_the_most_similar_name_does_not_hang_on_capitals():
    assert suggest("Grösse", ["Alter", "Größe in cm"]) == "; did you mean 'Größe in cm'? (known: Alter, Größe in cm)"
    assert suggest("x", [], lister="nowhere") == " (known: none)"
    assert suggest("q", ["a", "b"], lister="nowhere") == " (known: a, b)"

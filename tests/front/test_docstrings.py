"""Every public name says what it takes, returns and refuses, and stands in an example that runs."""

import doctest
import inspect
import re

import pytest

import cutpoint as cp
from cutpoint import estimators

OBJECTS = {name: getattr(cp, name) for name in cp.__all__}
OF_RUNS = ("edges", "results")  # their examples need a finished run: tests/report runs them
REFUSE_NOTHING = ("cardinalities", "markov_blanket", "methods", "network_names", "network_score")
PARSER = doctest.DocTestParser()


@pytest.mark.parametrize("each", [estimators, *(OBJECTS[name] for name in OBJECTS if name not in OF_RUNS)])
def test_an_example_prints_what_it_says(each, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n\n".join(map(inspect.cleandoc, (cp.__doc__, each.__doc__)))
    assert not doctest.DocTestRunner().run(PARSER.get_doctest(text, {}, each.__name__, None, 0)).failed


def test_each_name_stands_in_an_example():
    examples = [example for each in OBJECTS.values() for example in PARSER.get_examples(each.__doc__)]
    text = " ".join(example.source + (example.exc_msg or "") for example in examples)
    assert [name for name in OBJECTS if not re.search(rf"\b{name}\b", text, re.IGNORECASE)] == []


@pytest.mark.parametrize("name", [name for name, each in OBJECTS.items() if inspect.isfunction(each)])
def test_a_function_says_what_it_takes_returns_and_refuses(name):
    text = inspect.getdoc(OBJECTS[name])
    text += cp.hill_climb.__doc__ if "See `hill_climb` for all but options" in text else ""
    assert [each for each in inspect.signature(OBJECTS[name]).parameters if not re.search(rf"\b{each}\b", text)] == []
    assert re.search(r"^(Return|Draw|Read|Write)|Returns:", text)
    assert ("InputError" in text) != (name in REFUSE_NOTHING)

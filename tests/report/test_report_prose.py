"""The methods section, its references, the cost tables and the sentences of the first screen."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import TypeAdapter

from cutpoint.base.checking import read_yaml
from cutpoint.base.text import listed
from cutpoint.bench.engine import sentences as made
from cutpoint.bench.engine.declaration import study_file, study_names
from cutpoint.bench.engine.inputs import Method
from cutpoint.bench.engine.numbers import MEAN, Columns
from cutpoint.bench.report.costs import by_method, by_rule
from cutpoint.bench.report.prose import of_noises, of_row, sentences
from cutpoint.bench.report.references import REFERENCES, references_of
from cutpoint.bench.report.study import MOST_ROWS
from cutpoint.bench.workflow.settings import Noise, Study
from cutpoint.method import registry
from cutpoint.method.rows import members_of, read_methods
from cutpoint.statistics.estimates import jackknife

ROOT = Path(__file__).parents[2]
STUDIES = study_names()
ROWS = read_methods(ROOT / "config" / "methods.yaml")
TABLES = (registry.INTEGRATED, registry.LEARNERS, registry.PATTERN_LEARNERS, registry.DISCRETE_PATTERN_LEARNERS)
TEXTBOOK = {"equal_width", "equal_frequency", "ll"}


def load(name):
    return Study.model_validate(read_yaml(study_file(name)))


def test_every_part_of_a_method_is_cited():
    names = {name for table in TABLES for name in table} | set(registry.DISCRETIZERS) | set(registry.CONTINUOUS_SCORES)
    assert (names | set(registry.SCORES) | {"stable"}) - TEXTBOOK == REFERENCES.keys()
    cited = references_of([{"policy": "steck", "learner": "hill_climbing", "score": "bdeu"}, {"policy": "steck_exact"}])
    assert [text.split(",")[0] for text in cited] == ["Heckerman", "Steck"]


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("scale", ["published", "quick"])
def test_the_methods_section_names_what_was_run(name, scale):
    about = load(name)
    members = members_of(list({m for grid in about.grids.values() for m in grid.methods}), ROWS)
    rows = {name: ROWS[name] for name in members}
    text = " ".join(sentences(about, scale, 7, (600, 4000), rows))
    assert "None" not in text
    assert "{" not in text.replace("{'", "")
    if len(rows) > MOST_ROWS:
        assert "Methods." not in text
    else:
        assert all(f"{row['label']}: " in text for row in rows.values())
    if about.grids and rows:
        assert "seed 7" in text
        assert "600 s" in text
        assert "Every run had" not in text  # runs of other settings are kept
    for grid_name, grid in about.grids.items():
        assert f"Data ({grid_name})" in text
        for network in about.scales[scale].of("networks", grid_name) or grid.networks:
            assert network in text or network in about.random_networks


def test_equations_in_words():
    linear, additive = (of_noises([load("field2026").noises[name]]) for name in ("linear", "additive"))
    start = "in place of its code each variable was a sum of "
    end = "its parents, times weights of 0.5 to 2 with random signs, and a standard normal error, standardised; "
    assert linear == f"{start}{end}the columns stood in random order"
    assert additive == f"{start}smooth random functions (length scale 1) of {end}the columns stood in random order"


NOISES = TypeAdapter(Noise)


@pytest.mark.parametrize(
    ("noise", "text"),
    [
        (
            {"kind": "latent_normal", "discrete": 0.3},
            "each code became an interval of a standard normal value, as likely as the code; 30% of the variables "
            "stayed discrete",
        ),
        (
            {"kind": "beta", "measured": {"below": 0.1, "step": 0.25}},
            "each code became an interval of length 0.5 to 2 with a beta density, both parameters 0.5 to 4; 10% of the "
            "records were at the lower limit of detection of each; values were rounded to 0.25 standard deviations",
        ),
        (
            {"kind": "nonadditive_sem", "errors": "laplace", "spread": 0.5, "measured": {"skew": [0.5, 1]}},
            "in place of its code each variable was a sum of a smooth random function (length scale 1) of all its "
            "parents, times the length of their weights of 0.5 to 2, and a standard laplace error times a scale that "
            "depends on its parents (its logarithm has standard deviation 0.5), standardised; the scales of the "
            "columns were skewed by 0.5 to 1",
        ),
    ],
)
def test_noises_in_words(noise, text):
    assert of_noises([NOISES.validate_python(noise)]) == f"{text}; the columns stood in random order"


def test_what_many_noises_have_in_common_is_said_once():
    """A study of missing cells has thirteen noises that differ in these alone."""
    about = load("missing")
    text = of_noises([about.noises[name] for name in about.grids["simulated"].noises])
    assert text == (
        "normal noise of standard deviation 0.35 was added to each code; in 50% of the columns 5%, 15% and 30% of the "
        "cells were removed completely at random or at random given another column; of some data sets none were "
        "removed; records with missing cells were left out or missing cells were filled in; the columns stood in "
        "random order"
    )
    orders = load("fu2005")
    assert of_noises([orders.noises[name] for name in orders.grids["fixed_orders"].noises]).endswith(
        "; the columns stood in declared, alphabetical, topological and reverse topological order"
    )


def test_intervals_are_over_what_is_left_out():
    for name, unit in (("field2026", "network"), ("fu2005", "replicate"), ("own", "fold")):
        text = " ".join(sentences(load(name), "published", 7, (600, 4000), {"a": ROWS["bach"]}))
        assert f"when one {unit} is left out" in text


def test_a_row_in_words():
    text = of_row(ROWS["steck3"])
    assert text == "integrated, steck, hill climbing, bdeu (initial thresholds by equal frequency 3)"
    assert of_row(ROWS["eqwidth3"]) == "prediscretization, equal width, hill climbing, bdeu (bins 3)"
    assert "(candidates unlimited, initial thresholds by" in of_row(ROWS["steck_exact3_all"])
    assert of_row(ROWS["hartemink"] | {"initial": 20}).endswith("(bins 3, initial 20)")
    assert of_row(ROWS["tetrad_pc"]).startswith("external, rule tetrad_pc")


def test_costs_count_what_ended_well():
    rows = [
        {"method": "a", "status": "ok", "seconds": 1.0, "peak_mb": 5.0},
        {"method": "a", "status": "ok", "seconds": 3.0, "peak_mb": 9.0},
        {"method": "a", "status": "error", "seconds": 99.0, "peak_mb": 999.0},
        {"method": "b", "status": "ok", "seconds": None, "peak_mb": None},
    ]
    a, b = by_method(rows, {"a": "A", "b": "B"})
    assert a == {"label": "A", "runs": 2, "median": 2.0, "total": 4.0, "peak": 9.0}
    assert b == {"label": "B", "runs": 1, "median": None, "total": None, "peak": None}


def test_costs_by_rule(tmp_path):
    header = "s\tmax_rss\n"
    for name, text in {"learn/x/a.tsv": "1.5\t10\n", "learn/x/b.tsv": "2.5\tNA\n", "tables.tsv": "9\t1\n"}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(header + text)
    found = by_rule(tmp_path)
    assert [(row["rule"], row["jobs"], row["wall"], row["peak"]) for row in found] == [
        ("tables", 1, 9.0, 1.0),
        ("learn", 2, 4.0, 10.0),
    ]
    assert by_rule(tmp_path / "nothing") == []


def columns(rows, log=False):
    """Columns of a mean from its replicates [M, R]."""
    values = jackknife(np.asarray(rows, float)[:, None], blocks=["cell"])
    count = np.ones((len(rows), 1), int)
    return Columns((MEAN,), values, values, count, count, [[""]] * len(rows), (5,), log=log)


def test_the_best_are_those_that_none_beats():
    rows = [[3.0, 3.1, 2.8], [1.0, 1.1, 0.9], [np.nan] * 3, [1.0, 1.2, 0.7], [1.05, 1.0, 0.9]]
    for log in (False, True):
        found = columns(rows, log=log)
        assert made.best(found, [0, 1, 2, 3, 4]) == [3, 4, 1]
        assert made.best(found, [0, 2]) == [0]
        assert made.best(found, [0, 1, 3], highest=True) == [0]
    assert made.best(columns([[np.nan] * 3]), [0]) == []


@pytest.mark.parametrize(("count", "said"), [(0, "0 replicates"), (1, "1 replicate "), (2, "2 replicates "), (3, "")])
def test_few_replicates_are_a_preview(count, said):
    text = made.preview("Cost", count)
    assert said in text
    assert bool(text) == (count < 3)


@pytest.mark.parametrize(
    ("items", "text"), [(["a"], "a"), (["a", "b"], "a and b"), ([1.5, 2, 3], "1.5, 2 and 3"), ([], "")]
)
def test_lists_in_words(items, text):
    assert listed(items) == text


def test_sizes_with_the_same_leaders_stand_together():
    inputs = SimpleNamespace(methods=[Method(name, name.capitalize(), "direct") for name in ("one", "two")])
    clear, tied = [[1.0, 1.1, 0.9], [2.0, 2.3, 2.2]], [[1.0, 1.1, 0.9], [1.0, 0.9, 1.2]]
    values = jackknife(np.array([clear, tied, clear, tied]).transpose(1, 0, 2), blocks=[0, 1, 2, 3])
    count = np.ones((2, 4), int)
    found = Columns((100, 200.0, 500, MEAN), values, values, count, count, [[""] * 4] * 2, (3,) * 4)
    said = "N = 100 and 500: One is the best; N = 200: One and Two are tied for the best"
    assert made.by_column(inputs, found) == said
    assert made.leaders(inputs, found, 100, highest=True) == "Two is the best"

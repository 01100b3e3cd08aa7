"""Which methods share a job: those of a category, unless a row says otherwise or names a function of the user's."""

import pytest
from script_tools import ROOT

from cutpoint.bench.workflow.lookups_methods import Jobs
from cutpoint.method.method import CATEGORIES
from cutpoint.method.rows import job_of, read_methods

ROWS = read_methods(ROOT / "config" / "methods.yaml")


@pytest.mark.parametrize(
    ("row", "shipped", "job"),
    [
        ({"category": "direct"}, True, "direct"),
        ({"category": "direct"}, False, "mine"),
        ({"category": "integrated", "job": "slow"}, True, "slow"),
        ({"category": "integrated", "job": "slow"}, False, "slow"),
        ({"category": "external", "rule": "program"}, True, "program"),
        ({"category": "external", "rule": "program"}, False, "program"),
    ],
)
def test_a_job_is_that_of_the_rule_the_row_or_the_category(row, shipped, job):
    assert job_of("mine", row, shipped) == job


def test_shipped_rows_have_one_job_for_each_category_and_one_for_each_rule():
    jobs = Jobs(ROWS)
    assert jobs.internal == sorted({*CATEGORIES} - {"external"})
    for category in jobs.internal:
        assert jobs.named(category) == [category]
    assert jobs.named("external") == sorted({row["rule"] for row in ROWS.values() if row["category"] == "external"})
    assert not any("job" in row for row in ROWS.values())


def test_all_methods_of_a_job_are_of_one_category():
    rows = ROWS | {"slow": ROWS["steck3"] | {"job": "s"}}
    jobs = Jobs(rows)
    assert all(jobs.category[jobs.of[name]] == row["category"] for name, row in rows.items())
    assert jobs.of["slow"] == "s"
    assert jobs.of_methods(["slow", "bach", "steck3", "bach"]) == ["s", "direct", "integrated"]

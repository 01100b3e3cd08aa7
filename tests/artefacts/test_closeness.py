"""How close reproduced numbers are to published ones, against numbers written out."""

import numpy as np
import pytest
from made_report import claim

from cutpoint.bench.artefacts.closeness import (
    DIFFERENCE,
    INSIDE,
    RANK,
    WHOLE,
    PublishedColumn,
    closeness,
    held,
    published_columns,
)
from cutpoint.bench.artefacts.table import ArtefactTable, Cell, Row, RunScale

REFERENCE = Cell(1.0, 1.0)
SHD = [Cell(1.1, 1.0, 0.9, 1.2), Cell(1.5, 1.2, 1.4, 1.6), Cell(2.0, 1.6, 1.5, 2.5), REFERENCE, Cell(published=3.0)]
TIME = [Cell(10.0, 1.0, 9.0, 11.0), Cell(5.0, 2.0, 4.0, 6.0), Cell(1.0, 3.0, 0.5, 1.5), REFERENCE, Cell("words")]


def table(*columns, title="Table 1", keys=()):
    rows = tuple(Row(str(k), str(k), "", cells) for k, cells in enumerate(zip(*columns, strict=True)))
    heads = tuple(map(str, range(len(columns))))
    return ArtefactTable("table", title, "", "method", heads, rows, RunScale("published", 1, 3), keys=keys)


def test_each_table_and_the_paper_without_its_costs_are_compared_with_print():
    costly = table(TIME, title="Table 2", keys=({"measure": "time"},))
    rows = closeness(published_columns([table(SHD), costly, table([Cell(1.0)])], {"time"}))
    first, second, whole = rows
    assert first == {"Table": "Table 1", "Numbers": "3", RANK: "1.00", DIFFERENCE: "25.0 %", INSIDE: "2 of 3"}
    assert second == {"Table": "Table 2", "Numbers": "3", RANK: "-1.00", DIFFERENCE: "150.0 %", INSIDE: "0 of 3"}
    assert whole == first | {"Table": WHOLE}
    assert closeness([]) == []


def test_numbers_without_chance_are_compared_without_intervals():
    exact = PublishedColumn("Table 2", False, np.array([[1.0, 2.0], [1.0, 2.5], [np.nan] * 2, [np.nan] * 2]))
    assert closeness([exact])[0] == {"Table": "Table 2", "Numbers": "2", RANK: "", DIFFERENCE: "12.5 %", INSIDE: ""}


@pytest.mark.parametrize(
    ("verdict", "part", "want"),
    [
        ("reproduced", "supported", "2 of 2 judged claims hold."),
        ("not comparable", "supported", "1 of 1 judged claims hold."),
        ("contradicted", "contradicted", "1 of 2 judged claims hold. Of their 2 inequalities 1 are supported, 1 contr"),
        ("inconclusive", "inconclusive", "1 of 2 judged claims hold. Of their 2 inequalities 1 are supported, 0 contr"),
    ],
)
def test_claims_that_hold_are_counted_and_near_ties_are_called_so(verdict, part, want):
    claims = [claim("C1"), claim("C1", "1", "supported"), claim("C2", verdict=verdict), claim("C2", "1", part)]
    text = held(claims)
    assert text.startswith(want)
    assert ("1 near ties" in text) == (verdict == "inconclusive")

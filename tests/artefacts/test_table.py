"""Tables as CSV, Markdown, HTML and JSON."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_report import claim
from script_tools import script

from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.closeness import DIFFERENCE, INSIDE, RANK, WHOLE, PublishedColumn, closeness, held
from cutpoint.bench.artefacts.table import (
    BEST,
    ArtefactTable,
    Cell,
    Row,
    RunScale,
    decimals,
    from_json,
    number,
    padding,
    parted,
    to_csv,
    to_json,
)
from cutpoint.bench.engine.show import WRITERS

CELLS = (
    Cell(1.04, 1.4, 0.98, 1.1, 4, 5),
    Cell(None, 0.5, runs=0, expected=5, reason="timeout"),
    Cell(float("nan"), None),
    Cell(7, 7),
)
TABLE = ArtefactTable(
    name="table_x",
    title="Table x: 50 % of a_b & c",
    caption="What it is.",
    key="method",
    columns=("A", "B", "C", "D"),
    rows=(Row("m1", "M_1", "direct", CELLS),),
    scale=RunScale("quick", 3, 2),
    notes=("A note.",),
    panels=(("First", range(2)), ("Second", range(2, 4))),
)


def test_numbers_as_printed():
    texts = [number(x) for x in (1.0, -0.001, 12.345, 534.45, 12345.6, None, float("nan"), 9999, 783702329343, "two")]
    assert texts == ["1.00", "0.00", "12.35", "534.5", "12,346", "", "", "9999", "783,702,329,343", "two"]
    for tie in (0.125, 0.375, 2.675):  # whatever order the number was summed up in
        assert number(tie * (1 + 1e-15)) == number(tie * (1 - 1e-15)) == number(tie)


def test_json_holds_the_whole_table(tmp_path):
    path = tmp_path / "table.json"
    path.write_text("")  # after a power cut
    with pytest.raises(InputError, match=r"json: holds no table of this version; delete /.* and run again"):
        from_json(path)
    path.write_text(to_json(TABLE))
    table = from_json(path)
    assert [writer(table) for writer in WRITERS.values()] == [writer(TABLE) for writer in WRITERS.values()]
    assert "NaN" not in to_json(TABLE)


def test_csv_has_a_column_for_each_key_and_words_apart():
    cells = (Cell(1.5, "20 to 40", best=True), Cell("1/0/23", 2), Cell("0.031"), Cell(reason="lost"))
    keys = ({"measure": "shd", "n": 500}, {"measure": "shd"}, {"measure": "p"}, {"method": "hidden", "measure": "p"})
    rows = list(csv.DictReader(io.StringIO(to_csv(replace(TABLE, rows=(Row("m", "M", "", cells),), keys=keys)))))
    assert [(row["method"], row["measure"], row["n"]) for row in rows] == [
        ("m", "shd", "500"),
        ("m", "shd", ""),
        ("m", "p", ""),
        ("m", "p", ""),
    ]
    texts = [(row["published"], row["published_text"], row["reproduced"], row["text"]) for row in rows]
    assert texts == [("", "20 to 40", "1.5", ""), ("2", "", "", "1/0/23"), ("", "", "0.031", ""), ("", "", "", "")]
    assert [row["best"] for row in rows] == ["yes", "", "", ""]


@pytest.mark.parametrize("text", ["=1+1", "@x", "-2+cmd|' /C calc'!A0", "+A1", "-", "-1.5 | 2e-05 (3)", "a=b"])
def test_no_cell_of_csv_is_a_formula_and_none_of_markdown_a_tag_or_two(text):
    label = f"{text}|<img src=x> < b"
    table = replace(TABLE, rows=(Row(text, label, "", (Cell(text), *CELLS[1:])),))
    (row, *_) = csv.DictReader(io.StringIO(to_csv(table)))
    assert row["method"] == row["text"] == ("" if text[:2] in ("-", "-1", "a=") else "'") + text
    (line, *_) = [line for line in WRITERS["md"](table).splitlines() if "img" in line]
    assert r"\|\<img src=x> < b" in line
    assert len(re.findall(r"(?<!\\)\|", line)) == 4


def test_a_reason_stands_once_below_the_table_and_not_in_its_cells():
    cells = (Cell(reason="b" * 99), *(Cell(reason="lost") for _ in range(3)))
    for table, places in (TABLE, ("",)), (replace(TABLE, rows=(Row("m", "M", "", cells),)), (" (1)", " (2)")):
        for ending in ("md", "html"):
            text = WRITERS[ending](table)
            assert text.count("timeout") + text.count("b" * 99) == text.count("Not available: ") == 1
            assert all(f"not available{place}" in text for place in places)


def test_the_best_is_marked_and_explained():
    cells = (Cell(1.5, low=1.0, high=2.0, best=True), *CELLS[1:])
    table = replace(TABLE, rows=(Row("m1", "M", "", cells), *TABLE.rows))
    assert "**1.50** [1.00, 2.00]" in WRITERS["md"](table)
    assert '<td class="best">1.50' in WRITERS["html"](table)
    assert r"\bfseries 1.50 & [1.00, 2.00]" in WRITERS["tex"](table)
    for ending in ("md", "html", "float.tex"):
        assert BEST in WRITERS[ending](table)
        assert BEST not in WRITERS[ending](TABLE)


@given(st.lists(st.one_of(st.floats(-1e6, 1e6), st.integers(-99, 99), st.none()), min_size=1, max_size=6))
def test_decimals_stand_below_each_other(numbers):
    table = replace(TABLE, columns=("A",), rows=tuple(Row("m", "M", "", (Cell(x),)) for x in numbers), panels=())
    (most,) = decimals(table)
    there = [x for x in numbers if x is not None]
    texts = [number(x) + padding(Cell(x), most) for x in there]
    assert {len(text.partition(".")[2]) for text in texts} <= {most}
    assert [text[: len(number(x))] for text, x in zip(texts, there, strict=True)] == [*map(number, there)]


def test_lines_stand_between_categories_where_rows_stand_by_these():
    def rows(categories):
        return replace(TABLE, rows=tuple(Row("m", "M", category, CELLS) for category in categories))

    assert all(map(parted, map(rows, ("a", "aab", "aabca"))))
    assert not parted(rows("abab"))


REFERENCE = Cell(1.0, 1.0)
SHD = [Cell(1.1, 1.0, 0.9, 1.2), Cell(1.5, 1.2, 1.4, 1.6), Cell(2.0, 1.6, 1.5, 2.5), REFERENCE, Cell(published=3.0)]
TIME = [Cell(10.0, 1.0, 9.0, 11.0), Cell(5.0, 2.0, 4.0, 6.0), Cell(1.0, 3.0, 0.5, 1.5), REFERENCE, Cell("words")]


def table(*columns, title="Table 1", keys=()):
    rows = tuple(Row(str(k), str(k), "", cells) for k, cells in enumerate(zip(*columns, strict=True)))
    heads = tuple(map(str, range(len(columns))))
    return ArtefactTable("table", title, "", "method", heads, rows, RunScale("published", 1, 3), keys=keys)


def test_each_table_and_the_paper_without_its_costs_are_compared_with_print():
    costly = table(TIME, title="Table 2", keys=({"measure": "time"},))
    rows = closeness(script("report").published_columns([table(SHD), costly, table([Cell(1.0)])], {"time"}))
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

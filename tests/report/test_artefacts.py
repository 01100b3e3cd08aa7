"""Tables as CSV, Markdown, LaTeX and JSON."""

from cutpoint.report.artefacts import Cell, Row, Scale, Table, from_json, number, to_json
from cutpoint.report.latex import escape
from cutpoint.report.writers import WRITERS

CELLS = (
    Cell(1.04, 1.4, 0.98, 1.1, 4, 5),
    Cell(None, 0.5, runs=0, expected=5, reason="timeout"),
    Cell(float("nan"), None),
    Cell(7, 7),
)
TABLE = Table(
    name="table_x",
    title="Table x: 50 % of a_b & c",
    caption="What it is.",
    key="method",
    columns=("A", "B", "C", "D"),
    rows=(Row("m1", "M_1", "direct", CELLS),),
    scale=Scale("quick", 3, 2),
    notes=("A note.",),
    panels=(("First", range(2)), ("Second", range(2, 4))),
)


def test_numbers_as_printed():
    shown = [number(x) for x in (1.0, -0.001, 12.345, 534.45, 12345.6, None, float("nan"), 3, "two")]
    assert shown == ["1.00", "0.00", "12.35", "534.5", "12346", "", "", "3", "two"]


def test_escape_covers_every_special_character():
    assert escape(r"\{}$&#%_~^<>|") == (
        r"\textbackslash{}\{\}\$\&\#\%\_\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"
    )


def test_json_holds_the_whole_table():
    table = from_json(to_json(TABLE))
    assert [writer(table) for writer in WRITERS.values()] == [writer(TABLE) for writer in WRITERS.values()]
    assert "NaN" not in to_json(TABLE)

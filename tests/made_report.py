"""A small report of one study: its runs, claims, table and figure, each to be changed."""

from dataclasses import replace

from cutpoint.bench.artefacts.table import ArtefactTable, Cell, Row, RunScale
from cutpoint.bench.report.study import Picture, StudyReport

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


def table(name="table_1", **changes):
    cells = (Cell(1.5, 1.25, 1.25, 1.75, 2, 2), Cell(reason="ran out of memory"), Cell(2, None, runs=1, expected=2))
    rows = (Row("a", "A", "direct", cells), Row("b", "B", "other", (Cell(), Cell(0.5, 0.123, digits=3), Cell("text"))))
    example = ArtefactTable(
        name, "Table 1: things", "What is shown.", "method", ("x", "y", "z"), rows, RunScale("quick", 1, 2)
    )
    return replace(example, **changes)


def run(status="ok", message=None, cell="net-500", method="bach", grid="simulated"):
    return {"grid": grid, "cell": cell, "method": method, "status": status, "message": message}


def claim(name, part="", verdict="reproduced", artefact="table_1", **more):
    fixed = {
        "source": "paper",
        "text": "A is below B.",
        "numbers": "a = 1; b = 2",
        "implementation": "false",
        "note": "",
    }
    return {"claim": name, "part": part, "verdict": verdict, "artefact": artefact, **fixed, **more}


def study(name="paper", **changes):
    example = StudyReport(
        name=name,
        title="On things",
        citation="Someone (2001).",
        scale="quick",
        seed=1,
        methods=[{"label": "A", "category": "direct", "settings": "learner: pc", "note": ""}],
        runs=[run(), run()],
        claims=[claim("C1"), claim("C1", "1", "supported"), claim("C2", verdict="contradicted", artefact="figure_1")],
        tables=[table()],
        figures=[Picture("figure_1", SVG, "A thing", "A thing. y from 1 to 2.")],
    )
    return replace(example, **changes)

"""Tables as LaTeX: every row has as many cells as there are columns, and numbers stand alone in theirs."""

import shutil
import subprocess
from dataclasses import replace

import pytest
from latex_checks import check

from cutpoint.bench.artefacts.latex import PREAMBLE, escape, to_float, to_latex
from cutpoint.bench.artefacts.table import ArtefactTable, Cell, Row, RunScale

CELLS = (Cell(1.04, 1.4, 0.98, 1.1, 4, 5, best=True), Cell(-12, 7), Cell("a_b", best=True), Cell(reason="timeout"))
TABLE = ArtefactTable(
    name="table_x",
    title="Table V-4: normalised SHD",
    caption="Of 50 % of them.",
    key="method",
    columns=("A & B", "B", "C", "D"),
    rows=(Row("m1", "M_1", "direct", CELLS), Row("m2", "M2", "other", (Cell(123.4), Cell(3), Cell(), Cell()))),
    scale=RunScale("quick", 3, 2),
    notes=("From https://example.org/a_b%20c, twice.",),
    study="fu2005",
)
LONG = replace(TABLE, rows=TABLE.rows * 23)


def test_escape_covers_every_special_character():
    assert escape(r"\{}$&#%_~^<>|") == (
        r"\textbackslash{}\{\}\$\&\#\%\_\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"
    )


@pytest.mark.parametrize("table", [TABLE, LONG, replace(LONG, panels=(("a_b", range(2)), ("c", range(2, 4))))])
@pytest.mark.parametrize("write", [to_latex, to_float])
def test_tables_are_whole(table, write):
    check(write(table))


def test_a_table_to_be_input_has_nothing_around_it():
    text = to_latex(TABLE)
    assert text.startswith("% Table V-4: normalised SHD.\n% cutpoint ")
    assert "study fu2005. Quick scale, not the grid of the paper; 2 replicates per cell; seed 3." in text
    assert all(f"% {line}" in text for line in PREAMBLE)
    assert [line for line in text.splitlines() if line.startswith((r"\begin", r"\caption", r"\end"))] == [
        r"\begin{tabular}{lS[table-format=3.2,detect-weight]@{~}lS[table-format=-2.0,detect-weight]@{~}lll}",
        r"\end{tabular}",
    ]
    first = (
        r"M\_1 & \bfseries 1.04 & [0.98, 1.10] \printed{1.40} 4/5 runs & -12 & \printed{7} & \textbf{a\_b} & n.a. \\"
    )
    assert f"\n{first}\n\\addlinespace\nM2 & " in text


def test_a_float_has_a_title_of_its_own_number():
    text = to_float(TABLE)
    assert r"\caption{Normalised SHD. Of 50 \% of them. Values printed in the paper are in italics.}" in text
    assert r"\label{table_x}" in text
    assert r"From \url{https://example.org/a_b%20c}, twice." in text


def test_what_is_longer_than_a_page_is_a_longtable():
    assert len(LONG.rows) == 46
    assert r"\begin{tabular}" not in to_latex(LONG) + to_float(LONG)
    assert to_latex(LONG).count(r"\endhead") == to_float(LONG).count(r"\endhead") == 1
    assert (to_latex(LONG).count(r"\caption"), to_float(LONG).count(r"\caption")) == (0, 1)
    assert r"\begin{tabular}" in to_latex(replace(LONG, rows=LONG.rows[:45]))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_takes_them(tmp_path):
    parts = [write(table) for table in (TABLE, LONG) for write in (to_latex, to_float)]
    text = "\n".join([r"\documentclass{article}", *PREAMBLE, r"\begin{document}", *parts, r"\end{document}"])
    (tmp_path / "all.tex").write_text(text)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:]

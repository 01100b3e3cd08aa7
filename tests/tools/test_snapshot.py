"""The kept numbers of a run, and the pages made from them."""

import re
from pathlib import Path

import pytest

from cutpoint import cli
from cutpoint.base.errors import InputError
from cutpoint.data import parquet, schemas
from cutpoint.report import artefacts
from cutpoint.report.artefacts import Cell, Row, Scale, Table
from cutpoint.studies.declaration import study_names
from cutpoint.tools import snapshot
from cutpoint.tools.snapshot import PAGES, Snapshot, page, take

ROOT = Path(__file__).parents[2]
KEPT = Snapshot(ROOT / "data" / "results")
TEMPLATES = ROOT / "src" / "cutpoint" / "templates" / "pages"
CLAIMS = "study,claim,part,text,verdict,share,numbers,implementation,artefact,note,scale,seed,replicates\n"


@pytest.fixture
def run(tmp_path):
    """Return a folder with the results of a study, as the workflow leaves them."""
    folder = tmp_path / "results" / "fu2005"
    (folder / "tables").mkdir(parents=True)
    cells = (Cell(1.23456789, 1.5, 1.0, 1.5), Cell(reason="lost"))
    made = Table("table_1", "T", "C", "method", ("x", "y"), (Row("a", "A", "direct", cells),), Scale("quick", 1, 2))
    (folder / "tables" / "table_1.csv").write_text(artefacts.to_csv(made))
    (folder / "claims.csv").write_text(
        CLAIMS
        + "fu2005,F1,,A < B.,holds,0.96,,false,table_1,,quick,1,2\nfu2005,F1,1,part,holds,1,,false,table_1,,quick,1,2\n"
    )
    (folder / "answers.csv").write_text("topic,text\ncost,Cheap.\n")
    rows = [
        {"study": "fu2005", "grid": "g", "cell": "c", "replicate": r, "method": "a", "status": s, "seconds": 1.5}
        for r, s in enumerate(["ok", "ok", "error"])
    ]
    parquet.write_records(folder / "metrics.parquet", rows, schemas.METRICS, study="fu2005", scale="quick", seed=1)
    path = tmp_path / "logs" / "benchmarks" / "fu2005" / "learn" / "x.tsv"
    path.parent.mkdir(parents=True)
    path.write_text("s\tmax_rss\n2.5\t10\n")
    return tmp_path


def test_numbers_come_back(run):
    assert take(run, run / "kept") == ["fu2005"]
    kept = Snapshot(run / "kept")
    assert kept.raw("fu2005", "table_1", "a", "x") == 1.23457
    assert kept.value("fu2005", "table_1", "a", "x") == "1.23"
    assert kept.value("fu2005", "table_1", "a", "x", what="published", digits=1) == "1.5"
    assert kept.spread("fu2005", "table_1", "a", "x") == "1.23 [1.00, 1.50]"
    assert kept.verdict("fu2005", "F1") == "holds"
    assert (kept.count("holds"), kept.count("holds", "tran2013"), kept.count("does not hold")) == (1, 0, 0)
    assert [(row["status"], row["runs"], row["seconds"]) for row in kept.runs] == [
        ("error", "1", "1.5"),
        ("ok", "2", "3"),
    ]
    assert [(row["rule"], row["jobs"], row["wall"]) for row in kept.rules] == [("learn", "1", "2.5")]
    assert kept.studies == ["fu2005"]
    text = page("results", kept)
    assert "| fu2005 | F1 | holds | 96 % | A < B. |" in text
    assert "| a | x | 1.5 | 1.23457 [1, 1.5] |" in text
    assert "| fu2005 | 3 | 2 | 4 | 1 | 2 |" in text


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda kept: kept.value("fu2005", "table_1", "a", "z"), "no number reproduced in fu2005, table_1, row 'a'"),
        (lambda kept: kept.value("fu2005", "table_1", "a", "y"), "column 'y'"),
        (lambda kept: kept.verdict("fu2005", "F2"), "no claim 'F2' of fu2005"),
        (lambda kept: page("findings", kept), "no number|no claim"),
    ],
)
def test_what_a_run_did_not_find_cannot_be_stated(run, ask, text):
    take(run, run / "kept")
    with pytest.raises(InputError, match=text):
        ask(Snapshot(run / "kept"))


def test_without_results_there_is_one_line(tmp_path, capsys):
    assert cli.main(["snapshot", str(tmp_path), "--data", str(tmp_path / "kept")]) == 1
    assert "no results/STUDY/claims.csv; run the studies first" in capsys.readouterr().err
    assert not (tmp_path / "kept").exists()
    with pytest.raises(InputError, match=r"claims\.csv"):
        Snapshot(tmp_path).count("holds")


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_those_of_the_kept_numbers(name):
    assert (ROOT / "docs" / f"{name}.md").read_text() == page(name, KEPT)


def test_findings_state_no_number_of_their_own():
    text = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", (TEMPLATES / "findings.md.j2").read_text(), flags=re.DOTALL)
    text = re.sub(r"`[^`]*`|\b(?:19|20)\d\d\b|[A-Z]\d+\b|\b[A-Za-z]+\d+\b", "", text)  # names, years, claims
    assert re.findall(r"\d+(?:\.\d+)?", re.sub(r"N = [\d,]+|95 %|\]\([^)]*\)", "", text)) == []


def test_every_study_is_kept():
    assert set(snapshot.FILES) == {path.stem for path in (ROOT / "data" / "results").glob("*.csv")}
    studies = set(study_names()) - {"own"}
    assert set(KEPT.studies) == studies
    assert {row["scale"] for row in KEPT.runs} == {"published"}

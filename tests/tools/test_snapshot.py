"""The page of findings: its numbers are those that were kept, and a number that no run showed cannot be stated."""

import json
import re
from collections import Counter

import answers
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import snapshot
import synthetic_field
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.declaration import study_names
from cutpoint.bench.report import artefacts
from cutpoint.bench.report.artefacts import Cell, Row, Scale, Table
from cutpoint.data.csv_files import read_csv
from cutpoint.networks.network import network, write_network

KEPT = snapshot.kept(ROOT / "data" / "results")
CLAIMS = """study,claim,part,text,verdict,numbers,source,artefact,note
fu2005,F1,,A < B.,reproduced,,paper,table_1,1 of 1 holds
fu2005,F1,1,part,holds,a = 1,paper,table_1,
"""


@pytest.fixture
def run(tmp_path):
    """Return a folder with the results of a study, as the workflow leaves them."""
    folder = tmp_path / "results" / "fu2005"
    (folder / "tables").mkdir(parents=True)
    cells = (Cell(1.23456789, 1.5, 1.0, 1.5), Cell(reason="lost"), Cell(1001501.923, 1001501.961), Cell('said, "so"'))
    table = Table(
        "table_1",
        "T",
        "C",
        "method",
        ("x", "y", "AIC", "words"),
        (Row("a", "A", "direct", cells),),
        Scale("quick", 1, 2),
    )
    (folder / "tables" / "table_1.csv").write_text(artefacts.to_csv(table))
    (folder / "claims.csv").write_text(CLAIMS)
    return tmp_path


def test_numbers_that_were_asked_for_come_back(run):
    numbers = snapshot.of_run(run)
    assert numbers.spread("fu2005", "table_1", "a", "x") == "1.23 [1.00, 1.50]"
    assert numbers.text("fu2005", "table_1", "a", "words") == 'said, "so"'
    numbers.write(run / "kept")
    kept = snapshot.kept(run / "kept")
    assert kept.value("fu2005", "table_1", "a", "x", digits=4) == "1.2346"
    assert kept.value("fu2005", "table_1", "a", "x", what="published", digits=1) == "1.5"
    assert kept.verdict("fu2005", "F1") == "reproduced"
    assert kept.count("paper") == (
        "Of 1 claim 1 holds in full. Of the 1 single inequalities that can be compared 1 holds."
    )
    assert kept.inequalities("fu2005", "F1") == "1 holds"
    assert (run / "kept" / "claims.csv").read_text() == CLAIMS  # with the inequalities
    assert kept.text("fu2005", "table_1", "a", "words") == 'said, "so"'
    numbers.value("fu2005", "table_1", "a", "AIC")
    numbers.write(run / "kept")
    assert "table_1,a,AIC,1001501.961,1001501.923," in (run / "kept" / "findings.csv").read_text()
    snapshot.of_run(run).write(run / "nothing")
    with pytest.raises(InputError):
        snapshot.kept(run / "nothing").value("fu2005", "table_1", "a", "x")


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (
            lambda numbers: numbers.value("fu2005", "table_1", "a", "z"),
            "reproduced in fu2005, table_1, row 'a'",
        ),
        (lambda numbers: numbers.value("fu2005", "table_1", "a", "y"), "column 'y'"),
        (
            lambda numbers: numbers.text("fu2005", "table_1", "a", "y"),
            "no words in fu2005, table_1, row 'a', column 'y'",
        ),
        (lambda numbers: numbers.verdict("fu2005", "F2"), "no claim 'F2' of fu2005"),
        (snapshot.page, "no number"),
    ],
)
def test_what_a_run_did_not_show_cannot_be_stated(run, ask, text):
    with pytest.raises(InputError, match=text):
        ask(snapshot.of_run(run))


EXPLANATIONS = """supposition,label,column,reproduced,text
labels,Labels are shifted,printed,1.5,
labels,Labels are shifted,ours,1.0,
labels,Labels are shifted,ours as supposed,1.4,
labels,Labels are shifted,evidence,,"Printed 1.5, as supposed 1.4."
"""


def test_what_studies_answer_and_suppose_is_kept(run, tmp_path):
    folder = tmp_path / "results" / "fu2005"
    (folder / "answers.csv").write_text('topic,text\ncost,"Little, at N = 500."\n')
    (folder / "tables" / "table_explanations.csv").write_text(EXPLANATIONS)
    snapshot.keep_words(run, tmp_path)
    assert (tmp_path / "answers.csv").read_text() == 'study,topic,text\nfu2005,cost,"Little, at N = 500."\n'
    kept = (tmp_path / "explanations.csv").read_text().splitlines()[1]
    assert kept == 'fu2005,labels,Labels are shifted,1.5,1.0,1.4,"Printed 1.5, as supposed 1.4."'


def test_numbers_are_kept_in_the_order_of_their_table(run, tmp_path):
    numbers = snapshot.of_run(run)
    for column in ("y", "x"):
        numbers.used.add(("fu2005", "table_1", "a", column))
    numbers.write(tmp_path / "kept")
    assert [key[3] for key in snapshot.kept(tmp_path / "kept").rows] == ["x", "y"]


def test_without_results_there_is_one_line(tmp_path):
    with pytest.raises(SystemExit, match=r"^snapshot: .*no results/STUDY/claims\.csv; run the studies first$"):
        snapshot.main([str(tmp_path), "--data", str(tmp_path / "kept"), "--page", str(tmp_path / "page.md")])
    assert not list(tmp_path.iterdir())


def test_the_page_is_that_of_the_kept_numbers(tmp_path):
    snapshot.main(["--data", str(ROOT / "data" / "results"), "--page", str(tmp_path / "page.md")])
    assert (tmp_path / "page.md").read_text() == (ROOT / "docs" / "findings.md").read_text()


def test_readme_begins_with_the_answer_of_the_kept_numbers():
    text = (ROOT / "README.md").read_text()
    assert "**Discretize or not?**" in text
    assert snapshot.with_lead(text, KEPT) == text


def test_shifted_labels_are_nearest_to_the_printed_row_of_hartemink():
    supposed = {
        row["row"]: float(row["ours as supposed"])
        for row in read_csv(ROOT / "data" / "results" / "explanations.csv")
        if row["study"] == "fu2005"
    }
    rows = [f"hartemink_{reading}" for reading in ("shifted", "text", "random", "20", "60", "2", "4")]
    printed = float(KEPT.value("fu2005", "table_V-4", "hartemink", "Mean over N", what="published"))
    off = {row: abs(supposed[row] - printed) for row in rows}
    assert min(off, key=off.get) == "hartemink_shifted"
    assert max(off["hartemink_shifted"], off["hartemink_text"]) < min(off[row] for row in rows[3:])


def test_the_page_states_no_number_of_its_own():
    text = (ROOT / "tools" / "findings.md.j2").read_text()
    text = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", text, flags=re.DOTALL)
    text = re.sub(r"`[^`]*`|\b(?:19|20)\d\d\b|[A-Z]\d+\b|\b[A-Za-z]+\d+\b", "", text)  # names, years, claims
    assert re.findall(r"\d+(?:\.\d+)?", re.sub(r"N = [\d,]+|95 %|\]\([^)]*\)", "", text)) == []


def test_what_the_page_says_in_words_is_so():
    def cell(study, table, row, column):
        return {
            what: float(KEPT.value(study, table, row, column, what=what, digits=6))
            for what in ("reproduced", "low", "high")
        }

    gains = [cell("mabrouk2015", "table_gaps", f"tpr_{rival}", "Mean over N") for rival in ("ruichu", "friedman_tabu")]
    assert gains[0]["low"] > 0 > gains[1]["high"]
    explained = ("mabrouk2015", "table_explanations", "ruichu")
    assert float(KEPT.value(*explained, "ours")) > 0 > float(KEPT.value(*explained, "ours as supposed"))
    error = "calibration error (adjacencies)"
    jackknife, bootstrap = (
        cell("calibration", "table_calibration", f"all.{k}", error) for k in ("jackknife10", "bootstrap")
    )
    assert jackknife["low"] > bootstrap["high"]
    assert KEPT.inequalities("calibration", "C6").endswith("are contradicted")
    ends = [
        float(
            KEPT.value(
                "maua2018",
                "table_searches",
                f"search.equal_frequency.bdeu.{name}",
                "Score below that of the exact search, Mean",
            )
        )
        for name in ("hill_climbing", "tabu", "order_search")
    ]
    assert max(ends) == ends[0]
    hartemink = ("fu2005", "table_V-4", "hartemink", "Mean over N")
    assert float(KEPT.value(*hartemink, what="high")) < float(KEPT.value(*hartemink, what="published"))
    for column in ("N = 500", "N = 1000", "N = 5000"):
        for kind in ("eqfreq", "eqwidth"):
            two, three = (cell("fu2005", "table_V-4", f"{kind}{k}", column) for k in (2, 3))
            assert two["low"] > three["high"]


def test_reasons_not_to_discretize_are_those_of_the_numbers():
    """docs/discretize.md names linear relations and mixed columns, docs/choose.md no binning that never paid."""
    for kind in ("linear", "mixed"):
        assert float(KEPT.value("field2026", "table_discretize", kind, "Difference, all N", digits=6)) > 0
    binned = re.search(r"every later use \| (.*?) \|", (ROOT / "docs" / "choose.md").read_text())[1]
    never = answers.never(KEPT).split(" beaten ")[0].lower()
    assert not [name for name in re.findall(r"`(\w+)`", binned) if name in never]


def test_the_readme_counts_methods_and_networks_of_the_field():
    table = pq.read_table(answers.RUNS, columns=["method", "network"])
    networks = table.group_by("method").aggregate([("network", "count_distinct")])["network_count_distinct"].to_pylist()
    text = (ROOT / "README.md").read_text()
    on_all, all_of, others, few = map(
        int, re.search(r"\((\d+) methods on all (\d+) networks\).*\((\d+) on (\d+) of them\)", text).groups()
    )
    assert Counter(networks) == {all_of: on_all, few: others}
    assert f" | {on_all + others} | " in text


def test_every_study_is_kept():
    usual = set(read_yaml(ROOT / "config" / "config.yaml")["studies"])
    assert usual <= set(study_names())
    assert {study for study, _ in KEPT.claims} - {"field2026"} == usual - {"maua2018"}  # it tests no claims of others


@pytest.fixture
def field(tmp_path):
    """Return a folder with metrics of field2026, as the workflow leaves them, and the networks that they name."""
    inputs = synthetic_field.inputs()
    rows = [
        {name: None if (x := column[i]) is None or x != x else x for name, column in inputs.metrics.items()}
        for i in range(len(inputs.metrics["method"]))
    ]
    whole = [field.name for field in schemas.METRICS if pa.types.is_integer(field.type)]
    rows = [row | {name: None if row[name] is None else round(row[name]) for name in whole} for row in rows]
    folder = tmp_path / "results" / "field2026"
    parquet.write_records(folder / "metrics.parquet", rows, schemas.METRICS, scale="quick", seed=7)
    for name in inputs.networks:
        block = folder / "networks" / name.partition("-")[0] / "block0"
        block.mkdir(parents=True, exist_ok=True)
        write_network(network("asia"), block / f"{name}.bif")
    (tmp_path / "data" / "results").mkdir(parents=True)
    return tmp_path


def test_runs_of_the_field_are_kept_with_their_columns_and_the_advice(field, monkeypatch):
    rows = {method.name: {"label": method.label, "category": method.category} for method in synthetic_field.METHODS}
    monkeypatch.setattr(snapshot, "method_rows", lambda: rows)
    snapshot.main(["--field", str(field), "--data", str(field / "data" / "results"), "--page", str(field / "page.md")])
    table = pq.read_table(field / "data" / "results" / "field2026.parquet")
    assert table.num_rows == len(synthetic_field.inputs().metrics["method"])
    page = (field / "field2026-data.md").read_text()
    assert all(f"| `{column.name}` | {column.type} |" in page for column in table.schema)
    assert "dataset" not in table.column_names
    assert f"{table.num_rows:,} runs" in page
    assert "quick scale, seed 7" in page
    advice = json.loads((field / "data" / "advice.json").read_text())
    assert (advice["scale"], advice["networks"]) == ("quick", 8)
    assert {kind["row"] for kind in advice["kinds"] if kind["mechanism"] == "linear"} == {"pc_fisherz"}
    monkeypatch.setattr(snapshot, "MOST_MB", 0.001)
    with pytest.raises(SystemExit, match="MB are kept"):
        snapshot.main(["--field", str(field), "--data", str(field / "data" / "results"), "--page", str(field / "p.md")])

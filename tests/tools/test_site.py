"""The site: it asks no other host for anything, fits a telephone, and what its pages show and say was run."""

import contextlib
import csv
import functools
import html
import http.server
import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections import defaultdict
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path

import field
import numpy as np
import pandas as pd
import published
import pytest
import tables
import yaml
from browser import BROWSER, needs_browser
from workflow_tools import ROOT

import cutpoint as cp
from cutpoint.base.checking import read_yaml
from cutpoint.bench.artefacts.table import ArtefactTable, Cell, Row, RunScale, to_csv, to_json
from cutpoint.bench.engine.declaration import declared, study_file, study_names
from cutpoint.bench.workflow.settings import Settings
from cutpoint.data.csv_files import read_csv

DOCS = ROOT / "docs"
CLUSTER = (DOCS / "gallery" / "cluster.md").read_text()
VERIFIED = re.findall(r"^\| .* \| (\S+) \| `(\S+)::(\w+)` \|$", (DOCS / "reference.md").read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    address = {"READTHEDOCS_CANONICAL_URL": "https://example.org/"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, **address})
    assert done.returncode == 0, done.stdout + done.stderr  # a page that is not in the navigation is a warning
    return folder


def test_the_site_is_whole_and_asks_no_other_host(site):
    texts = {path.relative_to(site).as_posix(): path.read_text() for path in site.rglob("*.html")}
    for name, text in texts.items():
        text = text.replace('<link rel="canonical" href="https://example.org/', "")
        assert not re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="?(?:https?:)?//', text), name
        assert "arithmatex" not in text, name
    assert '<link rel="canonical" href="https://example.org/gallery/wines/"' in texts["gallery/wines/index.html"]
    assert "<loc>https://example.org/api/</loc>" in (site / "sitemap.xml").read_text()
    assert "<math" in texts["methods/index.html"]
    assert "data-label=" in texts["methods/index.html"]
    assert "at_a_glance.svg" in texts["index.html"]
    assert 'href="../choose/"' not in texts["index.html"]
    assert "<abbr" in texts["choose/index.html"]
    assert ">F1</abbr>" not in texts["papers/index.html"]  # the claim, not the measure
    assert not re.search(r'href="[^"]*module/', texts["add/index.html"])  # not a page of the site
    for page in ("configuration", "glossary", "statistics", "files"):
        assert f"{page}/index.html" in texts
    example = re.sub("<[^>]*>", "", texts["api/index.html"])
    assert "codes = cp.sample(network, n=1000, seed=1)\n&gt;&gt;&gt; learned" in example.replace('"', '"')


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


NAMES = ("choose", "faq", "learn", "use-the-result", "papers", "add", "running", "api", "methods", "statistics")
SHOWN = ["", *(f"{name}/" for name in NAMES)]
SHOWN += ["files/", "reference/", "gallery/", "gallery/genes/"]


@needs_browser
def test_pages_fit_a_telephone_a_tablet_and_a_screen(site, tmp_path):
    (site / "widths.html").write_text((Path(__file__).parent / "widths.html").read_text() % json.dumps(SHOWN))
    handler = functools.partial(Silent, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
        options += ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--virtual-time-budget=60000"]
        address = f"http://127.0.0.1:{server.server_port}/widths.html"
        done = subprocess.run([BROWSER, *options, "--dump-dom", address], capture_output=True, text=True, timeout=300)
        server.shutdown()
    widths = json.loads(html.unescape(re.search(r"<body>(\[\[.*\]\])", done.stdout, re.DOTALL)[1]))
    assert len(widths) == 3 * len(SHOWN)
    assert [each for each in widths if each[2] > 0 or each[3] or each[4]] == []


GALLERY = [f"gallery/{name}" for name in ("wines", "cars", "clinic", "genes", "survey")]
LEAST = {"learn": 10, "api": 1, "knowledge": 1, "use-the-result": 2} | dict.fromkeys(GALLERY, 3)


@pytest.mark.parametrize(("page", "least"), LEAST.items())
def test_a_page_prints_what_it_says(page, least, tmp_path, monkeypatch):
    """On the page learn and in the gallery all blocks are run, elsewhere those with a result."""
    monkeypatch.chdir(tmp_path)
    text, names = (DOCS / f"{page}.md").read_text(), {}
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", text, re.DOTALL)
    blocks = [(code, expected) for code, expected in blocks if expected or page in ("learn", *GALLERY)]
    assert len(blocks) >= least
    for code, expected in blocks:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(code, names)
        assert output.getvalue() == expected, code
    if page in GALLERY:
        assert {path.name for path in tmp_path.glob("*.svg")} == {*re.findall(r"images/(\S+svg)", text)}


def test_commands_of_the_cluster_print_what_the_page_says(tmp_path):
    shown = re.findall(r"```\nuv run (?:--group cluster )?(.*)\n```\n\n```text\n([^`]*)```", CLUSTER)
    assert len(shown) == 2
    for command, expected in shown:
        words = [sys.executable, "-m", *command.split(), "--directory", str(tmp_path)]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        assert {*expected.split("\n")} <= {*f"{done.stdout}\n{done.stderr}\n".split("\n")}, done.stderr


def test_answers_to_questions_are_short():
    """At most three lines beside each command, and a command in each."""
    answers = (DOCS / "faq.md").read_text().split("\n## ")[1:]
    assert len(answers) >= 10
    for answer in answers:
        prose, command, _ = re.split(r"```\w*\n", answer)
        assert len(prose.strip().splitlines()[1:]) <= 4, answer
        assert len(command.splitlines()) <= 3, answer


@pytest.mark.parametrize(("digits", "file", "name"), VERIFIED)
def test_what_was_verified_is_tested(digits, file, name):
    code = re.search(rf"^def {name}\(.*?(?=^(?:def|@)|\Z)", (ROOT / file).read_text(), re.MULTILINE | re.DOTALL)
    assert code, f"{file} has no {name}"
    if digits == "all":
        assert re.search(r"assert_array_equal|==|SUPPORTED", code[0])
    elif digits != "1e-6" or "pytest.approx(" not in code[0]:  # its default
        assert digits in code[0]


def test_enough_is_verified():
    assert len(VERIFIED) >= 24


def test_tables_of_the_pages_are_those_of_the_data():
    assert {path.stem for path in tables.pages()} >= {"README", "index", "choose", "files", "papers"}
    for path in tables.pages():
        assert path.read_text() == tables.filled(path.read_text(), tables.TABLES), path


def test_tables_of_papers_are_of_artefacts_that_studies_declare():
    """What a study no longer shows or judges is not kept: no table of the page is older than the code."""
    marks = {(mark[2], mark[3]) for mark in tables.MARKED.finditer((ROOT / "docs" / "papers.md").read_text())}
    kept = {name: read_csv(tables.RESULTS / f"{name}.csv") for name in ("findings", "claims", "explanations")}
    of = {name: defaultdict(list) for name in kept}
    for name, row in ((name, row) for name, rows in kept.items() for row in rows):
        of[name][row["study"]].append(row)
    for study in {study for name, study in marks if name == "ours"}:
        shown = {row["table"] for row in of["findings"][study]}
        assert len(shown) == 1
        assert shown <= {*declared(study).tables}
    for study in {study for name, study in marks if name == "claims"}:
        assert [row["claim"] for row in of["claims"][study] if not row["part"]] == [*declared(study).claims]
        shown = {row["artefact"] for row in of["claims"][study]} - {""}
        assert shown <= {*declared(study).tables, *declared(study).figures}
    with_reasons = {study for name, study in marks if name == "reasons"}
    assert with_reasons == {study for study in study_names() if "readings" in declared(study).experiments}


@pytest.mark.parametrize("study", ["fu2005", "mabrouk2015", "steck2007", "tran2013"])
def test_reasons_of_the_page_are_those_that_the_experiment_gives(study):
    options = read_yaml(study_file(study))["scales"]["tiny"]["experiments"]["readings"]
    rows = import_module(f"cutpoint.bench.studies.{study}.experiments").EXPERIMENTS["readings"](1, **options)
    kept = [row for row in read_csv(tables.RESULTS / "explanations.csv") if row["study"] == study]
    assert [row["reading"] for row in kept] == [row["reading"] for row in rows]


def test_kept_tables_of_a_published_run_are_small_and_those_of_the_run(tmp_path, monkeypatch):
    assert (DOCS / "published.md").stat().st_size <= 1_000_000
    assert sum(path.stat().st_size for path in published.KEPT.rglob("*.csv")) <= published.MOST
    tables = tmp_path / "run" / "tran2013" / "tables"
    tables.mkdir(parents=True)
    cells = (Cell(1.5, 1.25, 1.0, 2.0, best=True), Cell("a few"), Cell(3.0, 4.0)), (Cell(reason="lost"),) * 3
    rows = tuple(Row(key, key.upper(), "", each) for key, each in zip("ab", cells, strict=True))
    scale = RunScale("published", 1, 3)
    table = ArtefactTable("table_5.1", "", "", "method", ("x", "words", "no"), rows, scale, study="tran2013")
    (tables / "table_5.1.json").write_text(to_json(table))
    (tables / "table_5.1.csv").write_text(to_csv(table))
    text = (published.RESULTS / "claims.csv").read_text()
    for name in ("claims.csv", "findings.csv"):
        shutil.copy(published.RESULTS / name, tmp_path)
    claims = [line for line in csv.DictReader(text.splitlines()) if line["study"] == "tran2013"]
    pd.DataFrame(claims).to_csv(tables.parent / "claims.csv", index=False)
    monkeypatch.setattr(published, "RESULTS", tmp_path)
    monkeypatch.setattr(published, "KEPT", tmp_path / "kept")
    published.main(tmp_path / "run")
    [(title, lines)] = published.kept("tran2013")
    assert title.startswith("Table 5.1")
    numbers = [published.parts(lines[0], head)["reproduced"] for head in published.headings(lines)]
    assert numbers == ["1.5", "a few", "3"]
    column, _, exact = published.columns_of("tran2013")
    np.testing.assert_array_equal(column.compared, [[1.25], [1.5], [1.0], [2.0]])
    np.testing.assert_array_equal(exact.compared[:2], [[4.0], [3.0]])
    assert (tmp_path / "claims.csv").read_text() == text


def test_tables_verdicts_and_the_first_figure_are_those_of_the_kept_runs(tmp_path, monkeypatch):
    shutil.copy(field.CLAIMS, tmp_path)
    figure, results = field.FIGURE.read_text(), field.RESULTS
    kept = pd.read_parquet(field.KEPT, columns=field.DATA)
    assert {*kept.itertuples(index=False, name=None)} == field.planned()
    for name, path in {"RESULTS": tmp_path, "CLAIMS": tmp_path / "claims.csv", "FIGURE": tmp_path / "one.svg"}.items():
        monkeypatch.setattr(field, name, path)
    field.main([])
    assert (tmp_path / "one.svg").read_text() == figure
    files = {path.name for path in tmp_path.glob("*.csv")}
    assert files >= {"claims.csv", "field.csv", "strategies.csv", "searches.csv"}
    for name in files:
        assert (tmp_path / name).read_text() == (results / name).read_text(), name


def test_choices_of_another_method_are_what_the_pages_say_of_them():
    """What README and choose.md say in words."""
    rows = csv.DictReader((ROOT / "data" / "results" / "strategies.csv").open(newline="", encoding="utf-8"))
    cells = {(row["Strategy"], head): cell for row in rows for head, cell in row.items()}
    ends = {key: [float(x) for x in re.findall(r"-?\d+\.\d+", cell)[1:]] for key, cell in cells.items()}
    always = [each for (name, _), each in ends.items() if name.startswith("Always") and "consensus" not in name]
    assert len(always) > 8 * 4
    assert all(low > 0 for low, _ in filter(None, always))
    kinds = csv.DictReader((ROOT / "data" / "results" / "field.csv").open(newline="", encoding="utf-8"))
    gaps = {(row["Data"], row["Records"]): float(row["Three bins"][:4]) - float(row["Default"][:4]) for row in kinds}
    assert gaps.pop(("counts", "10000")) < 0
    assert all(gap > 0.02 or (records == "100" and gap > -0.015) for (_, records), gap in gaps.items())
    by_type = "The best other method for each data type"
    low, high = ends[by_type, "SHD, minus the default"]
    assert low < 0 < high
    assert all(ends[by_type, f"{measure}, minus the default"][1] < 0 for measure in ("F1 of the pattern", "AID"))


def test_sentences_are_short():
    first, *_ = (ROOT / "README.md").read_text().split("```")
    assert len(first.split()) <= 120
    others = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "config/README.md", "benchmarks/README.md")]
    for path in (*others, *DOCS.rglob("*.md")):
        text = re.sub(r"(?s:```.*?```|<!--.*?-->)|^\s*(?:[|<#!]|    ).*$", "", path.read_text(), flags=re.MULTILINE)
        text = re.sub(r"\]\([^)]*\)|`[^`]*`", "x", text)
        sentences = re.split(r"(?<=[.?!;])\s+(?=[A-Z*\[(])|:?\s*\n\s*\n|:\n|\n\s*(?:[-*]|\d+\.) ", text)
        long = [each for each in sentences if len(each.split()) > 30]
        assert long == [] or path.stem in ("methods", "statistics"), path


def test_no_table_is_cut_in_two():
    for page in [*DOCS.rglob("*.md"), ROOT / "config" / "README.md", ROOT / "benchmarks" / "README.md"]:
        for first in re.findall(r"(?<!\|)\n(\|.*\n.*)\n", page.read_text()):
            assert re.search(r"\n\|[ :|-]+\|$", first), f"{page.name}: {first[:60]}"


def test_terms_stand_once_and_are_explained():
    terms = re.findall(
        r"^([^\n:].*)\n:   (.+)$", (ROOT / "src/cutpoint/bench/templates/glossary.md").read_text(), re.MULTILINE
    )
    assert len(terms) == len({term for term, _ in terms}) > 30


def test_what_others_are_told_of_the_project_agrees():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    codemeta, zenodo = (json.loads((ROOT / name).read_text()) for name in ("codemeta.json", ".zenodo.json"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert codemeta["version"] == zenodo["version"] == str(cff["version"]) == project["version"] == cp.__version__
    assert [codemeta[key] for key in ("identifier", "description")] == [project["name"], project["description"]]
    assert codemeta["datePublished"] == str(cff["date-released"])
    assert zenodo["title"] == cff["title"]
    assert zenodo["license"] == cff["license"] == codemeta["license"].rsplit("/", 1)[1]
    assert zenodo["keywords"] == codemeta["keywords"] == cff["keywords"]
    assert zenodo["license"] == project["license"]
    assert f"bn_cutpoint-{project['version']}-py3-none-any.whl" in (ROOT / "docs" / "install.md").read_text()


def test_the_catalog_of_workflows_finds_what_it_asks_for():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["report"]
    assert usage["software-stack-deployment"]["conda"]
    test = yaml.safe_load((ROOT / ".test" / "config" / "config.yaml").read_text())
    assert Settings.model_validate(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()) | test).scale == "tiny"
    assert {*usage["mandatory-flags"]} == {"desc", "flags"}
    for name in ("workflow/Snakefile", "config/README.md", "workflow/rules/common.smk"):
        assert (ROOT / name).is_file()


def test_wheels_are_built_for_the_pythons_that_the_package_names():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    named = [text.rpartition(" ")[2] for text in pyproject["project"]["classifiers"] if " :: 3." in text]
    pattern = pyproject["tool"]["cibuildwheel"]["build"]
    built = [f"3.{k}" for k in range(9, 20) if fnmatch(f"cp3{k}-manylinux_x86_64", pattern)]
    assert built == named
    assert pyproject["project"]["requires-python"] == f">={named[0]}"

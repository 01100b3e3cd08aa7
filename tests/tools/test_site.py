"""The site: it asks no other host for anything, fits a telephone, and what its pages show and say was run."""

import contextlib
import csv
import functools
import html
import http.server
import io
import json
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import field
import pyarrow as pa
import pytest
import tables
import yaml
from workflow_tools import ROOT

import cutpoint as cp

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DOCS = ROOT / "docs"
VERIFIED = re.findall(r"^\| .* \| (\S+) \| `(\S+)::(\w+)` \|$", (DOCS / "verified.md").read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_the_site_is_whole_and_asks_no_other_host(site):
    texts = {path.relative_to(site).as_posix(): path.read_text() for path in site.rglob("*.html")}
    for name, text in texts.items():
        assert not re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="?(?:https?:)?//', text), name
        assert "arithmatex" not in text, name
    assert "<math" in texts["methods/index.html"]
    assert "data-label=" in texts["methods/index.html"]
    assert "at_a_glance.svg" in texts["index.html"]
    assert 'href="../choose/"' not in texts["index.html"]
    assert "<abbr" in texts["findings/index.html"]
    assert ">F1</abbr>" not in texts["papers/fu2005/index.html"]  # the claim, not the measure
    assert not re.search(r'href="[^"]*module/', texts["add-a-method/index.html"])  # not a page of the site
    for page in ("configuration", "contributing", "changelog", "benchmarks", "papers/fu2005", "papers/ours"):
        assert f"{page}/index.html" in texts
    example = re.sub("<[^>]*>", "", texts["api/index.html"])
    assert "codes = cp.sample(network, n=1000, seed=1)\n&gt;&gt;&gt; learned" in example.replace('"', '"')


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


SHOWN = ["", "choose/", "findings/", "methods/", "statistics/", "api/", "gallery/", "papers/fu2005/", "verified/"]
SHOWN += ["limits/", "papers/ours/", "use-the-result/"]


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
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
    found = json.loads(html.unescape(re.search(r"<body>(\[\[.*\]\])", done.stdout, re.DOTALL)[1]))
    assert len(found) == 3 * len(SHOWN)
    assert [each for each in found if each[2] > 0 or each[3] or each[4]] == []


@pytest.mark.parametrize(("page", "least"), [("tutorial", 9)])
def test_a_page_prints_what_it_says(page, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, names = (DOCS / f"{page}.md").read_text(), {}
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", text, re.DOTALL)
    assert len(blocks) >= least
    for code, said in blocks:
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(code, names)
        assert shown.getvalue() == said, code


def runs(_study=None):
    """Return a table of runs such as `cp.results` reads: two methods in two cells."""
    rows = [
        {"grid": grid, "method": method, "cell": str(n), "n": n, "seconds": 0.1 * n, "tpr_mabrouk2015": 0.5}
        | {"shd_fu2005": k + n / 1000, "shd_standard": k + n / 1000}
        for grid in ("simulated", "structure", "records")
        for k, method in enumerate(("bach", "steck3"))
        for n in (500, 5000)
    ]
    return pa.Table.from_pylist(rows)


def test_the_gallery_is_drawn_by_its_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setattr(cp, "results", runs)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "gallery.md").read_text(), re.DOTALL)
    names = {}
    for code in blocks:
        exec(code, names)
    names["plt"].close("all")
    assert len(list(tmp_path.glob("*.png"))) == len(blocks) - 1


def test_pictures_of_the_gallery_have_an_alternative_text():
    for alternative, name in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", (DOCS / "gallery.md").read_text()):
        assert len(alternative) > 10
        assert (DOCS / name).exists()


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
    assert {path.stem for path in tables.pages()} >= {"README", "index", "choose", "field", "findings", "fu2005"}
    for path in tables.pages():
        assert path.read_text() == tables.filled(path.read_text()), path


@pytest.mark.slow
def test_the_first_table_and_figure_are_those_of_the_kept_runs(tmp_path, monkeypatch):
    names = ("TABLE", "STRATEGIES", "FIGURE")
    kept = {name: getattr(field, name).read_text() for name in names}
    for name in names:
        monkeypatch.setattr(field, name, tmp_path / f"{name}.svg")
    field.main([])
    assert {name: getattr(field, name).read_text() for name in names} == kept


def test_no_choice_of_another_method_is_significantly_better_than_the_default():
    """What README and choose.md say in words."""
    rows = csv.DictReader((ROOT / "data" / "results" / "strategies.csv").open(newline="", encoding="utf-8"))
    ends = {row["Strategy"]: [float(x) for x in re.findall(r"-?\d+\.\d+", row["Less the default"])[1:]] for row in rows}
    always = {name: low for name, (low, _) in ends.items() if name.startswith("Always") and "consensus" not in name}
    assert len(always) > 8
    assert min(always.values()) > 0
    assert ends["The best of all others for each data type and size"][1] > 0


def test_intervals_of_the_findings_are_kept():
    kept = set()
    for row in csv.DictReader((ROOT / "data" / "results" / "findings.csv").open(newline="", encoding="utf-8")):
        with contextlib.suppress(ValueError):
            numbers = [float(row[name]) for name in ("reproduced", "low", "high")]
            kept |= {tuple(f"{x:.{digits}f}" for x in numbers) for digits in range(4)}
    page = (DOCS / "findings.md").read_text(encoding="utf-8")
    named = re.findall(r"(-?[\d.]+) \[(-?[\d.]+), (-?[\d.]+)\]", page)
    assert len(named) > 40
    assert {*named} <= kept


def test_sentences_of_the_first_pages_are_short():
    first, *_ = (ROOT / "README.md").read_text().split("```")
    assert len(first.split()) <= 120
    for path in (ROOT / "README.md", DOCS / "index.md", DOCS / "choose.md"):
        text = re.sub(r"```.*?```|^[|<#!].*$|\]\([^)]*\)", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
        sentences = re.split(r"(?<=[.:?;])\s|\n\n", text)
        if path.parent == ROOT:
            sentences = re.split(r"(?<=[.:?;])\s|\n\n", text.split("Get started")[0])
        assert [each for each in sentences if len(each.split()) > 30] == []


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
    assert codemeta["version"] == zenodo["version"] == str(cff["version"])
    assert codemeta["datePublished"] == str(cff["date-released"])
    assert zenodo["title"] == cff["title"]
    assert zenodo["license"] == cff["license"] == codemeta["license"].rsplit("/", 1)[1]
    assert zenodo["keywords"] == codemeta["keywords"] == cff["keywords"]

"""The site: it asks no other host for anything, fits a telephone, and what its pages show and say was run."""

import contextlib
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

import pyarrow as pa
import pytest
import yaml
from workflow_tools import ROOT

import cutpoint as cp
from cutpoint.bench.engine.declaration import study_names

pages = pytest.importorskip("pages", reason="no MkDocs")
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


WIDTHS = """<!doctype html><body><script>
const found = [];
async function look() {
  for (const width of [390, 768, 1440]) for (const page of %s) {
    const frame = document.createElement("iframe");
    frame.style.cssText = `width:${width}px;height:900px;border:0`;
    frame.src = "/" + page;
    await new Promise((done) => { frame.onload = done; document.body.append(frame); });
    await new Promise((done) => setTimeout(done, 300));
    const inside = frame.contentDocument, over = inside.documentElement.scrollWidth - width;
    const lost = [...inside.images].filter((image) => !image.naturalWidth).map((image) => image.src);
    const asked = frame.contentWindow.performance.getEntriesByType("resource").map((entry) => entry.name);
    found.push([page, width, over, lost, asked.filter((name) => !name.startsWith(location.origin))]);
    frame.remove();
  }
  document.body.textContent = JSON.stringify(found);
}
look();
</script>"""
SHOWN = ["", "choose/", "findings/", "methods/", "statistics/", "api/", "gallery/", "papers/fu2005/", "verified/"]
SHOWN += ["limits/", "papers/ours/", "use-the-result/"]


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_pages_fit_a_telephone_a_tablet_and_a_screen(site, tmp_path):
    (site / "widths.html").write_text(WIDTHS % json.dumps(SHOWN))
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


def test_the_tutorial_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, names = (DOCS / "tutorial.md").read_text(), {}
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", text, re.DOTALL)
    assert len(blocks) >= 9
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
        assert re.search(r"assert_array_equal|==|HOLDS", code[0])
    elif digits != "1e-6" or "pytest.approx(" not in code[0]:  # its default
        assert digits in code[0]


def test_enough_is_verified():
    assert len(VERIFIED) >= 24


def test_a_paper_has_all_its_claims_with_their_grades():
    for study in shown():
        text = pages.study_text(study)
        for row in pages.kept("claims", study):
            head, title = f'"{row["claim"]}, {row["verdict"]} (', f'). {row["text"]}"'
            assert (f"| {row['verdict']} |" if row["part"] else head) in text
            assert row["part"] or title in text
    assert "**Hartemink: stops at 2 levels.** Printed 1.82" in pages.study_text("fu2005")


def shown():
    """Return the studies that have a page, in the order of the pages."""
    texts = "".join(path.read_text() for path in sorted((DOCS / "papers").glob("*.md")))
    return re.findall(r"<!-- study (\w+) -->", texts)


def test_claims_that_hold_in_part_have_marks_of_their_own():
    parts = [{"verdict": each} for each in ("holds", "open", "holds")]
    assert pages.look_of({"verdict": "2 of 3"}, parts) == "most"
    assert pages.look_of({"verdict": "1 of 3"}, parts[1:]) == "some"
    assert pages.look_of({"verdict": "not comparable"}, parts) == "apart"
    assert pages.look_of({"verdict": "open"}, parts) == "warning"


def test_the_page_of_a_paper_has_printed_numbers_beside_ours():
    text = pages.study_text("fu2005")
    assert re.search(r"\n\| Hartemink \| \*\*1\.77\*\*, \d\.\d\d \[", text)
    assert " data sets |" in pages.study_text("calibration")


def test_numbers_of_other_data_sets_are_said_to_be_so():
    text = pages.study_text("fu2005").split("### The likeliest reasons\n\n")[1]
    said = {row["row"]: float(row["ours"]) for row in pages.kept("explanations", "fu2005")}
    assert text.startswith("Of Hartemink (")
    assert f"Hartemink ({said['hartemink_2']:.2f}, in Table V-4 " in text
    assert f"and PC ({said['pc_2']:.2f}, in Table V-4 " in text
    assert "`readings`" not in pages.study_text("tran2013")


def test_what_is_not_comparable_is_not_counted():
    assert '"F8, not comparable (its inequalities are shown, not counted). ' in pages.study_text("fu2005")


def test_what_advise_prints_is_printed_when_the_page_is_made():
    text = pages.asked("advised")
    assert text.startswith(f"```python\n{pages.EXAMPLE}```")
    assert "\nTake " in text


def test_all_studies_have_a_page():
    assert sorted([*shown(), "own"]) == sorted(study_names())


def test_what_no_study_answers_cannot_be_asked():
    with pytest.raises(StopIteration):
        pages.asked("says", "fu2005", "weather")
    with pytest.raises(ValueError, match="'weather'"):
        pages.asked("weather")


def test_pages_ask_for_what_there_is():
    for path in [DOCS / "limits.md", *(DOCS / "papers").glob("*.md")]:
        for found in pages.ASKED.finditer(path.read_text()):
            assert pages.asked(found[1], *found[2].split()) or found[1] == "lacks"


@pytest.mark.parametrize("page", ["index", "choose", "limits"])
def test_the_answer_states_no_number_of_its_own(page):
    text = re.sub(
        r"```.*?```|`[^`]*`|<[^>]*>|\]\([^)]*\)|\w+ 20\d\d\b", "", (DOCS / f"{page}.md").read_text(), flags=re.DOTALL
    )
    assert set(re.findall(r"(?<![\w-])\d[\d.]*", text)) <= {"5", "12", "25"}  # %, variables of a graph, of a search


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

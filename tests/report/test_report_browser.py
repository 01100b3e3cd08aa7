"""The report in a browser: a silent console, links that lead somewhere, tables that sort and filter, large figures."""

import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from made_report import SVG, claim, study, table

from cutpoint.report.artefacts import Cell, Row
from cutpoint.report.page import render

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")

CHECKS = """
<script>
{
const found = {};
const links = [...document.querySelectorAll('a[href^="#"]')];
found.links = links.length;
found.broken = links.filter((a) => !document.getElementById(decodeURIComponent(a.hash.slice(1)))).map((a) => a.hash);
const grid = document.querySelector("#paper-table_1 table");
const column = () => [...grid.tBodies[0].rows].map((row) => row.cells[1].firstChild.textContent.trim());
const button = grid.tHead.rows[0].cells[1].querySelector("button");
found.before = column();
button.click();
found.ascending = column();
button.click();
found.descending = column();
found.sorted = grid.tHead.rows[0].cells[1].getAttribute("aria-sort");
const box = document.querySelector("#paper-table_1 .filter");
box.value = "method 3";
box.dispatchEvent(new Event("input"));
found.shown = [...grid.tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[0].textContent);
document.querySelector("#paper-figure_1 button").click();
const dialog = document.querySelector("dialog");
found.open = dialog.open;
found.large = dialog.querySelector("img").src === document.querySelector("#paper-figure_1 img").src;
dialog.querySelector("button").click();
found.closed = !dialog.open;
found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
document.documentElement.dataset.checks = JSON.stringify(found);
}
</script>
"""
VALUES = (3.5, 12.0, None, -0.25, 100.0, 7.0, 0.5, 2.0, 9.0, 1.0, 11.0)


@pytest.fixture(scope="module")
def page():
    rows = tuple(
        Row(f"m{i}", f"Method {i}", "direct", (Cell(value, reason="lost"), Cell(1), Cell(2)))
        for i, value in enumerate(VALUES)
    )
    shown = study(tables=[replace(table(), rows=rows)], answers={"cost": "Cost: little."})
    other = study("other", claims=[claim("C1")], figures=[("figure_1", SVG)])
    return render([shown, other])


def visit(folder, page, width):
    """Return what the checks found in a window of some width, and what the console said."""
    path = folder / "report.html"
    path.write_text(page.replace("</body>", CHECKS + "</body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--window-size={width},900"]
    command = [BROWSER, *options, f"--user-data-dir={folder}/profile", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    checks = re.search(r'data-checks="([^"]*)"', done.stdout)
    assert checks, done.stderr[-2000:]
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(checks[1].replace("&quot;", '"').replace("&amp;", "&")), console


def test_the_report_works_in_a_browser(page, tmp_path):
    found, console = visit(tmp_path, page, 1300)
    assert console == []
    assert found["links"] > 10
    assert found["broken"] == []
    numbers = sorted(value for value in VALUES if value is not None)
    assert found["before"][:2] == ["3.50", "12.00"]
    assert [float(text) for text in found["ascending"][:-1]] == numbers
    assert [float(text) for text in found["descending"][:-1]] == numbers[::-1]
    assert found["ascending"][-1] == found["descending"][-1] == "not available"  # what is missing stays last
    assert found["sorted"] == "descending"
    assert found["shown"] == ["Method 3"]
    assert (found["open"], found["large"], found["closed"]) == (True, True, True)


def test_nothing_is_wider_than_a_telephone(page, tmp_path):
    found, console = visit(tmp_path, page, 500)
    assert console == []
    assert found["wide"] <= 0


def test_an_error_on_the_console_would_be_seen(page, tmp_path):
    _, console = visit(tmp_path, page.replace("<script>", "<script>undefinedName();</script><script>", 1), 1300)
    assert any("undefinedName" in line for line in console)

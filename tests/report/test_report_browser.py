"""The report in a browser: a silent console, links that lead somewhere, tables that sort and filter, large figures."""

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from browser import BROWSER, look, needs_browser
from made_report import SVG, claim, study, table

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.engine.declaration import study_names
from cutpoint.bench.report.explorer import CELL, MEASURES, Explored
from cutpoint.bench.report.page import render
from cutpoint.bench.report.study import Picture
from cutpoint.bench.statistics.estimates import above_zero, jackknife, winners

pytestmark = needs_browser

CHECKS, FRAMES = ((Path(__file__).parent / name).read_text() for name in ("checks.js", "frames.html"))
VALUES = (3.5, 12.0, None, -0.25, 100.0, 7.0, 0.5, 2.0, 9.0, 1.0, 11.0)


@pytest.fixture(scope="module")
def page():
    rows = tuple(
        Row(f"m{i}", f"Method {i}", "direct", (Cell(value, reason="lost"), Cell(1), Cell(2)))
        for i, value in enumerate(VALUES)
    )
    example = study(tables=[replace(table(), rows=rows)])
    columns, cells = tuple(f"measure {k}" for k in range(12)), tuple(Cell(0.5) for _ in range(12))
    wide = table(columns=columns, rows=(Row("a", "A", "direct", cells),))
    other = study("other", claims=[claim("C1")], figures=[Picture("figure_1", SVG)], tables=[wide])
    second = replace(runs("other grid"), name="second", unit="networks")
    return render([example, other], [runs(), second], {f"sha256 of {k}.data": 64 * "0" for k in range(9)})


METHODS = ("bach", "steck3, a name with a comma", "eqfreq3", "pc")
CELLS = [("alarm", 500), ("alarm", 5000), ("child", 500), ("child", 5000)]


def shd():
    """SHD of methods in cells and replicates, [4, 4, 5]: the third is twice the second, the last has lost a run."""
    values = np.random.default_rng(7).integers(20, 60, (4, 4, 5)).astype(float)
    values[2] = 2 * values[1]
    values[1, 0] = 0  # a mean of 0 has no logarithm
    values[3, 1, 2] = np.nan
    return values


def seconds():
    """CPU seconds of the same runs: methods are orders of magnitude apart."""
    values = 10.0 ** (np.arange(4)[:, None, None] - 2) * np.random.default_rng(8).integers(90, 110, (4, 4, 5)) / 100
    values[3, 1, 2] = np.nan
    return values


def runs(grid="simulated", methods=METHODS):
    """Runs for the explorer; those of further methods are those of the first again."""
    rows = []
    for m, method in enumerate(methods):
        for c, (network, n) in enumerate(CELLS):
            for r, value in enumerate(shd()[m % 4, c].tolist()):
                good = np.isfinite(value)
                numbers = {name: None for name, *_ in MEASURES}
                numbers |= {"shd_standard": int(value), "seconds": seconds()[m % 4, c, r]} if good else {}
                if method != "pc" and good:
                    numbers["f1_pattern"] = round(value) / 100
                if grid == "other grid" and good:
                    numbers |= {"loss": value / 50, "parent_aid": 1.0 if r else 0.5}
                about = {"grid": grid, "network": network, "n": n, "noise": "sigma0.35", "replicate": r}
                rows.append(about | {"method": method, "status": "ok" if good else "timeout"} | numbers)
    types = {name: pa.float64() for name, *_ in MEASURES} | {"n": pa.int64(), "replicate": pa.int64()}
    names = [*CELL, "replicate", "method", "status", *(name for name, *_ in MEASURES)]
    columns = {name: pa.array([row[name] for row in rows], types.get(name, pa.string())) for name in names}
    labels = [{"name": name, "label": name, "category": "external" if name == "pc" else "direct"} for name in methods]
    return Explored("paper", labels, "bach", [grid], ["network", "n"], pa.table(columns))


def close(rows, expected, log):
    """Compare rows of the explorer with a statistic of each method."""
    estimate = expected.estimate()
    back = np.exp if log else lambda x: x
    ends = estimate.interval()
    for label, value, low, high, _ in rows:
        m = METHODS.index(label)
        assert value == pytest.approx(float(back(estimate.value[m])), rel=1e-9)
        if label == "bach" and low is None:
            continue
        assert (low, high) == pytest.approx((float(back(ends[0][m])), float(back(ends[1][m]))), rel=1e-6)


def visit(folder, page, width):
    """Return what the checks found in a window of some width, and what the console said."""
    return look(folder, page.replace("</body>", f"<script>{CHECKS}</script></body>"), width)


@pytest.fixture(scope="module")
def wide(page, tmp_path_factory):
    """What is found in a wide window, where the console says nothing."""
    result, console = visit(tmp_path_factory.mktemp("wide"), page, 1300)
    assert console == []
    return result


@pytest.fixture(scope="module")
def narrow(page, tmp_path_factory):
    """What is found in a narrow window."""
    return visit(tmp_path_factory.mktemp("narrow"), page, 500)[0]


def test_the_report_works_in_a_browser(wide):
    assert wide["links"] > 10
    assert wide["broken"] == []
    numbers = sorted(value for value in VALUES if value is not None)
    assert wide["before"][:2] == ["3.50", "12.00"]
    assert [float(text) for text in wide["ascending"][:-1]] == numbers
    assert [float(text) for text in wide["descending"][:-1]] == numbers[::-1]
    assert wide["ascending"][-1] == wide["descending"][-1] == "not available"  # what is missing stays last
    assert wide["sorted"] == "descending"
    assert wide["visible"] == ["Method 3"]
    assert (wide["open"], wide["large"], wide["closed"]) == (True, True, True)
    assert wide["stops"] <= 200
    assert wide["lists"] == [1] * 4  # figures and tables of two studies are one stop each, besides boxes that scroll
    assert wide["walked"][0] == wide["walked"][1] > 8
    assert wide["opened"]
    assert abs(wide["off"]) <= 20


def test_the_explorer_says_what_the_statistics_say(wide):
    means = jackknife(shd(), blocks=CELLS).map(lambda rows: above_zero(rows, np.isfinite(shd()).sum(2)))
    ratios = means.map(lambda rows: np.log(rows / rows[:, :1])).mean(1)
    close(wide["explorer"], ratios, log=True)
    named = {label for label, *_, won in wide["explorer"] if won}
    assert named == {METHODS[i] for i in np.flatnonzero(winners(ratios))}
    assert "eqfreq3" not in named
    assert all(name in wide["summary"] for name in named)
    chosen = "paper; simulated: sigma0.35; all networks; all sizes; all methods; relative to bach"
    assert wide["summary"].startswith(f"{chosen}; intervals over replicates. ")
    assert wide["summary"].endswith("beaten by at least one." if len(named) == 1 else "with 5 replicates).")
    decimals = [{len(number.partition(".")[2]) for number in re.findall(r"[\d.]+", text)} for text in wide["intervals"]]
    assert len(decimals) > 2
    assert all(each == {2} for each in decimals)
    shares = jackknife(np.round(shd()) / 100, blocks=CELLS)
    close(wide["shares"], shares.map(lambda rows: rows - rows[:, :1]).mean(1), log=False)
    close(wide["plain"], shares.mean(1), log=False)
    assert "measure=f1_pattern" in wide["address"]


def test_the_explorer_tells_methods_apart_by_ratios_of_seconds(wide):
    times = jackknife(seconds(), blocks=CELLS).map(lambda rows: np.log(rows))
    close(wide["seconds"], times.mean(1), log=True)
    assert [label for label, *_, won in wide["seconds"] if won] == ["bach"]
    assert wide["ticks"] == ["0.01", "0.1", "1", "10"]  # a logarithmic axis


def test_the_explorer_says_whom_it_compared(wide):
    assert "missing in some setting: pc" in wide["lost"]  # it has no value at all
    rows, text = wide["family"]
    assert [row[0] for row in rows] == ["pc"]
    assert "Fewer than two of the external methods" in text
    assert "Best" not in text


def test_the_explorer_says_what_replicates_are(wide):
    text, _ = wide["units"]
    assert "; all methods; as measured; intervals over networks. " in text
    assert text.endswith("with 5 networks).")


def test_the_explorer_cuts_off_no_text(wide, narrow):
    assert wide["cut"] == narrow["cut"] == 0


def test_the_address_follows_the_explorer_and_back_undoes_a_choice(wide):
    assert "measure=shd_standard" in wide["step"]
    assert wide["undone"] == [True, "seconds"]
    assert wide["corrected"]["made"] == "other grid: sigma0.35"


def test_another_study_begins_as_at_the_start_unless_the_address_says_more(wide):
    assert [wide["corrected"][name] for name in ("study", "family", "relative")] == ["second", "all", "yes"]
    assert wide["named"] == ["external", "no", "shd_standard"]


def test_the_explorer_knows_what_a_measure_can_be(wide):
    assert max(high for *_, high, _ in wide["bounded"]) == 1
    assert min(low for _, _, low, *_ in wide["bounded"]) < 1
    assert wide["empty"] == [1, True, 0]  # a line at the SHD of a graph without edges, in settings of that unit alone


def test_print_opens_the_inequalities(page, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    out = tmp_path / "report.pdf"
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    subprocess.run(
        [BROWSER, *options, f"--print-to-pdf={out}", path.as_uri()], check=True, capture_output=True, timeout=120
    )
    assert 1 <= len(re.findall(rb"/Type\s*/Page[^s]", out.read_bytes())) <= 30


def test_the_page_fits_a_telephone_a_tablet_and_a_screen(page, tmp_path):
    frames, console = look(tmp_path, FRAMES % json.dumps(page).replace("</", "<\\/"))
    assert console == []
    assert {width: each["over"] for width, each in frames.items()} == {"390": 0, "768": 0, "1440": 0}
    assert all(each["end"] <= 3 * 900 for each in frames.values())  # the first page has three screens
    assert frames["390"]["narrow"] <= 390
    assert all(each["cut"] == [] and each["intervals"] > 2 for each in frames.values())
    assert frames["390"]["wide"] > 0
    assert all(each["hints"] == each["wide"] for each in frames.values())  # what scrolls sideways says so
    assert all(each["gap"] >= 8 for each in frames.values())  # the navigation does not touch the heading


def published():
    """The first page of a run of all studies."""
    about = {"scale": "published", "claims": [claim("C1")], "figures": [], "tables": [table()]}
    studies = [study(name, **about) for name in study_names()]
    return render(
        studies, [replace(runs(methods=tuple(f"method {k}" for k in range(14))), name="fu2005", reference="method 0")]
    )


def test_the_first_page_has_three_screens(tmp_path):
    frames, console = look(tmp_path, FRAMES % json.dumps(published()).replace("</", "<\\/"))
    assert console == []
    assert frames["1440"]["studies"] <= 3 * 900
    assert {width: each["over"] for width, each in frames.items()} == {"390": 0, "768": 0, "1440": 0}
    assert all(each["cut"] == [] and each["intervals"] > 5 for each in frames.values())
    assert frames["1440"]["labels"]
    assert [each["stacked"] for each in frames.values()] == [True, False, False]  # on a telephone the answers are cards
    assert frames["390"]["scrolled"] <= 0
    assert {'"100 records: "', '"10,000 records: "'} < set(frames["390"]["labels"])


def test_an_error_on_the_console_would_be_seen(page, tmp_path):
    _, console = visit(tmp_path, page.replace("<script>", "<script>undefinedName();</script><script>", 1), 1300)
    assert any("undefinedName" in line for line in console)

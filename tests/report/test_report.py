"""The report: valid on its own, every link leads somewhere, nothing is loaded, failures and gaps are told."""

import base64
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest
from made_report import SVG, claim, run, study, table
from PIL import Image

from cutpoint.bench.artefacts.closeness import PublishedColumn, agreement_figure, closeness
from cutpoint.bench.artefacts.drawings import data_uri, large
from cutpoint.bench.artefacts.html import excerpt, to_html
from cutpoint.bench.artefacts.table import UNDEFINED, Cell, Row
from cutpoint.bench.report.explorer import CELL, Explored
from cutpoint.bench.report.page import glossary, render
from cutpoint.bench.report.study import MOST_ROWS, OwnFile, OwnNetwork, Picture

VOID = {"meta", "link", "br", "img", "path", "source"}
NASTY = '<script>alert("x")</script> & more'


class Page(HTMLParser):
    """Ids, links, loaded addresses and text of a page; fails on tags that are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded, self.tags, self.words, self.open = [], [], [], [], [], []
        self.headings = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append(tag)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.headings += [attributes["id"]] if tag == "h3" and "id" in attributes else []
        self.links += [attributes["href"]] if tag == "a" else []
        self.loaded += [attributes[k] for k in ("src", "srcset", "data") if k in attributes]
        self.loaded += [attributes["href"]] if tag == "link" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def page():
    lost = [
        run("failed", "ValueError: no", method="pc", cell="net-1000"),
        run("failed", "ValueError: no", method="pc", cell="net-500"),
        *(run("unavailable", "yeast: no public files", "yeast", m, "real") for m in ("pc", "bach")),
    ]
    return Page(render([study(), study("other", runs=[run(), *lost])]))


def test_ids_are_unique_though_papers_share_names(page):
    assert len(page.ids) == len(set(page.ids))
    assert {"paper-table_1", "other-table_1", "paper-figure_1", "other-figure_1", "paper-C1"} <= set(page.ids)


def test_every_link_leads_somewhere(page):
    assert {"#paper-table_1", "#paper-figure_1", "#other", "#provenance"} <= set(page.links)
    assert {link.removeprefix("#") for link in page.links if link.startswith("#")} <= set(page.ids)
    files = {link for link in page.links if not link.startswith("#")}
    assert {"paper/tables/table_1.csv", "paper/figures/figure_1.svg", "runs.parquet"} <= files


def test_nothing_is_loaded_from_elsewhere(page):
    text = render([study()])
    assert all(address.startswith("data:") for address in page.loaded)
    assert not re.search(r"@import|url\(", text)
    assert not re.search(r'(src|href)="(https?:)?//', text)
    assert page.tags.count("script") == 1  # its own


def test_claim_without_its_artefact_has_no_link():
    page = Page(render([study(claims=[claim("C1", artefact="figure_9")])]))
    assert "Figure 9" in page.text
    assert not any("figure_9" in link for link in page.links)


def test_the_first_page_lists_studies_with_what_was_made_and_what_their_claims_came_to(page):
    assert "tables and figures made failed runs runs without data claims" in page.text
    assert "paper On things 2 of 2 0 of 2 0 1 reproduced 1 contradicted" in page.text
    assert "other On things 2 of 2 2 of 5 2 1 reproduced 1 contradicted" in page.text
    assert page.ids.index("overview") < page.ids.index("paper")
    assert "1 inequality " in page.text


def test_closeness_stands_first_on_the_page_and_in_the_section_of_a_study():
    figures = ("1.0 2.0 3.0 4.0", "1.1 2.0 9.0 4.4", "0.9 2.1 8.0 4.0", "1.2 2.2 9.9 5.0")
    published = PublishedColumn("Table 1: things", False, np.array([each.split() for each in figures], float))
    rows, other = closeness([published]), Picture("figure_2", SVG, background=True)
    figure = agreement_figure([published])
    html = render([study(closeness=rows, agreement=figure, figures=[other, *study().figures]), study("other")])
    page = Page(html)
    close = (
        "4 published numbers: 2 of 4 lie in our 95 % interval, the median relative difference is 10.0 %, and the rank"
    )
    assert f"{close} correlation is 0.80." in page.text
    assert "1 of 2 judged claims hold." in page.text
    assert figure in html
    assert (figure.count("<circle"), figure.count('class="inside"')) == (4, 2)
    assert page.ids.index("closeness") < page.ids.index("overview")
    parts = [f"paper-{part}" for part in ("closeness", "tables", "figures", "claims", "background", "failures")]
    assert [each for each in page.ids if each in parts] == parts
    assert "other-closeness" not in page.ids


def test_claims_of_papers_and_ours_are_counted_apart():
    ours = study(
        "ours", claims=[claim("C1", source="ours", verdict="2 of 3"), claim("C1", "1", "inconclusive", source="ours")]
    )
    assert (study().score, ours.score) == ({"reproduced": 1, "contradicted": 1}, {"in part": 1})
    text = Page(render([study(), ours])).text
    assert text.index("Published claims") < text.index("What we expected")


def test_a_claim_that_is_not_comparable_shows_no_verdict_in_colour():
    example = study(claims=[claim("C1", verdict="not comparable"), claim("C1", "1", "contradicted")])
    text = render([example])
    assert 'class="not-comparable">contradicted<' in text
    assert 'class="contradicted"' not in text


def test_what_was_not_made_is_listed_with_its_reason():
    empty = table("table_2", title="Empty", rows=(Row("a", "A", "direct", (Cell(reason="no data"),) * 3),))
    lost = Picture("figure_2", SVG, "Lost", "not available: no runs")
    page = Page(render([study(tables=[table(), empty], figures=[lost])]))
    assert "Tables and figures without numbers: 2 paper, Empty: no data paper, Lost: no runs" in page.text
    assert "paper On things 1 of 3" in page.text
    assert page.ids.index("overview") < page.ids.index("not-made") < page.ids.index("paper")
    assert not {"paper-table_2", "paper-figure_2"} & set(page.ids)


def test_the_answer_on_own_data_stands_on_the_first_page_whole():
    tables = [table("table_methods", title="The methods on your data"), table()]
    page = Page(render([study(tables=tables)]))
    assert page.ids.index("paper-table_methods") < page.ids.index("paper")
    assert not any("table_methods" in link for link in page.links)  # no files below it


def test_data_and_settings_of_a_study_are_a_table_of_what_it_declares():
    grids = [{"grid": "simulated", "data": "alarm", "made by": "kind=gaussian, sigma=0.35"}]
    page = Page(render([study(grids=grids, limits=(600, 4000))]))
    assert "grid data made by simulated alarm kind=gaussian, sigma=0.35" in page.text
    assert "A run may take 600 s of CPU time and 4000 MB of memory." in page.text


def test_rows_without_a_number_are_one_line_below_the_table():
    row = Row("c", "Third", "direct", (Cell(reason="no runs"),) * 3)
    published = Row("d", "Fourth", "direct", (Cell(published=1.0, reason="no runs"), Cell(), Cell()))
    page = Page(render([study(tables=[table(rows=(*table().rows, row, published))])]))
    assert "Without a number: Third." in page.text
    assert page.text.count("Third") == 1
    assert "Fourth" in page.text


def test_failures_and_missing_data_are_told_apart():
    example = study(runs=[run(), run("failed", None), run("unavailable", "yeast: no files", "yeast", grid="real")])
    assert example.statuses == {"ok": 1, "failed": 1, "unavailable": 1}
    assert (example.failed, example.without_data) == (1, 1)
    first, second = example.failures
    assert first == {**first, "grid": "real", "status": "unavailable", "message": "yeast: no files", "cells": "yeast"}
    assert second == {**second, "status": "failed", "message": "", "runs": 1, "methods": "bach"}


def test_failures_are_shown_once_with_all_their_cells(page):
    assert "2 of 5 runs failed, and 2 had no data or no program: 1 ok, 2 failed, 2 unavailable. Numbers" in page.text
    assert "real unavailable yeast: no public files 2 bach, pc yeast" in page.text
    assert "net-1000, net-500" in page.text
    assert page.text.count("ValueError: no") == 1
    assert page.text.count("Every run ended well.") == 1


def test_a_long_list_of_failures_is_folded():
    few, many = (
        study(runs=[run("failed", f"message {k}") for k in range(count)]) for count in (MOST_ROWS, MOST_ROWS + 1)
    )
    summary = "<details{}><summary>Runs without a result, by message: {}</summary>"
    assert summary.format(" open", MOST_ROWS) in render([few])
    assert summary.format("", MOST_ROWS + 1) in render([many])


def test_user_text_is_escaped():
    nasty = study(
        title=NASTY,
        claims=[claim("C1", text=NASTY, note=NASTY, artefact=NASTY)],
        runs=[run("failed", NASTY, NASTY), run("unavailable", NASTY, NASTY)],
        methods=[{"label": NASTY, "category": NASTY, "settings": NASTY, "note": NASTY}],
        tables=[table(title=NASTY, caption=NASTY, notes=(NASTY,), key=NASTY)],
    )
    page = Page(render([nasty]))
    assert page.tags.count("script") == 1
    assert page.text.count(NASTY) >= 10


def test_table_with_missing_cells():
    page = Page(to_html(table(missing="no runs of the grid")))
    assert page.text.count("not available") == 1
    assert page.text.count("Not available: no runs of the grid.") == 1
    assert "x print , x y print , y z" in page.text
    assert "1.50 [1.25, 1.75] 1.25 ✓" in page.text
    assert "1/2 runs" in page.text
    assert "0.500 0.123" in page.text
    assert "Not available: ran out of memory." in Page(to_html(table())).text
    assert "None" not in page.text
    assert "nan" not in page.text.lower().split()


def test_a_measure_that_does_not_apply_is_no_failure():
    cells = (Cell(1.5), Cell(reason=UNDEFINED, runs=0, expected=630), Cell(reason="lost", runs=0, expected=630))
    html = to_html(table(rows=(Row("a", "A", "direct", cells),)))
    assert Page(html).text.count("does not apply") == 1
    assert Page(html).text.count("0/630 runs") == html.count('<span class="absent"') == 1
    assert "Not available: lost." in Page(html).text


def test_panels_repeat_the_rows():
    html = to_html(table(panels=(("First", range(1)), ("Second", range(1, 3)))))
    assert html.count("<table") == 2
    assert Page(html).text.index("First") < Page(html).text.index("Second")


def test_scale_is_marked_unless_it_is_the_published_one():
    assert "not the grids of the papers" in Page(render([study()])).text
    assert "not the grids of the papers" not in Page(render([study(scale="published")])).text


def test_empty_study():
    example = study(claims=[], tables=[], figures=[], runs=[], methods=[])
    page = Page(render([example]))
    assert {link.removeprefix("#") for link in page.links if link.startswith("#")} <= set(page.ids)
    assert example.parts == []
    assert "h3" not in page.tags
    assert "runs:" not in page.text
    assert "ended well" not in page.text


@pytest.mark.parametrize("part", ["claims", "runs", "tables", "figures", "methods"])
def test_a_part_without_anything_to_show_is_left_out(part):
    page = Page(render([study(**{part: []})]))
    name = f"paper-{'failures' if part == 'runs' else part}"
    assert name not in page.ids
    assert f"#{name}" not in page.links
    rest = {"failures", "tables", "figures", "methods", "claims"} - {name.removeprefix("paper-")}
    assert {heading for heading in page.headings if heading.startswith("paper-")} == {f"paper-{each}" for each in rest}
    assert ("1 contradicted" in page.text) == (part != "claims")


def test_the_page_of_own_data_is_about_the_file():
    own, paper = Page(render([study("own", file=OwnFile("my cars.csv", 79, 1))])), Page(render([study()]))
    assert "my cars.csv: 79 records used. Records left out for missing cells: 1. Missing cells imputed: 0." in own.text
    filled = Page(render([study("own", file=OwnFile("my.csv", 79, imputed_cells=5))])).text
    assert "my.csv: 79 records used. Records left out for missing cells: 0. Missing cells imputed: 5." in filled
    for words in ("published numbers", "Which discretization"):
        assert words in paper.text
        assert words not in own.text


def test_models_can_be_taken_from_the_page():
    files = {
        "Hartemink": {"hartemink.bif": "network α {}"},
        "Steck, 3": {"steck3.html": None, "steck3.bif": "network β {}"},
    }
    example = study(
        "own",
        file=OwnFile("my.csv", 79),
        models=files,
        figures=[Picture("figure_graphs", "<svg/>")],
        network=OwnNetwork("Steck, 3", '<p class="x">"network" & more</p>', "1.2 [1.0, 1.4]", False, 3, 12, False, 5),
    )
    html = render([example])
    assert '<a href="own/models/steck3.html">page</a>' in html
    assert "Take the network of Steck, 3." in html
    assert "Of all methods, it predicts new" in html
    assert "3 of 12 methods" in html
    other = Page(render([replace(example, network=replace(example.network, leader="Bach", worse=True))])).text
    assert "Bach predicts new records best, and has no network to show." in other
    assert "and another method predicts significantly better" in other
    weak = render([replace(example, network=replace(example.network, edgeless=True))])
    assert "Take the network" not in weak
    assert "No method predicts new records significantly better than a model without edges." in weak
    first = render([replace(example, network=replace(example.network, edgeless=True, folds=2))])
    assert "2 folds cannot tell" in first
    assert "No method predicts" not in first
    assert 'srcdoc="&lt;p class=&#34;x&#34;&gt;&#34;network&#34; &amp; more&lt;/p&gt;"' in html
    links = dict(re.findall(r'<a download="([^"]+)" href="data:text/plain;charset=utf-8;base64,([^"]+)">BIF</a>', html))
    texts = {name: base64.b64decode(content).decode() for name, content in links.items()}
    assert texts == {"hartemink.bif": "network α {}", "steck3.bif": "network β {}"}


def test_studies_without_runs_of_methods_are_named_beside_the_explorer():
    row = dict.fromkeys(CELL, "x") | {"n": 500, "replicate": 0, "method": "bach", "status": "ok", "shd_standard": 3}
    table = pa.Table.from_pylist([row])
    runs = Explored("paper", [{"name": "bach", "label": "Bach", "category": "direct"}], "", ["x"], [], table)
    assert "methods: other and third." in Page(render([study(), study("other"), study("third")], [runs])).text
    assert "Studies without" not in Page(render([study()], [runs])).text


def test_words_are_explained_without_marks_and_links():
    page = Page(render([study()]))
    assert "#words" in page.links
    assert not [text for text in glossary().values() if re.search(r"[\[\]`*]|\.md| \.", text)]
    names = {name for term in glossary() for name in term.split(", ")}
    assert {"Bach", "Steck3", "Hartemink", "Pattern", "AID", "KGV"} <= names


def big_table(best=0):
    """A table of 300 rows by two panels of two columns, the row 299 - i with the number i."""
    rows = [
        Row(f"m{i}", f"M{i}", "", (Cell("word"), Cell(299 - i, best=299 - i == best), Cell(1), Cell(2)))
        for i in range(300)
    ]
    panels = (("First", range(2)), ("Second", range(2, 4)))
    return table(columns=("said", "loss", "y", "z"), rows=tuple(rows), panels=panels)


def test_of_a_big_table_the_best_rows_are_shown():
    page = Page(render([study(tables=[big_table()])]))
    text = page.text
    assert "Shown: 20 of 300 rows and 4 of 4 columns; all are in the" in text
    assert "M299" in text
    assert "M280" in text
    assert "M279" not in text
    assert "paper/tables/table_1.csv" in page.links
    lowest, _ = excerpt(big_table())
    highest, _ = excerpt(big_table(best=299))
    assert [row.cells[1].reproduced for row in lowest.rows] == list(range(20))
    assert [row.cells[1].reproduced for row in highest.rows] == list(range(299, 279, -1))
    assert excerpt(big_table(best=-1))[0].rows == big_table().rows[:20]
    rows = [Row(f"m{i}", f"M{i}", "", tuple(map(Cell, range(60)))) for i in range(24)]
    panels = [(f"Part {i}", range(i, i + 20)) for i in (0, 20, 40)]
    wide = table(columns=tuple(map(str, range(60))), rows=tuple(rows), panels=tuple(panels))
    assert excerpt(wide)[1] == "20 of 24 rows and 20 of 60 columns"
    assert excerpt(wide)[0].panels == (panels[0],)


def test_a_drawing_that_is_too_large_is_a_picture():
    circles = "".join(f'<circle cx="{i}" cy="{i * i % 97}" r="{i / 7:.2f}"/>' for i in range(5000))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="10pt" height="10pt">{circles}</svg>'
    pixels = io.BytesIO()
    Image.effect_noise((60, 40), 50).convert("RGBA").save(pixels, "PNG")
    assert large(svg)
    assert not large(SVG)
    html = render([study(figures=[Picture("figure_1", svg, "A thing", png=pixels.getvalue())])])
    (encoded,) = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    picture = Image.open(io.BytesIO(base64.b64decode(encoded)))
    assert picture.size == (60, 40)
    assert picture.mode == "P"
    assert len(html) < len(svg) / 2 + len(render([study()]))
    assert "circle" in render([study(figures=[Picture("figure_1", svg)])])  # a preview without pixels


def test_a_shorter_drawing_has_the_same_marks():
    clip = 'clip-path="url(#p0123456789)"'
    inner = f'<g {clip}><g id="b"><use xlink:href="#m0123456789" x="1"/></g><path d="M 0 0"/></g><g id="empty" {clip}/>'
    lines = "".join(f'<path d="M {k} 1" {clip} style="fill: none"/>' for k in (1, 2))
    marks = f'<path d="M 1.234 2 \nL 3 4.5 z"/>{inner}{lines}'
    inside = f'<style></style><g id="a">{marks}<g><text>M 3 L 4</text></g></g>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="9pt">{inside}</svg>'
    drawing = ElementTree.fromstring(unquote(data_uri(svg).split(",", 1)[1]))
    tag = "{{http://www.w3.org/2000/svg}}{}".format
    assert [part.tag for part in drawing.iter()] == [
        *map(tag, ["svg", "style", "path", "g", "use", "path", "path", "path", "text"])
    ]
    _, path, group, *lines, text = drawing
    assert path.get("d") == "M1.23 2L3 4.5z"
    assert group.get("clip-path") == "url(#i0)"
    assert group[0].get("href") == "#i1"
    assert text.text == "M 3 L 4"
    assert {line.get("class") for line in lines} == {"s0"}
    assert drawing[0].text == ".s0{clip-path: url(#i0); fill: none}"


def test_the_default_is_recommended_unless_another_method_predicts_better():
    def network(marks, pages=("steck3", "consensus")):
        rows = [
            Row(key, key, "", (Cell(gain, low=gain - 0.5, high=gain + 0.5, digits=1), Cell(mark)))
            for key, gain, mark in zip(("steck3", "consensus", "independence"), (2.0, 1.5, 0.0), marks, strict=True)
        ]
        ranked = replace(table(), columns=("Held-out gain", "Not significantly worse"), rows=rows)
        return OwnNetwork.of(ranked, {name: "page" for name in pages}, 10)

    chosen = network(("yes", "yes", "no"))
    assert (chosen.label, chosen.gain, chosen.default, chosen.alike, chosen.methods) == (
        *("consensus", "1.5 [1.0, 2.0]", True),
        *(2, 2),
    )
    best = network(("yes", "no", "no"))
    assert (best.label, best.leader, best.worse) == ("steck3", "", False)
    rest = network(("yes", "no", "no"), pages=["consensus"])
    assert (rest.label, rest.default, rest.leader, rest.worse) == ("consensus", False, "steck3", True)
    assert network(("yes", "yes", "yes")).edgeless
    assert network(("yes", "yes", "no"), pages=()) is None

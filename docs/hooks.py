"""What MkDocs does beside Markdown: files of the repository as pages, links, formulas, wide tables, the glossary."""

import html as text_of_html
import posixpath
import re
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.structure.files import File

from cutpoint.bench.report.page import glossary

ROOT = Path(__file__).parents[1]
# Files outside docs/ that are pages of the site, by their path in the repository.
BROUGHT = {
    "ARCHITECTURE.md": "architecture.md",
    "config/README.md": "configuration.md",
    "src/cutpoint/bench/templates/glossary.md": "glossary.md",
}
SOURCES = {page: source for source, page in BROUGHT.items()}
GLOSSARY = "glossary.md"
CLAIMED = ("F1",)  # a claim of Fu (2005) has the name of a measure
PAPERS = ("papers.md",)
NAMES = ("Bach", "Hartemink")  # of methods, elsewhere also of authors
FIRST = ("index.md", "choose.md")
FENCED = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
MANY = 7  # columns of a table from which on it has another look on a narrow screen
LONG = 40  # characters of a cell or formula from which on it has another look on a narrow screen
ABBREVIATION = re.compile(r"[A-Z]\w*[A-Z]|\d")


def on_files(files, config):
    """Add the pages that stand elsewhere in the repository."""
    for source, page in BROUGHT.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))


def on_page_markdown(markdown, page, files, **_):
    """Return a page with its links turned to pages of the site, and with the terms of the glossary behind it."""
    name = page.file.src_uri
    parts = FENCED.split(markdown)
    parts[::2] = [LINK.sub(lambda found: _link(found, name, files), part) for part in parts[::2]]
    return "".join(parts) + ("" if name == GLOSSARY else _abbreviations(name))


def _link(found, name, files):
    """Return a link as one to a page of the site, or as the path of a file in the repository."""
    picture, text, target, anchor = found[1], found[2], found[3], found[4] or ""
    source = SOURCES.get(name, f"docs/{name}")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    page = BROUGHT.get(path, path.removeprefix("docs/"))
    found_file = files.get_file_from_path(page)
    if found_file and not found_file.inclusion.is_excluded():
        return f"{picture}[{text}]({posixpath.relpath(page, posixpath.dirname(name) or '.')}{anchor})"
    return text if path in text else f"{text} (`{path}`)"


def _abbreviations(page):
    """Return terms of the glossary with capitals inside or a number, on first pages names too, as abbreviations."""
    without, names = CLAIMED if page in PAPERS else (), NAMES if page in FIRST else ()
    terms = [(term, text) for listed, text in glossary().items() for term in listed.split(", ")]
    shown = [
        (term, text) for term, text in terms if (ABBREVIATION.search(term) or term in names) and term not in without
    ]
    lines = [f"*[{term}]: {_first(text)}" for term, text in shown]
    return "\n\n" + "\n".join(lines) + "\n"


def _first(text):
    """Return the first sentence of a text, without what stands in brackets behind it."""
    return text.split(". ")[0].split(" (")[0].rstrip(".")


def on_page_content(html, **_):
    """Return the HTML of a page with its formulas in MathML, and tables of sentences marked."""
    return TABLE.sub(_cards, FORMULA.sub(_formula, html))


def _formula(found):
    """Return a formula in MathML; a long one in the line has a box to scroll in."""
    tex = text_of_html.unescape(found[3])
    if found[2] == "[":
        return convert(tex, display="block")
    return f'<span class="long">{convert(tex)}</span>' if len(tex) > LONG else convert(tex)


def _cards(found):
    """Return a table, with long cells or many columns in a box whose rows stack on a narrow screen."""
    table = found[0]
    cells = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", table, re.DOTALL)]
    heads = [re.sub(r"<[^>]*>", "", head) for head in re.findall(r"<th[^>]*>(.*?)</th>", table, re.DOTALL)]
    if max(map(len, cells), default=0) < LONG and len(heads) < MANY:
        return table
    rows = re.sub(r"<tr>.*?</tr>", lambda row: _labelled(row[0], heads), table, flags=re.DOTALL)
    return f'<div class="cards">{rows}</div>'


def _labelled(row, heads):
    labels = iter(heads)
    return re.sub(r"<td", lambda _: f'<td data-label="{text_of_html.escape(next(labels, ""))}"', row)

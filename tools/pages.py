"""What pages of the site are told by data/results when MkDocs makes them.

A page asks by a comment: `<!-- answer -->` is the table of what to take, `<!-- mechanisms -->` that by the kind of
data, `<!-- study STUDY -->` all of a study, `<!-- says STUDY TOPIC -->` one of its answers, `<!-- counts paper -->`
the grades of all claims of papers. So no page states a number that no run showed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import indent

import snapshot
from mkdocs.structure.pages import Page

from cutpoint.base.checking import read_yaml
from cutpoint.data.csv_files import read_csv
from cutpoint.studies.declaration import study_file

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "data" / "results"
ASKED = re.compile(r"<!-- (answer|mechanisms|study|says|counts)((?: \w+)*) -->")
LOOKS = {"reproduced": "success", "contradicted": "failure", "open": "question"}  # by grade; a note is any other
SENTENCES = re.compile(r"(?<=[\w)\]%]\.) (?=[A-Z])")
PICTURE = re.compile(r"^!\[[^\]]*\]\(([^)]+)\).*\n", re.MULTILINE)
Row = Mapping[str, str]


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Return a page with what it asks for; a picture on the first page that no run has left is left out."""
    if page.file.src_uri == "index.md":
        markdown = PICTURE.sub(lambda found: found[0] if (ROOT / "docs" / found[1]).exists() else "", markdown)
    return ASKED.sub(lambda found: asked(found[1], *found[2].split()), markdown)


def asked(what: str, *words: str) -> str:
    """Return what a comment asks for.

    Raises:
        StopIteration: the study has no such answer.
    """
    numbers = snapshot.kept(KEPT)
    if what == "answer":
        return numbers.table("fu2005", "table_answer", "records")
    if what == "mechanisms":
        return numbers.table("mechanisms", "table_firsts", "measure", across="data")
    if what == "counts":
        return numbers.count(*words)
    if what == "study":
        return study_text(*words)
    study, topic = words
    return next(listed(row["text"]) for row in kept("answers", study) if row["topic"] == topic)


def listed(text: str) -> str:
    """Return sentences as a list, one as it is."""
    sentences = SENTENCES.split(text)
    return text if len(sentences) == 1 else "\n".join(f"- {sentence}" for sentence in sentences)


def kept(name: str, study: str) -> list[Row]:
    """Return the rows of a study in a file of data/results."""
    return [row for row in read_csv(KEPT / f"{name}.csv") if row["study"] == study]


def study_text(study: str) -> str:
    """Return what the runs of a study say, its claims, and what is supposed of numbers that do not come back."""
    about = read_yaml(study_file(study))
    run = f"`uv run snakemake --cores all --config study={study}`"
    parts = [f"## {about['title']}", f"*{about['citation']}* Run it: {run}."]
    parts += [*(listed(row["text"]) for row in kept("answers", study)), *claims_of(study)]
    if supposed := kept("explanations", study):
        parts += ["### The likeliest reasons", REASONS, *map(supposition, supposed)]
    return (
        "\n\n".join(parts if len(parts) > 2 else [*parts, "The run that this site shows did not have this study."])
        + "\n"
    )


def claims_of(study: str) -> list[str]:
    """Return the claims of a study below a heading, each with its grade, as Markdown; without any nothing."""
    claims: list[Row] = []
    inequalities: dict[str, list[Row]] = defaultdict(list)
    for row in kept("claims", study):
        (inequalities[row["claim"]] if row["part"] else claims).append(row)
    if not claims:
        return []
    said = "What the paper says" if claims[0]["source"] == "paper" else "What we expected"
    grades = snapshot.graded(row["verdict"] for row in claims)
    how = "[How claims are judged](../statistics.md#verdicts-on-claims)"
    shown = [claim(row, inequalities[row["claim"]]) for row in claims]
    return [f"### {said}, and what came out", f"Claims, {grades}. {how}.", *shown]


REASONS = (
    "Numbers that do not come back: as printed, as ours, and as ours under what is supposed. The sentence beside them "
    "is made from the numbers; a supposition that gives the printed numbers may still be wrong. "
    "[Findings](../findings.md#what-does-not-and-the-likeliest-reason) weighs them."
)


def claim(row: Row, parts: Iterable[Row]) -> str:
    """Return a claim with its grade, which unfolds to what was judged, as Markdown."""
    title = f"{row['claim']}, {row['verdict']}. {row['text']}"
    body = [row["note"]] if row["note"] else []
    if inequalities := [f"| {_cell(part['text'])} | {part['verdict']} | {_cell(part['numbers'])} |" for part in parts]:
        body.append("\n".join(("| inequality | verdict | numbers |", "| --- | --- | --- |", *inequalities)))
    look = LOOKS.get(row["verdict"], "note")
    if not body:
        return f'!!! {look} "{title}"'
    return f'??? {look} "{title}"\n\n' + indent("\n\n".join(body), "    ")


def supposition(row: Row) -> str:
    """Return what is supposed of a printed number, the numbers, and the sentence made of them, as Markdown."""
    numbers = [f"{name} {_number(row[name])}" for name in ("printed", "ours", "ours as supposed") if row[name]]
    return f"**{row['label']}.** {', '.join(numbers).capitalize()}. {row['evidence']}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _number(text: str) -> str:
    value = float(text)
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"

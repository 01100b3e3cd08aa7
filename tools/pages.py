"""What pages of the site are told by data/results when MkDocs makes them.

A page asks by a comment: `<!-- lead -->` is what to take in a few sentences, `<!-- basis -->` what that rests on,
`<!-- answer -->` the table behind it, `<!-- discretize -->` methods
with thresholds beside others, `<!-- networks -->` what it says of other networks, `<!-- verdict STUDY -->` what became
of its claims, `<!-- study STUDY -->` all of a study, `<!-- says STUDY TOPIC -->` one of its answers, `<!-- gains -->`
MGCD against its rivals, `<!-- counts paper -->` the grades of all claims of papers, `<!-- lacks -->` the studies of
which nothing is kept, `<!-- kinds -->` what to take by the kind of data. So no page states a number that no run showed;
`<!-- advice -->` is what `cp.advise` rests on, `<!-- stable -->` how often it names Bach's score, `<!-- advised -->`
what it prints on data that are made here, `<!-- look -->` what to look at in the figure of the first page.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent

import answers
import snapshot
from cutpoint.bench.studies.first_page import look
from mkdocs.structure.pages import Page

from cutpoint.base.checking import read_yaml
from cutpoint.base.text import listed as text_of
from cutpoint.bench.engine.declaration import study_file
from cutpoint.bench.report.study import IN_PART
from cutpoint.bench.statistics.verdicts import HOLDS, NOT_COMPARABLE
from cutpoint.data.csv_files import read_csv

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "data" / "results"
ASKED = re.compile(r"<!-- (\w+)((?: \w+)*) -->")
TOLD = {  # by the numbers alone
    "lead": answers.lead,
    "discretize": answers.discretize,
    "networks": answers.new_networks,
    "gains": answers.mabrouk2015,
    "lacks": answers.not_shown,
}
LOOKS = {"reproduced": "success", "contradicted": "failure", "open": "warning"}  # by grade; see `look_of`
SENTENCES = re.compile(r"(?<=[\w)\]%]\.) (?=[A-Z])")
REMARK = re.compile(r"By the order of the columns.*", re.DOTALL)
PAPERS = frozenset(path.stem for path in (ROOT / "docs" / "papers").glob("*.md"))
READ = {"hartemink_": "hartemink", "pc_": "pc_fisherz"}  # rows of fu2005 that the experiment `readings` explains
COUNT = re.compile(r"\b(data sets|panels|tables|cells won) = (\d+)\.0+\b")
PICTURE = re.compile(r"^!\[[^\]]*\]\(([^)]+)\).*\n", re.MULTILINE)
Row = Mapping[str, str]
EXAMPLE = """import numpy as np

import cutpoint as cp

codes = cp.sample(cp.network("child"), n=2000, seed=1)
values = codes + 0.35 * np.random.default_rng(1).standard_normal(codes.shape)
# of a file: values = cp.read_data("my.csv", missing="impute")
print(cp.advise(values))
"""


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Return a page with what it asks for; a picture on the first page that no run has left is left out."""
    if page.file.src_uri == "index.md":
        markdown = PICTURE.sub(lambda found: found[0] if (ROOT / "docs" / found[1]).exists() else "", markdown)
    return ASKED.sub(lambda found: asked(found[1], *found[2].split()), markdown)


def asked(what: str, *words: str) -> str:
    """Return what a comment asks for.

    Raises:
        StopIteration: the study has no such answer.
        ValueError: nothing is asked for by that word.
    """
    numbers = snapshot.kept(KEPT)
    if what in TOLD:
        return TOLD[what](numbers)
    if what in ALONE:
        return ALONE[what]()
    if what == "kinds":
        return answers.kinds(numbers)
    if what == "verdict":
        return f"**{answers.verdict(kept('claims', *words), names=True)}**" if kept("claims", *words) else ""
    if what == "answer":
        return numbers.table("fu2005", "table_answer", "records")
    if what == "counts":
        return numbers.count(*words)
    if what == "study":
        return study_text(*words)
    if what != "says":
        raise ValueError(f"a page asks for {what!r}")
    study, topic = words
    return next(listed(row["text"]) for row in kept("answers", study) if row["topic"] == topic)


def advised() -> str:
    """Return lines that ask for advice, and what they print."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(EXAMPLE, {})
    return f"```python\n{EXAMPLE}```\n\n``` {{.text .lines}}\n{shown.getvalue()}```"


ALONE = {  # by what studies declare and what is shipped
    "basis": answers.basis,
    "advice": answers.advice,
    "stable": answers.stable,
    "advised": advised,
    "look": look,
}


def listed(text: str) -> str:
    """Return sentences as a list, one as it is."""
    sentences = SENTENCES.split(text)
    return text if len(sentences) == 1 else "\n".join(f"- {sentence}" for sentence in sentences)


def kept(name: str, study: str) -> list[Row]:
    """Return the rows of a study in a file of data/results."""
    return [row for row in read_csv(KEPT / f"{name}.csv") if row["study"] == study]


def study_text(study: str) -> str:
    """Return what the runs of a study say, its claims, and what is supposed of numbers that we could not reproduce."""
    about = read_yaml(study_file(study))
    run = f"`uv run snakemake --cores all --config study={study}`"
    claims = claims_of(study)
    if study in PAPERS:  # has a page of its own
        parts = [f"{about['title']}. *{about['citation']}* Run it: {run}."]
    else:
        parts = [f"## {about['title']}", f"*{about['citation']}* Run it: {run}."]
        parts += [asked("verdict", study)] if claims else []
    printed = answers.printed(snapshot.kept(KEPT), study) if study in answers.PRINTED else ""
    said = [*(listed(row["text"]) for row in kept("answers", study)), *([printed] if printed else []), *claims]
    if supposed := kept("explanations", study):
        said += ["### The likeliest reasons", f"{_readings(supposed)}{REASONS}", *map(supposition, supposed)]
    return "\n\n".join([*parts, *(said or ["The run that this site shows did not have this study."])]) + "\n"


def claims_of(study: str) -> list[str]:
    """Return the claims of a study below a heading, each with its grade, as Markdown; without any nothing."""
    claims: list[Row] = []
    inequalities: dict[str, list[Row]] = defaultdict(list)
    for row in kept("claims", study):
        (inequalities[row["claim"]] if row["part"] else claims).append(row)
    if not claims:
        return []
    said = "What the paper says" if claims[0]["source"] == "paper" else "What we expected"
    about = read_yaml(study_file(study))
    titles = {name: row.get("title", "") for kind in ("tables", "figures") for name, row in about[kind].items()}
    shown = [claim(row, inequalities[row["claim"]], titles.get(row["artefact"], "")) for row in claims]
    return [f"### {said}, and what came out", HOW, *shown]


UNJUDGED = "its inequalities are shown, not counted"
HOW = (
    "Open a claim for its inequalities; numbers in square brackets are 95 % intervals. A half circle marks a claim of "
    "which more than half of the inequalities hold, a quarter one of which at most half do, a bar one that is not "
    "comparable. "
    "[How claims are judged](../statistics.md#verdicts-on-claims)."
)
REASONS = (
    "Numbers that we could not reproduce: as printed, as ours, and as ours under what is supposed. The sentence beside "
    "them is made from the numbers; a supposition that gives the printed numbers may still be wrong. "
    "[Findings](../findings.md#what-does-not-and-the-likeliest-reason) weighs them."
)


def claim(row: Row, parts: Sequence[Row], title: str) -> str:
    """Return a claim with its grade, which unfolds to what was judged, as Markdown.

    Args:
        row: the claim.
        parts: its inequalities.
        title: of the table or figure that its numbers stand in.
    """
    judged = row["verdict"] != NOT_COMPARABLE
    counts = f" ({answers.shares(parts) if judged else UNJUDGED})" if parts else ""
    head = f"{row['claim']}, {row['verdict']}{counts}. {row['text']}"
    lines = [f"| {_cell(part['text'])} | {part['verdict']} | {_numbers(part['numbers'])} |" for part in parts]
    body = [f"Numbers of `{row['artefact']}`" + (f", {title}." if title else ".")]
    body += [remark[0]] if (remark := REMARK.search(row["note"])) else []
    if lines:
        body.append("\n".join(("| inequality | verdict | numbers |", "| --- | --- | --- |", *lines)))
    return f'??? {look_of(row, parts)} "{head}"\n\n' + indent("\n\n".join(body), "    ")


def look_of(row: Row, parts: Sequence[Row]) -> str:
    """Return the mark of a claim: by its grade, and of those that hold in part whether most inequalities hold."""
    if answers.grade_of(row) != IN_PART:
        return LOOKS.get(row["verdict"], "apart")
    return "most" if 2 * sum(part["verdict"] == HOLDS for part in parts) > len(parts) else "some"


def supposition(row: Row) -> str:
    """Return what is supposed of a printed number, the numbers, and the sentence made of them, as Markdown."""
    numbers = [f"{name} {_number(row[name])}" for name in ("printed", "ours", "ours as supposed") if row[name]]
    return f"**{row['label']}.** {', '.join(numbers).capitalize()}. {row['evidence']}"


def _readings(rows: Sequence[Row]) -> str:
    """Say of which methods ours is of the data sets of an experiment, with the number of all data sets beside it."""
    ours = {method: row for row in rows for prefix, method in READ.items() if row["row"].startswith(prefix)}
    if not ours:
        return ""
    v4 = snapshot.kept(KEPT).cells("fu2005", "table_V-4")
    numbers = [
        f"{v4[method, 'Mean over N']['label']} ({float(row['ours']):.2f}, in Table V-4 "
        f"{float(v4[method, 'Mean over N']['reproduced']):.2f})"
        for method, row in ours.items()
    ]
    return (
        f"Of {text_of(numbers)} the numbers called ours are means on the data sets of the experiment `readings`, which "
        "are others and fewer than those of the tables. "
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _numbers(text: str) -> str:
    """Return the numbers of an inequality with counts as counts: "36 data sets"."""
    return COUNT.sub(r"\2 \1", _cell(text))


def _number(text: str) -> str:
    value = float(text)
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"

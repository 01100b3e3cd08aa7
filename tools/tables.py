"""Write the tables of README and docs between their marks, and their figure, from data/: `uv run tools/tables.py`.

A page has `<!-- table NAME ARGUMENT -->` and `<!-- /table -->`; what stands between them is made anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from cutpoint import advice
from cutpoint.bench.engine.declaration import study_names
from cutpoint.bench.plots.lines import Line, Panel, rows_of_lines
from cutpoint.bench.report.study import GRADES, IN_PART
from cutpoint.data.csv_files import read_csv
from cutpoint.plots.style import Figure, save

ROOT = Path(__file__).parents[1]
FIGURE = ROOT / "docs" / "images" / "at_a_glance.svg"
MARKED = re.compile(r"(<!-- table (\w+) ?(\w*) -->\n).*?(<!-- /table -->)", re.DOTALL)


def pages() -> list[Path]:
    """Return the pages that have such tables."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in files if MARKED.search(path.read_text(encoding="utf-8"))]


def filled(text: str) -> str:
    """Return a page with its tables made anew."""
    return MARKED.sub(lambda mark: f"{mark[1]}\n{TABLES[mark[2]](mark[3])}\n\n{mark[4]}", text)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def by_type(records: str) -> str:
    """Return what to use on each data type at a number of records."""
    rows = advice.by_type(int(records))
    return markdown([*rows[0]], [[*row.values()] for row in rows])


def by_records(_: str) -> str:
    """Return the best method on each data type by the number of records, with its normalized SHD."""
    entries = advice.read_advice()["known"]
    sizes = sorted({entry["n"] for entry in entries})
    best = {(entry["type"], entry["n"]): advice.choices(entry)[0] for entry in entries}
    rows = [
        [title, *(f"{best[name, n].method}: {best[name, n].loss:.2f}" for n in sizes)]
        for name, title in advice.TYPES.items()
    ]
    return markdown(["Data look like", *(f"N = {n}" for n in sizes)], rows)


def confusion(_: str) -> str:
    """Return how often a predicted data type is which true one, in percent."""
    shares = advice.read_advice()["confusion"]
    head = ["Predicted", *(advice.TYPES[name] for name in shares)]
    return markdown(
        head, [[advice.TYPES[name], *(f"{100 * x:.0f} %" for x in row.values())] for name, row in shares.items()]
    )


def regret(_: str) -> str:
    """Return what strategies cost on networks that were left out."""
    rows = advice.read_advice()["regret"].items()
    cells = [[name.capitalize(), f"{value:.2f} [{low:.2f}, {high:.2f}]"] for name, (value, low, high) in rows]
    return markdown(["Strategy", "SHD / true edges above the best method of each data set"], cells)


def claims(study: str) -> str:
    """Return the claims of a study with their verdicts and those on their inequalities."""
    rows = [row for row in read_csv(ROOT / "data/results/claims.csv") if row["study"] == study]
    parts = [(row["claim"], row["verdict"]) for row in rows if row["part"]]
    counts = {claim: Counter(verdict for name, verdict in parts if name == claim) for claim, _ in parts}
    cells = [
        [
            *(row["claim"], row["text"], row["verdict"]),
            ", ".join(f"{count} {verdict}" for verdict, count in counts.get(row["claim"], {}).items()),
        ]
        for row in rows
        if not row["part"]
    ]
    return markdown(["", "Claim", "Verdict", "Inequalities"], cells)


def verdicts(source: str) -> str:
    """Return how many claims of papers, or of ours, got which verdict, by study."""
    rows = [row for row in read_csv(ROOT / "data/results/claims.csv") if row["source"] == source and not row["part"]]
    rows = [row for row in rows if row["study"] in study_names()]
    graded = [(row["study"], IN_PART if " of " in row["verdict"] else row["verdict"]) for row in rows]
    grades = [grade for grade in GRADES if any(grade == verdict for _, verdict in graded)]
    counts = Counter(graded)
    studies = list(dict.fromkeys(study for study, _ in graded))
    cells = [[f"`{study}`", *(str(counts[study, grade]) for grade in grades)] for study in studies]
    return markdown(["Study", *grades], cells)


def reasons(study: str) -> str:
    """Return published numbers beside ours, and ours under what is supposed of them."""
    rows = [row for row in read_csv(ROOT / "data/results/explanations.csv") if row["study"] == study]
    names = {"printed": "published", "ours": "ours", "ours as supposed": "ours as supposed"}
    cells = [
        [row["label"], *(f"{float(row[name]):.4g}" if row[name] else "" for name in names), row["evidence"]]
        for row in rows
    ]
    return markdown(["Supposition", *names.values(), "Evidence"], cells)


TABLES: dict[str, Callable[[str], str]] = {
    each.__name__: each for each in (by_type, by_records, confusion, regret, claims, verdicts, reasons)
}


def at_a_glance() -> Figure:
    """Draw the normalized SHD of the advised methods against the number of records, a panel for each data type."""
    entries = sorted(advice.read_advice()["known"], key=lambda entry: entry["n"])
    names = {"Use": "best method", "With bins": "best method with bins", "Rule of thumb": "three equal-frequency bins"}
    panels = []
    for data_type, title in advice.TYPES.items():
        lines = []
        for key, name in names.items():
            choices = [
                (entry["n"], choice)
                for entry in entries
                if entry["type"] == data_type
                for choice in advice.choices(entry)
                if choice.title == key
            ]
            numbers = np.array([(n, choice.loss, choice.low, choice.high) for n, choice in choices], float)
            lines.append(Line(name, *numbers.T))
        panels.append(Panel(title, lines, "records"))
    title = "Normalized SHD of the best method, the best with bins and a rule of thumb, by data type"
    figure = rows_of_lines(panels, ylabel="SHD / true edges (1: no edges)", title=title, columns=3, height=1.6)
    for axes in figure.axes:
        axes.set_xscale("log")
        axes.set_xticks([100, 500, 5000], ["100", "500", "5000"])
        axes.minorticks_off()
    return figure


def main() -> None:
    """Make the tables of all pages and the figure anew."""
    save(at_a_glance(), FIGURE)
    for path in pages():
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()

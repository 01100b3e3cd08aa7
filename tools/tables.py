"""Write the tables of README and docs between their marks, from data/: `uv run tools/tables.py`.

A page has `<!-- table NAME ARGUMENT -->` and `<!-- /table -->`; what stands between them is made anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pyarrow.parquet as pq

from cutpoint.bench.data.meanings import MEANINGS
from cutpoint.bench.engine.declaration import study_names
from cutpoint.bench.report.page import field_rows
from cutpoint.bench.report.study import GRADES, IN_PART
from cutpoint.data.csv_files import read_csv

ROOT = Path(__file__).parents[1]
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


def field(_: str) -> str:
    """Return what to use on data of each type, a row for each, with few and many records side by side."""
    rows = field_rows()
    return markdown([*rows[0]], [[*row.values()] for row in rows])


def kept(name: str) -> str:
    """Return a kept table of the study field2026, as `tools/field.py` wrote it."""
    rows = read_csv(ROOT / f"data/results/{name}.csv")
    return markdown([*rows[0]], [[*row.values()] for row in rows])


def columns(study: str) -> str:
    """Return the columns of the kept runs of a study."""
    schema = pq.read_schema(ROOT / f"data/results/{study}.parquet")
    cells = [[f"`{field.name}`", str(field.type), MEANINGS[field.name]] for field in schema]
    return markdown(["column", "type", "meaning"], cells)


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
    each.__name__: each for each in (field, kept, columns, claims, verdicts, reasons)
}


def main() -> None:
    """Make the tables of all pages anew."""
    for path in pages():
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()

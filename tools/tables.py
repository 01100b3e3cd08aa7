"""Write the tables of README and docs between their marks, from data/: `uv run tools/tables.py`.

A page has `<!-- table NAME ARGUMENT -->` and `<!-- /table -->`; what stands between them is made anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path

import published
import pyarrow.parquet as pq

from cutpoint.bench.artefacts.closeness import WHOLE, held
from cutpoint.bench.artefacts.closeness import closeness as rows_of
from cutpoint.bench.data.meanings import GROUPS
from cutpoint.bench.data.metrics import METRICS, possible
from cutpoint.bench.data.schemas import ALL_RUNS
from cutpoint.bench.engine.declaration import study_names
from cutpoint.bench.report.page import field_rows
from cutpoint.bench.report.study import GRADES, IN_PART
from cutpoint.data.csv_files import read_csv

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "data" / "results"
MARKED = re.compile(r"(<!-- table (\w+) ?(\w*) -->\n).*?(<!-- /table -->)", re.DOTALL)


def pages() -> list[Path]:
    """Return the pages that have such tables."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in files if MARKED.search(path.read_text(encoding="utf-8"))]


def filled(text: str, tables: Mapping[str, Callable[[str], str]]) -> str:
    """Return a page with its tables made anew."""
    return MARKED.sub(lambda mark: f"{mark[1]}\n{tables[mark[2]](mark[3])}\n\n{mark[4]}", text)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def field(_: str) -> str:
    """Return whether to discretize data of each type, a row for each, with a column for each number of records."""
    rows = field_rows()
    return markdown([*rows[0]], [[*row.values()] for row in rows])


def kept(name: str) -> str:
    """Return a kept table of the study field2026, as `tools/field.py` wrote it."""
    rows = read_csv(RESULTS / f"{name}.csv")
    return markdown([*rows[0]], [[*row.values()] for row in rows])


def bins(_: str) -> str:
    """Return the normalized SHD by number of bins, way to make them and number of records, on the data sets of all."""
    ways = {"equal frequency": ("eqfreq3", "equal_frequency"), "equal width": ("eqwidth3", "equal_width")}
    ways["k-means"] = ("kmeans3", "kmeans")
    rows = {
        f"{count}, {way}": three if count == 3 else f"levels{count}.{name}"
        for way, (three, name) in ways.items()
        for count in (2, 3, 5)
    }
    data, parts = ["network", "replicate", "n", "noise"], ["method", "shd_standard", "true_edges"]
    runs = pq.read_table(RESULTS / "field2026.parquet", columns=data + parts).to_pandas()
    runs = runs[runs["method"].isin(rows.values())]
    runs = runs[runs.groupby(data)["method"].transform("nunique") == len(rows)]
    runs["loss"] = (runs["shd_standard"] / runs["true_edges"]).fillna(1)  # a failed run counts as the empty graph
    means = runs.groupby(["method", "n", "network"])["loss"].mean().groupby(["method", "n"]).mean().unstack("n")
    cells = [[head, *(f"{mean:.2f}" for mean in means.loc[method])] for head, method in rows.items()]
    return markdown(["Bins", *(f"N = {n:,}" for n in means.columns)], cells)


def columns(_: str) -> str:
    """Return the columns of the table of all runs, group by group."""
    types, parts = {each.name: str(each.type) for each in ALL_RUNS}, []
    for title, group in GROUPS.items():
        measured = {*group} <= {*METRICS}
        heads = ["column", "type", *(["unit", "range", "better"] if measured else []), "meaning"]
        cells = [
            [
                f"`{name}`",
                types[name],
                *([METRICS[name].unit, _range(name), METRICS[name].better] if measured else []),
                text,
            ]
            for name, text in group.items()
        ]
        parts += [f"### {title}", markdown(heads, cells)]
    return "\n\n".join(parts)


def _range(name: str) -> str:
    low, high = (f"{end:g}" if isfinite(end) else "" for end in possible(name))
    return f"{low} to {high}" if high else f"from {low}" if low else "any"


def ours(study: str) -> str:
    """Return a kept table of a study: our numbers with their intervals, and in italics the published ones."""
    rows = [row for row in read_csv(RESULTS / "findings.csv") if row["study"] == study]
    heads = [*dict.fromkeys(row["column"] for row in rows)]
    lines: dict[str, dict[str, str]] = {}
    for row in rows:
        lines.setdefault(row["label"], dict.fromkeys(heads, ""))[row["column"]] = _cell(row)
    return markdown(["", *heads], [[label, *line.values()] for label, line in lines.items() if any(line.values())])


def _cell(row: dict[str, str]) -> str:
    try:
        size = abs(float(row["reproduced"] or 0))
    except ValueError:
        return row["reproduced"]  # words
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 3
    value, low, high = (f"{float(row[key]):.{digits}f}" if row[key] else "" for key in ("reproduced", "low", "high"))
    interval = f" [{low}, {high}]" if low and high else ""
    published = row["published"]
    with suppress(ValueError):
        published = f"{float(published):.4g}"
    return f"{value}{interval}" + (f" *{published}*" if published else "")


def claims(study: str) -> str:
    """Return the claims of a study with their verdicts and those on their inequalities."""
    rows = [row for row in read_csv(RESULTS / "claims.csv") if row["study"] == study]
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
    rows = [row for row in read_csv(RESULTS / "claims.csv") if row["source"] == source and not row["part"]]
    rows = [row for row in rows if row["study"] in study_names()]
    graded = [(row["study"], IN_PART if " of " in row["verdict"] else row["verdict"]) for row in rows]
    grades = [grade for grade in GRADES if any(grade == verdict for _, verdict in graded)]
    counts = Counter(graded)
    studies = list(dict.fromkeys(study for study, _ in graded))
    cells = [[f"`{study}`", *(str(counts[study, grade]) for grade in grades)] for study in studies]
    return markdown(["Study", *grades], cells)


def reasons(study: str) -> str:
    """Return published numbers beside ours, and ours under what is supposed of them."""
    rows = [row for row in read_csv(RESULTS / "explanations.csv") if row["study"] == study]
    names = {"published": "published", "ours": "ours", "supposed": "ours as supposed"}
    cells = [[row["reading"], *(f"{float(row[name]):.4g}" for name in names)] for row in rows]
    return markdown(["Supposition", *names.values()], cells)


def closeness(study: str) -> str:
    """Return how close the kept tables of a study are to print, or those of each study, and how many claims hold."""
    found = {name: rows_of(published.columns_of(name)) for name in ([study] if study else study_names())}
    said = {name: held([row for row in read_csv(RESULTS / "claims.csv") if row["study"] == name]) for name in found}
    if study:
        table = markdown([*found[study][0]], [[*row.values()] for row in found[study]]) if found[study] else ""
        return f"{table}\n\n{said[study]}".strip()
    whole = {name: row for name, rows in found.items() for row in rows if row["Table"] == WHOLE}
    heads = [head for row in whole.values() for head in row if head != "Table"]
    cells = [[f"`{name}`", *[*row.values()][1:], said[name]] for name, row in whole.items()]
    return markdown(["Study", *dict.fromkeys(heads), "Claims"], cells)


def everything(study: str) -> str:
    """Return all kept tables of a study, the best numbers in bold, published ones in italics."""
    return "\n\n".join(f"### {title}\n\n{_whole(rows)}" for title, rows in published.kept(study) if rows)


def _whole(rows: Sequence[dict[str, str]]) -> str:
    heads = published.headings(rows)
    return markdown([next(iter(rows[0])), *heads], [[next(iter(r.values())), *_cells(r, heads)] for r in rows])


def _cells(row: dict[str, str], heads: Sequence[str]) -> Iterable[str]:
    for head in heads:
        parts = published.parts(row, head)
        yield f"**{_cell(parts)}**" if parts["best"] else _cell(parts)


TABLES: dict[str, Callable[[str], str]] = {
    each.__name__: each for each in (field, kept, bins, columns, ours, claims, verdicts, reasons, closeness, everything)
}


def main() -> None:
    """Make the tables of all pages anew."""
    for path in pages():
        path.write_text(filled(path.read_text(encoding="utf-8"), TABLES), encoding="utf-8")


if __name__ == "__main__":
    main()

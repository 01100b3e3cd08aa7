"""Make docs/findings.md from a finished run: `uv run tools/snapshot.py FOLDER`; without a folder from kept numbers.

A number that the page states is looked up when the page is made, so that it cannot state what no run showed. The
numbers that it states are kept in data/results/findings.csv, with all digits of the tables, and the verdicts on all
claims and their inequalities in data/results/claims.csv. README gets the answer that it begins with. Beside them are
kept the answers of all studies (answers.csv)
and what explains printed numbers (explanations.csv), from which the site makes a page for each paper. Of the study
field2026 it keeps every run (field2026.parquet), with a page of the columns, and the table that `cutpoint.advise`
applies (data/advice.json).
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import answers
import pyarrow as pa
import pyarrow.parquet as pq
from cutpoint.bench.studies.field2026.decisions import advice_of
from cutpoint.bench.studies.field2026.losses import losses_of
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cutpoint.base.distribution import package_version
from cutpoint.base.errors import InputError
from cutpoint.base.text import listed
from cutpoint.bench.data import parquet
from cutpoint.bench.data.meanings import MEANINGS
from cutpoint.bench.engine.reading import read_inputs
from cutpoint.bench.report.artefacts import number, records
from cutpoint.data.csv_files import read_csv
from cutpoint.method.rows import method_rows
from cutpoint.networks.shipped import network_folder

KEYS = ("study", "table", "row", "column")
VALUES = ("published", "reproduced", "low", "high", "label")
NUMBERS = VALUES[:4]
WORDS = {"published": "published_text", "reproduced": "text"}  # where a table has words in place of a number
ANSWERS = ("study", "topic", "text")
EXPLANATIONS = ("study", "row", "label", "printed", "ours", "ours as supposed", "evidence")
CLAIMS = ("study", "claim", "part", "text", "verdict", "numbers", "source", "artefact", "note")
FIELD = "field2026"
UNKEPT = ("study", "cell", "dataset", "kgv_gain")  # what other columns say, or of real data
MOST_MB = 20
LEAD = re.compile(r"(<!-- lead -->)\n.*?(<!-- /lead -->)", re.DOTALL)
SAID = (answers.lead, answers.discretize, answers.new_networks, answers.mabrouk2015, answers.all_printed, answers.kinds)
Key = tuple[str, str, str, str]


class Numbers:
    """Numbers of tables and verdicts on claims, of a run or as kept; remembers which numbers were asked for.

    Args:
        rows: the cells of tables, with the columns KEYS and VALUES.
        claims: rows with the columns CLAIMS, each claim before its inequalities.
    """

    def __init__(self, rows: Iterable[Mapping[str, str]], claims: Iterable[Mapping[str, str]]):
        self.rows = {(row["study"], row["table"], row["row"], row["column"]): row for row in rows}
        self.verdicts = list(claims)
        self.claims = {(row["study"], row["claim"]): row for row in self.verdicts if not row["part"]}
        self.used: set[Key] = set()

    def value(self, study: str, table: str, row: str, column: str, *, what: str = "reproduced", digits: int = 2) -> str:
        """Return a number of a table as text.

        Raises:
            InputError: the table has no such number.
        """
        key = (study, table, row, column)
        try:
            text = number(float(self.rows[key][what]), digits)
        except (KeyError, ValueError):
            raise InputError(f"no number {what} in {study}, {table}, row {row!r}, column {column!r}") from None
        self.used.add(key)
        return text

    def text(self, study: str, table: str, row: str, column: str, *, what: str = "reproduced") -> str:
        """Return what a table says in words.

        Raises:
            InputError: the table says nothing there.
        """
        key = (study, table, row, column)
        if not self.rows.get(key, {}).get(what):
            raise InputError(f"no words in {study}, {table}, row {row!r}, column {column!r}")
        self.used.add(key)
        return self.rows[key][what]

    def cells(self, study: str, table: str) -> dict[tuple[str, str], Mapping[str, str]]:
        """Return the cells of a whole table by row and column, in its order."""
        found = {key: row for key, row in self.rows.items() if key[:2] == (study, table)}
        self.used.update(found)
        return {(row, column): cell for (_, _, row, column), cell in found.items()}

    def spread(self, study: str, table: str, row: str, column: str, *, digits: int = 2) -> str:
        """Return a number with its interval, "1.04 [0.98, 1.10]", or alone where it has none."""
        if not self.rows.get((study, table, row, column), {}).get("low"):
            return self.value(study, table, row, column, digits=digits)
        middle, low, high = (self.value(study, table, row, column, what=what, digits=digits) for what in NUMBERS[1:])
        return f"{middle} [{low}, {high}]"

    def below(self, methods: Sequence[str], column: str) -> int:
        """Return of how many methods of fu2005 the interval of SHD over that of Bach ends below 1."""
        return sum(
            float(self.value("fu2005", "table_V-4", each, column, what="high", digits=6)) < 1 for each in methods
        )

    def table(self, study: str, table: str, key: str, across: str = "") -> str:
        """Return a table of words as Markdown, its first column called `key`; with `across` rows become columns."""
        words = self.cells(study, table)
        rows, columns = (list(dict.fromkeys(each[k] for each in words)) for k in (0, 1))
        names = {row: next(words[row, column] for column in columns).get("label") or row for row in rows}
        text = {place: cell["reproduced"] or "none is named" for place, cell in words.items()}
        head, lines = [key, *columns], [[names[row], *(text[row, column] for column in columns)] for row in rows]
        if across:
            head = [across, *(names[row] for row in rows)]
            lines = [[column, *(text[row, column] for row in rows)] for column in columns]
        return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *lines))

    def verdict(self, study: str, claim: str) -> str:
        """Return the verdict on a claim.

        Raises:
            InputError: the study has no such claim.
        """
        if (study, claim) not in self.claims:
            raise InputError(f"no claim {claim!r} of {study}")
        return self.claims[study, claim]["verdict"]

    def inequalities(self, study: str, claim: str) -> str:
        """Return what became of the inequalities of a claim: "3 hold and 2 are contradicted"."""
        return answers.shares(
            row for row in self.verdicts if (row["study"], row["claim"]) == (study, claim) and row["part"]
        )

    def count(self, source: str) -> str:
        """Say how many claims of papers, or of ours, got which grade, and what became of their inequalities."""
        return answers.verdict([row for row in self.verdicts if row["source"] == source])

    def write(self, folder: Path) -> None:
        """Write the numbers that were asked for, in the order of their tables, and all claims."""
        folder.mkdir(parents=True, exist_ok=True)
        found = [[*key, *(self.rows[key][name] for name in VALUES)] for key in self.rows if key in self.used]
        claims = [[row[name] for name in CLAIMS] for row in self.verdicts]
        for name, fields, rows in (("findings", (*KEYS, *VALUES), found), ("claims", CLAIMS, claims)):
            (folder / f"{name}.csv").write_text(records(fields, rows), encoding="utf-8")


def kept(folder: Path) -> Numbers:
    """Return the numbers that were kept in a folder."""
    return Numbers(read_csv(folder / "findings.csv"), read_csv(folder / "claims.csv"))


def of_run(folder: Path) -> Numbers:
    """Return the numbers of all studies of a finished run.

    Args:
        folder: with ``results/``.

    Raises:
        InputError: no results.
    """
    studies = sorted(path.parent for path in folder.glob("results/*/claims.csv"))
    if not studies:
        raise InputError(f"{folder}: no results/STUDY/claims.csv; run the studies first")
    claims = [row for study in studies for row in read_csv(study / "claims.csv")]
    return Numbers((cell for study in studies for cell in _cells(study)), claims)


def _cells(study: Path) -> Iterable[dict[str, str]]:
    for path in sorted((study / "tables").glob("*.csv")):
        for row in read_csv(path):
            key = (study.name, path.stem, row[next(iter(row))], row["column"])
            said = {name: row[name] or row[words] for name, words in WORDS.items()}
            yield dict(zip(KEYS, key, strict=True)) | {name: row[name] for name in VALUES} | said


def keep_words(folder: Path, data: Path) -> None:
    """Keep what the studies of a run answer, and what they suppose of printed numbers."""
    answers = [
        [path.parent.name, *row.values()] for path in _of_studies(folder, "answers.csv") for row in read_csv(path)
    ]
    supposed = [row for path in _of_studies(folder, "tables/table_explanations.csv") for row in _explanations(path)]
    for name, fields, rows in (("answers", ANSWERS, answers), ("explanations", EXPLANATIONS, supposed)):
        (data / f"{name}.csv").write_text(records(fields, rows), encoding="utf-8")


def _of_studies(folder: Path, name: str) -> list[Path]:
    return sorted((folder / "results").glob(f"*/{name}"))


def _explanations(path: Path) -> Iterable[list[str]]:
    """Yield the suppositions of a study, each with its numbers and the sentence beside them in one row."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for cell in read_csv(path):
        found.setdefault((cell["supposition"], cell["label"]), {})[cell["column"]] = cell["reproduced"] or cell["text"]
    for names, said in found.items():
        yield [path.parents[1].name, *names, *(said[column] for column in EXPLANATIONS[3:])]


def keep_field(folder: Path, data: Path, docs: Path) -> None:
    """Keep the runs of the study field2026, their columns and the advice that follows from them.

    Raises:
        InputError: the file of the runs is larger than `MOST_MB`.
    """
    metrics, networks = folder / "results" / FIELD / "metrics.parquet", folder / "results" / FIELD / "networks"
    table, about = parquet.read_table(metrics)
    table = table.drop_columns([name for name in table.column_names if name in UNKEPT or not _has_values(table[name])])
    floats = [pa.field(f.name, pa.float32()) if pa.types.is_float64(f.type) else f for f in table.schema]
    table, path = table.cast(pa.schema(floats)), data / f"{FIELD}.parquet"
    pq.write_table(table, path, compression="zstd", compression_level=19)
    if path.stat().st_size > MOST_MB * 1e6:
        raise InputError(f"{path}: {path.stat().st_size / 1e6:.1f} MB; at most {MOST_MB} MB are kept")
    scale, seed = str(about["scale"]), int(about["seed"])
    (docs / f"{FIELD}-data.md").write_text(_schema_page(table, scale, seed, path.stat().st_size), encoding="utf-8")
    rows = method_rows()
    methods = [{"name": name, **rows[name]} for name in dict.fromkeys(table["method"].to_pylist())]
    known = {path.stem: path for path in [*network_folder().glob("*.bif"), *networks.rglob("*.bif")]}
    inputs = read_inputs(
        FIELD, metrics=metrics, networks=[*known.values()], built_in_jobs=(), methods=methods, scale=scale, seed=seed
    )
    advice = advice_of(losses_of(inputs), scale=scale, seed=seed, version=package_version())
    (data.parent / "advice.json").write_text(json.dumps(advice, indent=1) + "\n", encoding="utf-8")


def _has_values(column: pa.ChunkedArray) -> bool:
    return column.null_count < len(column)


def _schema_page(table: pa.Table, scale: str, seed: int, size: int) -> str:
    """Return the page that says what the columns of the kept runs are."""
    networks, grids = len(set(table["network"].to_pylist())), sorted(set(table["grid"].to_pylist()))
    runs = f"{table.num_rows:,} runs of the study `{FIELD}`, {scale} scale, seed {seed}, {size / 1e6:.1f} MB"
    return "\n".join(
        [
            "# The runs of field2026",
            "",
            f"`data/results/{FIELD}.parquet` has a row for each of {runs}.",
            f"It has {networks} networks, and of the grids of the study {listed(grids)}.",
            "Key: `grid`, `network`, `replicate`, `n`, `noise`, `method`; the last is a row of `config/methods.yaml`.",
            "Numbers have single precision; what does not apply is null. In Python `pyarrow.parquet.read_table` reads",
            "it, in R `arrow::read_parquet`.",
            "",
            "| column | type | meaning |",
            "| --- | --- | --- |",
            *(f"| `{field.name}` | {field.type} | {MEANINGS[field.name]} |" for field in table.schema),
            "",
        ]
    )


def page(numbers: Numbers) -> str:
    """Return the page as Markdown.

    Raises:
        InputError: a number that the page states is missing.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("findings.md.j2").render(run=numbers, tell=answers)


def with_lead(text: str, numbers: Numbers) -> str:
    """Return a page that is read as it stands with its answer, between two marks, made anew."""
    return LEAD.sub(lambda found: f"{found[1]}\n{answers.lead(numbers)}\n\n{answers.basis()}\n{found[2]}", text)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, and with a folder the kept numbers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="with results/ of a finished run")
    parser.add_argument("--field", metavar="FOLDER", type=Path, help=f"with results/{FIELD}: keep its runs alone")
    parser.add_argument("--data", type=Path, default=Path("data", "results"), help="default %(default)s")
    parser.add_argument("--page", type=Path, default=Path("docs", "findings.md"), help="default %(default)s")
    options = parser.parse_args(arguments)
    try:
        if options.field:
            keep_field(options.field, options.data, options.page.parent)
            return
        numbers = of_run(options.folder) if options.folder else kept(options.data)
        if options.folder and (options.folder / "results" / FIELD).exists():
            keep_field(options.folder, options.data, options.page.parent)  # first, for pages tell of it
        options.page.write_text(page(numbers), encoding="utf-8")
        for say in SAID:
            say(numbers)  # what other pages say of them is kept as well
        readme = options.page.resolve().parents[1] / "README.md"
        if readme.exists():
            readme.write_text(with_lead(readme.read_text(encoding="utf-8"), numbers), encoding="utf-8")
        if options.folder:
            numbers.write(options.data)
            keep_words(options.folder, options.data)
            for picture in (options.folder / "results").glob("at_a_glance*.svg"):
                shutil.copy(picture, options.page.parent / "images" / picture.name)
    except InputError as problem:
        sys.exit(f"snapshot: {problem}")


if __name__ == "__main__":
    main()

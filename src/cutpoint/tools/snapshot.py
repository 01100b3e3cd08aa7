"""The numbers of a finished run in a few CSV files, and pages of the documentation made from them.

A number that a page states is looked up when the page is made, so that no page can say what no run found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from cutpoint.base.errors import InputError
from cutpoint.data.csv_files import read_csv
from cutpoint.data.parquet import read_records
from cutpoint.data.schemas import METRICS
from cutpoint.report.artefacts import number, records
from cutpoint.report.costs import by_rule

NUMBERS = ("study", "table", "row", "column", "published", "reproduced", "low", "high")
CLAIMS = ("study", "claim", "text", "verdict", "share", "artefact")
RUNS = ("study", "scale", "method", "status", "runs", "seconds")
RULES = ("study", "rule", "jobs", "wall")
ANSWERS = ("study", "topic", "text")
FILES = {"numbers": NUMBERS, "claims": CLAIMS, "runs": RUNS, "rules": RULES, "answers": ANSWERS}
PAGES = ("results", "findings")
DIGITS = 6  # kept of a number


def take(folder: Path, target: Path) -> list[str]:
    """Write the numbers of the studies whose results stand in a folder.

    Args:
        folder: that results/ and logs/ stand in.
        target: folder of the CSV files, one for each of FILES.

    Returns:
        The studies found.

    Raises:
        InputError: when there are no results.
    """
    studies = sorted(path.parent for path in folder.glob("results/*/claims.csv"))
    if not studies:
        raise InputError(f"{folder}: no results/STUDY/claims.csv; run the studies first")
    found: dict[str, list[list[Any]]] = {name: [] for name in FILES}
    for study in studies:
        found["numbers"] += _numbers(study)
        claims = [row for row in read_csv(study / "claims.csv") if not row["part"]]
        found["claims"] += [[row[name] for name in CLAIMS] for row in claims]
        found["runs"] += _runs(study)
        rules = by_rule(folder / "logs" / "benchmarks" / study.name)
        found["rules"] += [[study.name, row["rule"], row["jobs"], f"{row['wall']:.1f}"] for row in rules]
        found["answers"] += [[study.name, row["topic"], row["text"]] for row in read_csv(study / "answers.csv")]
    target.mkdir(parents=True, exist_ok=True)
    for name, fields in FILES.items():
        (target / f"{name}.csv").write_text(records(fields, found[name]), encoding="utf-8")
    return [study.name for study in studies]


def _numbers(study: Path) -> Iterable[list[Any]]:
    for path in sorted((study / "tables").glob("*.csv")):
        for row in read_csv(path):
            key = row[next(iter(row))]
            values = [_rounded(row[name]) for name in NUMBERS[4:]]
            if any(values):
                yield [study.name, path.stem, key, row["column"], *values]


def _rounded(text: str) -> str:
    try:
        return f"{float(text):.{DIGITS}g}"
    except ValueError:
        return text


def _runs(study: Path) -> Iterable[list[Any]]:
    path = study / "metrics.parquet"
    if not path.exists():
        return
    rows, about = read_records(path, METRICS)
    counts = Counter((row["method"], row["status"]) for row in rows)
    seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        seconds[row["method"], row["status"]] += row["seconds"] or 0.0
    for (method, status), count in sorted(counts.items()):
        yield [study.name, about["scale"], method, status, count, f"{seconds[method, status]:.4g}"]


@dataclass(frozen=True)
class Snapshot:
    """The numbers of a run as they are kept."""

    folder: Path

    @cached_property
    def _numbers(self) -> dict[tuple[str, str, str, str], Mapping[str, str]]:
        rows = read_csv(self.folder / "numbers.csv")
        return {(row["study"], row["table"], row["row"], row["column"]): row for row in rows}

    @cached_property
    def claims(self) -> dict[tuple[str, str], Mapping[str, str]]:
        """The claims by study and name."""
        return {(row["study"], row["claim"]): row for row in read_csv(self.folder / "claims.csv")}

    @cached_property
    def runs(self) -> list[dict[str, str]]:
        """How the runs of each study and method ended, with the sum of their CPU seconds."""
        return read_csv(self.folder / "runs.csv")

    @cached_property
    def rules(self) -> list[dict[str, str]]:
        """Jobs and wall seconds by study and rule."""
        return read_csv(self.folder / "rules.csv")

    @cached_property
    def answers(self) -> list[dict[str, str]]:
        """What each study answers."""
        return read_csv(self.folder / "answers.csv")

    @property
    def studies(self) -> list[str]:
        """The names of the studies, in the order of the files."""
        return list(dict.fromkeys(study for study, *_ in [*self._numbers, *self.claims]))

    def raw(self, study: str, table: str, row: str, column: str, what: str = "reproduced") -> float:
        """Return a number of a table.

        Raises:
            InputError: for a number that is not there.
        """
        try:
            return float(self._numbers[study, table, row, column][what])
        except (KeyError, ValueError):
            raise InputError(f"no number {what} in {study}, {table}, row {row!r}, column {column!r}") from None

    def value(self, study: str, table: str, row: str, column: str, *, what: str = "reproduced", digits: int = 2) -> str:
        """Return a number of a table as text; see `raw`."""
        return number(self.raw(study, table, row, column, what), digits)

    def spread(self, study: str, table: str, row: str, column: str, *, digits: int = 2) -> str:
        """Return "1.04 [0.98, 1.10]"."""
        texts = [
            self.value(study, table, row, column, what=what, digits=digits) for what in ("reproduced", "low", "high")
        ]
        return "{} [{}, {}]".format(*texts)

    def verdict(self, study: str, claim: str) -> str:
        """Return the verdict on a claim.

        Raises:
            InputError: for an unknown claim.
        """
        if (study, claim) not in self.claims:
            raise InputError(f"no claim {claim!r} of {study}")
        return self.claims[study, claim]["verdict"]

    def count(self, verdict: str, study: str = "") -> int:
        """Return how many claims got a verdict, of one study or of all."""
        return sum(row["verdict"] == verdict and study in ("", row["study"]) for row in self.claims.values())

    def printed(self, study: str) -> dict[str, list[Mapping[str, str]]]:
        """Return the numbers that stand beside a printed one, by table."""
        found: dict[str, list[Mapping[str, str]]] = {}
        for (name, table, *_), row in self._numbers.items():
            if name == study and row["published"] and row["reproduced"]:
                found.setdefault(table, []).append(row)
        return found


def page(name: str, snapshot: Snapshot) -> str:
    """Return a page of the documentation as Markdown.

    Args:
        name: one of PAGES.
        snapshot: the numbers.

    Raises:
        InputError: for a number that the page wants and the run does not have.
    """
    environment = Environment(
        loader=PackageLoader("cutpoint"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    return environment.get_template(f"pages/{name}.md.j2").render(run=snapshot)

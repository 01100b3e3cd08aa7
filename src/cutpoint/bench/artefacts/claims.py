"""Claims: named lists of inequalities on reproduced numbers, each judged by a test with a margin."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cutpoint.bench.artefacts.table import RunScale, number, records
from cutpoint.bench.statistics.verdicts import Judgement

FIELDS = (
    "study", "claim", "part", "text", "verdict", "numbers", "source", "implementation", "artefact", "note",
    "scale", "seed", "replicates",
)  # fmt: skip
PAPER, OURS = "paper", "ours"  # who says it


@dataclass(frozen=True)
class Judged:
    """A claim with its grade and the verdicts on its inequalities, which are shown also where it cannot be tested."""

    name: str  # of the claim
    text: str  # what a paper says, or we expect, in words
    artefact: str  # the table or figure to look at
    judgement: Judgement  # the grade, and the verdict on each inequality
    implementation: bool = False  # whether it rests on run time or calls of other programs, and cannot be tested here
    source: str = PAPER  # PAPER or OURS
    labels: Mapping[str, str] = field(default_factory=dict)  # what methods are called


def numbers_text(
    numbers: Mapping[str, float], intervals: Mapping[str, tuple[float, float]], labels: Mapping[str, str]
) -> str:
    """Return "Bach = 1.00; Steck2 = 1.02 [0.95, 1.09]", of numbers by name of a method or of something else."""
    parts = (
        _number_text(labels.get(name, name), value, intervals.get(name, (math.nan, math.nan)))
        for name, value in numbers.items()
    )
    return "; ".join(parts)


def _number_text(name: str, value: float, ends: tuple[float, float]) -> str:
    low, high = map(number, ends)
    return f"{name} = {number(float(value)) or 'not available'}" + (f" [{low}, {high}]" if low and high else "")


def to_csv(study: str, judged: Sequence[Judged], scale: RunScale) -> str:
    """Return judgements as CSV: a row for each claim (part empty), followed by one for each inequality.

    The verdict of a claim is its grade, and its note says how many inequalities are supported and which are not.
    """
    rows: list[list[object]] = []
    where = [scale.name, scale.seed, scale.replicates]
    for each in judged:
        judgement, fixed = each.judgement, [each.source, str(each.implementation).lower(), each.artefact]
        rows.append([study, each.name, "", each.text, judgement.grade, "", *fixed, judgement.summary, *where])
        for k, (part, verdict) in enumerate(zip(judgement.statements, judgement.verdicts, strict=True), 1):
            numbers = numbers_text(part.numbers, part.intervals, each.labels)
            rows.append([study, each.name, k, part.text, verdict, numbers, *fixed, "", *where])
    return records(FIELDS, rows)

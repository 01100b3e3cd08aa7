"""Printed numbers that we could not reproduce: print, ours, and ours under what is supposed, with what shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.declaration import ExplanationsTable, function
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.report.artefacts import Cell, Row

NOTHING = "no numbers"


@dataclass(frozen=True)
class Explanation:
    """A printed number beside ours and ours under a supposition; NaN where print or the runs have none.

    Attributes:
        printed, ours, supposed: the numbers.
        about: the numbers of the sentence that declares the evidence; without one of them it is left out.
    """

    printed: float
    ours: float
    supposed: float
    about: Mapping[str, Any] = field(default_factory=dict)


def content(inputs: Inputs, row: ExplanationsTable) -> Content:
    """Return the table of explanations that a study declares."""
    rows = []
    for name, each in row.rows.items():
        made = function(inputs.study, each.make)(inputs, **each.options)
        told = all(np.isfinite(value) if isinstance(value, float) else value != "" for value in made.about.values())
        evidence = Cell(each.evidence.format(**made.about)) if told else Cell(reason=NOTHING)
        numbers = (made.printed, "not printed"), (made.ours, NOTHING), (made.supposed, NOTHING)
        cells = [Cell(value, reason=why, digits=each.digits) for value, why in numbers]
        rows.append(Row(name, each.says, "", (*cells, evidence)))
    return Content("supposition", ("printed", "ours", "ours as supposed", "evidence"), rows)


def by_size(numbers: Mapping[Any, float], digits: int = 2) -> str:
    """Return numbers by sample size as text, such as "1.64 at N = 500, 1.91 at N = 1000"."""
    return ", ".join(f"{value:.{digits}f} at N = {n:g}" for n, value in numbers.items())

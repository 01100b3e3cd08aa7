"""The inequalities behind the claims of the study, decided over draws of data sets; all sample sizes unless said."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cutpoint.report.claims import Inequality
from cutpoint.studies.calibration import evidence
from cutpoint.studies.calibration.evidence import ADJACENCY, ALL_RECORDS, DIRECTION, EVERY, LABELS, Counted
from cutpoint.studies.claims import TIE, truth
from cutpoint.studies.inputs import Inputs

TRUE = 0.9  # share of true features among those with a confidence above 0.9
KINDS = tuple(kind for kind in LABELS if kind != ALL_RECORDS)
JACKKNIFE, HALVES, BOOTSTRAP = KINDS
Value = Callable[[Counted], np.ndarray]


def _labels(inputs: Inputs) -> dict[str, str]:
    """Return methods and their labels; all of them together where nothing was run."""
    return evidence.methods(inputs) or {EVERY: "all methods"}


def _of(found: Counted | None, value: Value) -> tuple[np.ndarray, int]:
    return (value(found), found.units) if found else (np.full(1, np.nan), 0)


def _trusted(inputs: Inputs, feature: str, records: int | None = None) -> list[Inequality]:
    parts = []
    for kind in KINDS:
        for method, label in _labels(inputs).items():
            share, units = _of(evidence.counted(inputs, feature, method, kind, records), lambda c: c.trusted)
            text = f"{label}, {LABELS[kind]}: of those above 0.9 at least {100 * TRUE:g} % are true"
            parts.append(Inequality(text, truth(share >= TRUE - TIE, share), {"share": float(share[0])}, units))
    return parts


def _less(inputs: Inputs, text: str, value: Value, less: str, more: str) -> list[Inequality]:
    """Say that a number is lower with one kind of resample than with another, for every method."""
    parts = []
    for method, label in _labels(inputs).items():
        both = [_of(evidence.counted(inputs, ADJACENCY, method, kind), value) for kind in (less, more)]
        (low, units), (high, _) = both
        numbers = {LABELS[kind]: float(draws[0]) for kind, (draws, _) in zip((less, more), both, strict=True)}
        parts.append(Inequality(f"{label}: {text}", truth(low < high - TIE, low, high), numbers, units))
    return parts


def c1(inputs: Inputs) -> list[Inequality]:
    """Return C1: high confidence in an adjacency can be trusted."""
    return _trusted(inputs, ADJACENCY)


def c2(inputs: Inputs) -> list[Inequality]:
    """Return C2: so it can with few records."""
    return _trusted(inputs, ADJACENCY, min(evidence.sizes(inputs), default=None))


def c3(inputs: Inputs) -> list[Inequality]:
    """Return C3: high confidence in a direction can be trusted."""
    return _trusted(inputs, DIRECTION)


def c4(inputs: Inputs) -> list[Inequality]:
    """Return C4: a jackknife that leaves out little overstates confidence."""
    text = "the bootstrap overstates less than leaving out 10 %"
    return _less(inputs, text, lambda c: c.overstated, BOOTSTRAP, JACKKNIFE)


def c5(inputs: Inputs) -> list[Inequality]:
    """Return C5: leaving out half of the records is better calibrated than leaving out a tenth."""
    text = "the calibration error is lower when 50 % are left out"
    return _less(inputs, text, lambda c: c.calibration, HALVES, JACKKNIFE)


def c6(inputs: Inputs) -> list[Inequality]:
    """Return C6: the jackknife is better calibrated than the bootstrap."""
    text = "the calibration error is lower when 10 % are left out"
    return _less(inputs, text, lambda c: c.calibration, JACKKNIFE, BOOTSTRAP)


def c7(inputs: Inputs) -> list[Inequality]:
    """Return C7: confidence ranks pairs better than a graph does."""
    return [
        part
        for kind in KINDS
        for part in _less(
            inputs, f"the AUC of the graph is below that of {LABELS[kind]}", lambda c: c.areas, ALL_RECORDS, kind
        )
    ]


def c8(inputs: Inputs) -> list[Inequality]:
    """Return C8: the records that the bootstrap repeats make graphs denser."""
    return _less(inputs, "the bootstrap gives more edges", lambda c: c.density, ALL_RECORDS, BOOTSTRAP)

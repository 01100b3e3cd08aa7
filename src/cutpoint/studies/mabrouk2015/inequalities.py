"""The inequalities behind the claims of Mabrouk 2015.

Only the printed methods take part, so that a user's own method changes no verdict. "Highest" and "lowest" allow a
tie. The thresholds say what "about" means: 10 and 40 % more TPR, at least 20 % less FPR, a ratio of 3 between 2 and 4
and one of 1 between 1/2 and 2. Sizes are those of the paper, at a smaller scale those that were run.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import numpy as np

from cutpoint.report.claims import Inequality
from cutpoint.studies.claims import TIE, Draws, at_most, below, draws_of, get, truth
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.mabrouk2015 import evidence
from cutpoint.studies.mabrouk2015.evidence import NETWORKS, OTHERS, PREDICTION_SIZES, PRINTED, REFERENCE, SHARES, SIZES
from cutpoint.studies.numbers import MEAN, Columns

TPR_FACTORS = {"ruichu": 1.10, "friedman_tabu": 1.40}
FPR_FACTOR = 0.80
TIMES = {"friedman_tabu": (2.0, 4.0), "ruichu": (0.5, 2.0)}
PRINTED_TIMES = (1000, 5000, 7500, 10000)
SACHS_WINS = 10, 12  # cells won of those printed
Found = tuple[Draws, int]


def _sizes(inputs: Inputs, printed: tuple[int, ...], columns: Columns) -> list[int]:
    """Return the printed sample sizes, at another scale than the paper's those of them that were run."""
    run = {name[1] if isinstance(name, tuple) else name for name in columns.names if name != MEAN}
    kept = [n for n in printed if n in run]
    return list(printed) if inputs.scale.name == "published" or not kept else kept


def _first(values: np.ndarray) -> float:
    return float(values[0])


def _ratio(over: np.ndarray, under: np.ndarray) -> float:
    return _first(over) / _first(under) if _first(under) else np.nan


def _best(text: str, found: Found, *, lowest: bool = False) -> Inequality:
    """Say that MGCD has the highest, or the lowest, number of the printed methods."""
    mine, theirs = get(found[0], [REFERENCE])[0], get(found[0], OTHERS)
    if lowest:
        part, rival, name = at_most(text, found, [REFERENCE], OTHERS), theirs.min(0), "lowest other"
    else:
        part, rival, name = at_most(text, found, OTHERS, [REFERENCE]), theirs.max(0), "highest other"
    named = {key: part.numbers[key] for key in PRINTED}
    return replace(part, numbers=named | {f"ratio to the {name}": _ratio(mine, rival)})


def _times(text: str, found: Found, other: str, *, least: float = 0.0, most: float | None = None) -> Inequality:
    """Say that the number of MGCD is at least, or at most, that of another method times a factor."""
    mine, theirs = get(found[0], [REFERENCE, other])
    holds = mine >= least * theirs - TIE
    if most is not None:
        holds &= mine <= most * theirs + TIE
    numbers = {REFERENCE: _first(mine), other: _first(theirs), "ratio": _ratio(mine, theirs)}
    return Inequality(text, truth(holds, mine, theirs), numbers, found[1])


def m1(inputs: Inputs) -> list[Inequality]:
    """Return M1: true positive rates."""
    rates = evidence.by_size(inputs, "tpr_mabrouk2015")
    parts = [
        _best(f"N = {n}: mgcd has the highest TPR", draws_of(inputs, rates, n)) for n in _sizes(inputs, SIZES, rates)
    ]
    found = draws_of(inputs, rates, MEAN)
    for other, factor in TPR_FACTORS.items():
        text = f"Mean TPR over N of mgcd is at least {factor:.2f} times that of {other}"
        parts.append(_times(text, found, other, least=factor))
    return parts


def m2(inputs: Inputs) -> list[Inequality]:
    """Return M2: false positive rates."""
    rates = evidence.by_size(inputs, "fpr_mabrouk2015")
    parts = [
        _best(f"N = {n}: mgcd has the lowest FPR", draws_of(inputs, rates, n), lowest=True)
        for n in _sizes(inputs, SIZES, rates)
    ]
    found = draws_of(inputs, rates, MEAN)
    for other in OTHERS:
        text = f"Mean FPR over N of mgcd is at most {FPR_FACTOR:.2f} times that of {other} (printed: 20 to 40 % lower)"
        parts.append(_times(text, found, other, most=FPR_FACTOR))
    return parts


def m3(inputs: Inputs) -> list[Inequality]:
    """Return M3: run times."""
    ratios = evidence.by_size(inputs, "seconds", REFERENCE)
    parts = []
    for n in _sizes(inputs, PRINTED_TIMES, ratios):
        draws, units = draws_of(inputs, ratios, n)
        for other, (low, high) in TIMES.items():
            ratio = get(draws, [other])[0]
            text = f"N = {n}: time of {other} is {low:g} to {high:g} times that of mgcd"
            holds = truth((ratio >= low - TIE) & (ratio <= high + TIE), ratio)
            parts.append(Inequality(text, holds, {f"ratio of {other}": _first(ratio)}, units))
    return parts


def _cells(inputs: Inputs, network: str) -> list[tuple[str, Found]]:
    """Return the sampled accuracies of every cell (share, N) of a network in Table 2."""
    columns = evidence.accuracy(inputs, "sampled", "network", "n", "share")
    listed = [(s, n) for s in SHARES for n in _sizes(inputs, PREDICTION_SIZES, columns)]
    methods = evidence.predicted(inputs)
    return [
        (f"{network.capitalize()}, {100 * s:.0f} %, N = {n}", draws_of(methods, columns, (network, n, s)))
        for s, n in listed
    ]


def m4(inputs: Inputs) -> list[Inequality]:
    """Return M4: predictions."""
    parts = [_best(f"{cell}: mgcd predicts best", found) for cell, found in _cells(inputs, "child")]
    won = [_best(cell, found) for cell, found in _cells(inputs, "sachs")]
    need = ceil(len(won) * SACHS_WINS[0] / SACHS_WINS[1])
    truths = np.array(np.broadcast_arrays(*(part.truth for part in won)))
    sure, possible = (truths == 1).sum(0), (truths != 0).sum(0)
    holds = np.where(sure >= need, 1.0, np.where(possible < need, 0.0, np.nan))
    numbers = {"cells won": float(sure[0])}
    numbers |= {f"{part.text}: ratio": part.numbers["ratio to the highest other"] for part in won}
    text = f"Sachs: mgcd predicts best in at least {need} of the {len(won)} cells"
    return [*parts, Inequality(text, holds, numbers, min(part.units or 0 for part in won))]


def m5(inputs: Inputs) -> list[Inequality]:
    """Return M5: more records and more observations help."""
    by_size, by_share = (evidence.accuracy(inputs, "sampled", "network", key) for key in ("n", "share"))
    listed = _sizes(inputs, PREDICTION_SIZES, by_size)
    methods, parts = evidence.predicted(inputs), []
    sizes = [f"N = {n}" for n in (listed[0], listed[-1])]
    for network in NETWORKS:
        for columns, ends, named, text in (
            (by_size, (listed[0], listed[-1]), sizes, f"with {sizes[1]} than with {sizes[0]}"),
            (by_share, (SHARES[0], SHARES[-1]), ["30 %", "100 %"], "with the whole blanket than with 30 % of it"),
        ):
            found = [draws_of(methods, columns, (network, end)) for end in ends]
            low, high = np.broadcast_arrays(*(get(draws, PRINTED).mean(0) for draws, _ in found))
            part = below(
                f"{network.capitalize()}: mean accuracy over the methods is higher {text}",
                (dict(zip(named, (low, high), strict=True)), min(units for _, units in found)),
                named[:1],
                named[1:],
            )
            parts.append(replace(part, numbers={**part.numbers, "ratio": _ratio(high, low)}))
    return parts

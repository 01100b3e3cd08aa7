"""What the design of the methods hopes for, decided over bootstrap draws of the replicates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from cutpoint.report.claims import Claim, Inequality
from cutpoint.studies.claims import TIE, get, truth
from cutpoint.studies.growth import evidence
from cutpoint.studies.growth.evidence import RECORDS, VARIABLES, Axis
from cutpoint.studies.inputs import Inputs

GREEDY = ("friedman2", "friedman3", "monti2", "monti3", "steck2", "steck3")
EXACT = ("friedman_exact3", "monti_exact3", "steck_exact3")
BINNED = ("eqfreq2", "eqfreq3", "eqwidth2", "eqwidth3")
MABROUK = ("mgcd", "ruichu")
SEARCHES = (*BINNED, "hartemink", *GREEDY, "bach")
OPTIMUM = "search.equal_frequency.bdeu.exact"


def exponents(inputs: Inputs, axis: Axis) -> dict[str, np.ndarray]:
    """Return the exponents of every method in all draws."""
    found = evidence.fitted(inputs, axis).exponent
    return {m.name: found[:, i] for i, m in enumerate(inputs.methods)}


def within(inputs: Inputs, axis: Axis, methods: Sequence[str], high: float, low: float = -np.inf) -> list[Inequality]:
    """Say of every method that its exponent lies in a range."""
    draws, labels = exponents(inputs, axis), {m.name: m.label for m in inputs.methods}
    bounds = f"at most {high:g}" if np.isneginf(low) else f"from {low:g} to {high:g}"
    units = evidence.units(inputs, axis)
    found = []
    for name in methods:
        mine = get(draws, [name])[0]
        with np.errstate(invalid="ignore"):
            inside = truth((mine >= low - TIE) & (mine <= high + TIE), mine)
        text = f"{labels.get(name, name)} grows with the {axis.text} to a power of {bounds}"
        found.append(Inequality(text, inside, {name: float(mine[0])}, units))
    return found


def steepest(inputs: Inputs) -> list[Inequality]:
    """Say that the exponent in variables of the exact search is above those of all greedy ones."""
    draws, labels = exponents(inputs, VARIABLES), {m.name: m.label for m in inputs.methods}
    units, mine = evidence.units(inputs, VARIABLES), get(draws, [OPTIMUM])[0]
    found = []
    for name in SEARCHES:
        other = get(draws, [name])[0]
        numbers = {OPTIMUM: float(mine[0]), name: float(other[0])}
        with np.errstate(invalid="ignore"):
            above = truth(mine > other + TIE, mine, other)
        found.append(Inequality(f"the exact search grows faster than {labels.get(name, name)}", above, numbers, units))
    return found


CLAIMS: dict[str, Claim] = {
    "G1": Claim(
        "Integrated methods with greedy thresholds grow with the records at most to the power 1.3, since one sweep "
        "scores all candidates of a variable.",
        "table_exponents",
        partial(within, axis=RECORDS, methods=GREEDY, high=1.3),
        implementation=True,
    ),
    "G2": Claim(
        "Exact thresholds grow about quadratically with the records: to a power from 1.6 to 2.4.",
        "table_exponents",
        partial(within, axis=RECORDS, methods=EXACT, low=1.6, high=2.4),
        implementation=True,
    ),
    "G3": Claim(
        "Gaussian mixtures, MGCD and Ruichu, grow with the records at most to the power 1.1: a pass over the records "
        "costs the same for each.",
        "table_exponents",
        partial(within, axis=RECORDS, methods=MABROUK, high=1.1),
        implementation=True,
    ),
    "G4": Claim(
        "Binning before a search, and Bach's score, grow with the records at most in proportion.",
        "table_exponents",
        partial(within, axis=RECORDS, methods=(*BINNED, "bach"), high=1.0),
        implementation=True,
    ),
    "G5": Claim(
        "Greedy searches grow with the variables at most to the power 2.5: all pairs are scored once, then only what a "
        "move touched.",
        "table_exponents",
        partial(within, axis=VARIABLES, methods=SEARCHES, high=2.5),
        implementation=True,
    ),
    "G6": Claim(
        "The exact search grows faster with the variables than every greedy one.",
        "table_exponents",
        steepest,
        implementation=True,
    ),
}

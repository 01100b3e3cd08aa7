"""The inequalities behind the claims of Fu 2005.

Only the printed methods take part, so that a user's own method changes no verdict.
"""

from __future__ import annotations

import numpy as np

from cutpoint.report.claims import Inequality
from cutpoint.statistics.draws import cell_means
from cutpoint.studies.columns import MEAN
from cutpoint.studies.fu2005 import evidence
from cutpoint.studies.fu2005.evidence import (
    BINNINGS,
    DIRECT,
    FRIEDMAN,
    INTEGRATED,
    MONTI,
    PREDISCRETIZATIONS,
    PRINTED,
    SIZES,
    STECK,
)
from cutpoint.studies.inequalities import Draws, at_most, below, best, draws_of, get, others, truth
from cutpoint.studies.inputs import Inputs, grid

SIGMAS = (0.30, 0.35, 0.40)
COMPARABLE = 0.1  # of the reference's distance, in claim F6


def size(inputs: Inputs, metric: str, n: object, reference: str = "bach") -> tuple[Draws, int]:
    """Return a normalised metric at one N, or its mean over N."""
    return draws_of(inputs, evidence.by_size(inputs, metric, reference), n)


def _best_prediscretization(found, when: str) -> Inequality:
    rest = others(PREDISCRETIZATIONS, "eqwidth3")
    return at_most(f"{when}: eqwidth3 has the lowest SHD of the prediscretizations", found, ["eqwidth3"], rest)


def f1(inputs: Inputs) -> list[Inequality]:
    """Return F1: quality at N = 500."""
    found = size(inputs, "shd_fu2005", 500)
    lowest = ("bach", "steck2")
    text = "N = 500: bach and steck2 have the two lowest SHDs of all methods"
    return [at_most(text, found, lowest, others(PRINTED, *lowest)), _best_prediscretization(found, "N = 500")]


def f2(inputs: Inputs) -> list[Inequality]:
    """Return F2: quality at N = 1000."""
    found = size(inputs, "shd_fu2005", 1000)
    return [
        at_most("N = 1000: SHD of monti3 is at or below that of bach", found, ["monti3"], ["bach"]),
        _best_prediscretization(found, "N = 1000"),
    ]


def f3(inputs: Inputs) -> list[Inequality]:
    """Return F3: quality at N = 5000."""
    found = size(inputs, "shd_fu2005", 5000)
    names = ("eqwidth3", "friedman3", "monti3", "steck2", "steck3")
    return [below(f"N = 5000: SHD of {name} is below that of bach", found, [name], ["bach"]) for name in names]


def f4(inputs: Inputs) -> list[Inequality]:
    """Return F4: quality over all sample sizes."""
    found = size(inputs, "shd_fu2005", MEAN)
    return [
        _best_prediscretization(found, "Mean over N"),
        best("Mean over N: best of the integrated is monti3 or a steck", found, ("monti3", *STECK), INTEGRATED),
        best("Mean over N: best of the direct methods is bach", found, ("bach",), DIRECT),
    ]


def f5(inputs: Inputs) -> list[Inequality]:
    """Return F5: number of initial levels."""
    found = size(inputs, "shd_fu2005", MEAN)
    names = ("eqfreq", "eqwidth", "friedman", "monti")
    return [below(f"Mean SHD of {m}3 is below that of {m}2", found, [f"{m}3"], [f"{m}2"]) for m in names]


def f6(inputs: Inputs) -> list[Inequality]:
    """Return F6: binning against integration."""
    draws, units = size(inputs, "shd_fu2005", MEAN)
    ours, theirs = get(draws, ["eqwidth3"])[0], get(draws, INTEGRATED).min(0)
    holds = truth(np.abs(ours - theirs) <= COMPARABLE + 1e-9, ours, theirs)
    text = f"Mean SHD of eqwidth3 differs from the best integrated mean by at most {COMPARABLE}"
    return [Inequality(text, holds, {"eqwidth3": float(ours[0]), "best integrated": float(theirs[0])}, units)]


def _extremes(found, what: str) -> list[Inequality]:
    return [
        at_most(f"Both friedman rows have the least {what} of the integrated", found, FRIEDMAN, (*MONTI, *STECK)),
        at_most(f"Both steck rows have the most {what} of the integrated", found, (*FRIEDMAN, *MONTI), STECK),
    ]


def f7(inputs: Inputs) -> list[Inequality]:
    """Return F7: time of the integrated methods."""
    found = size(inputs, "seconds", MEAN)
    text = "Mean time of every integrated method is above that of every binning and of bach"
    return [below(text, found, (*BINNINGS, "bach"), INTEGRATED), *_extremes(found, "mean time")]


def f8(inputs: Inputs) -> list[Inequality]:
    """Return F8: calls and time of the binnings, at every N."""
    parts = []
    for n in SIZES:
        calls, time = size(inputs, "score_calls", n), size(inputs, "seconds", n)
        parts.append(below(f"N = {n}: every binning makes fewer calls than bach", calls, BINNINGS, ["bach"]))
        parts.append(below(f"N = {n}: every binning needs more time than bach", time, ["bach"], BINNINGS))
    return parts


def f9(inputs: Inputs) -> list[Inequality]:
    """Return F9: discretization calls."""
    return _extremes(size(inputs, "discretization_calls", MEAN, "friedman3"), "mean discretization calls")


def f10(inputs: Inputs) -> list[Inequality]:
    """Return F10: extraneous and missing edges."""
    kinds = {}
    for kind, metric in (("extraneous", "extra"), ("missing", "missing")):
        rows, columns = evidence.family_edges(inputs, metric)
        kinds[kind] = [name for name, _ in rows], columns

    def found(kind, network):
        names, columns = kinds[kind]
        if network not in columns.names:
            return {name: np.full(1, np.nan) for name in names}, 0
        k = columns.names.index(network)
        return {name: columns.strict[:, i, k] for i, name in enumerate(names)}, columns.units[k]

    three, binnings = ("friedman", "monti", "steck"), ("eqfreq", "eqwidth")
    parts = [
        below(
            f"{network}: every integrated method has fewer extraneous edges than eqfreq and eqwidth",
            found("extraneous", network),
            three,
            binnings,
        )
        for network in ("child", "hailfinder", "insurance")
    ]
    return parts + [
        below(
            f"alarm: monti and steck have fewer {kind} edges than eqfreq",
            found(kind, "alarm"),
            three[1:],
            ["eqfreq"],
        )
        for kind in ("extraneous", "missing")
    ]


def f11(inputs: Inputs) -> list[Inequality]:
    """Return F11: raw SHD against noise, averaged over networks."""
    found = noise(inputs)
    parts = []
    for n in (500, 1000):
        for name in ("eqwidth3", "monti3", "bach"):
            line, units = zip(*(found(name, n, sigma) for sigma in SIGMAS), strict=True)
            length = max(map(len, line))
            low, middle, high = (np.broadcast_to(values, length) for values in line)
            grows = truth((low < middle - 1e-9) & (middle < high - 1e-9), low, middle, high)
            numbers = {f"sigma {s:.2f}": float(v[0]) for s, v in zip(SIGMAS, line, strict=True)}
            text = f"N = {n}: mean SHD of {name} over networks grows from sigma 0.30 to 0.35 to 0.40"
            parts.append(Inequality(text, grows, numbers, min(units)))
    return parts


def noise(inputs: Inputs):
    """Return a function of method, N and sigma that gives the mean raw SHD over networks in all draws."""
    sources = [(0.35, evidence.simulated(inputs)), (None, grid(inputs, "sigma", "network", "n", "sigma"))]
    means = [(sigma, runs, cell_means(runs.cube("shd_fu2005"), runs.weights)) for sigma, runs in sources]

    def find(name: str, n: int, sigma: float) -> tuple[np.ndarray, int]:
        for fixed, runs, values in means:
            keys = [(c[1], fixed if fixed is not None else round(c[2], 6)) for c in runs.cells]
            cells = [i for i, key in enumerate(keys) if key == (n, sigma)]
            at = runs.index(name)
            if cells and at is not None:
                return values[:, at, cells].mean(1), runs.units(cells)
        return np.full(1, np.nan), 0

    return find


def f12(inputs: Inputs) -> list[Inequality]:
    """Return F12: nobody beats Bach's method in quality and time."""
    parts = []
    for n in SIZES:
        (shd, units), (time, _) = size(inputs, "shd_fu2005", n), size(inputs, "seconds", n)
        names = others(PRINTED, "bach")
        s, t = get(shd, names), get(time, names)
        both = truth((s < 1 - 1e-9) & (t < 1 - 1e-9), s, t)
        # A method that does not beat bach in one of the two is no threat, whatever is unknown of the other.
        both = np.where((s >= 1 - 1e-9) | (t >= 1 - 1e-9), 0.0, both)
        none = np.where((both == 1).any(0), 0.0, np.where(np.isnan(both).any(0), np.nan, 1.0))
        beats = {f"SHD of {m}": float(s[i, 0]) for i, m in enumerate(names) if both[i, 0] == 1}
        beats |= {f"time of {m}": float(t[i, 0]) for i, m in enumerate(names) if both[i, 0] == 1}
        parts.append(Inequality(f"N = {n}: no method is below bach in SHD and in time at once", none, beats, units))
    return [*parts, _wins(inputs)]


def _wins(inputs: Inputs) -> Inequality:
    """Say that bach has the lowest SHD in more cells than any other method; a tie counts for all."""
    runs = evidence.simulated(inputs)
    values = evidence.ratios(inputs, "shd_fu2005", None)
    names = [(i, m.name) for i, m in enumerate(inputs.methods) if m.name in PRINTED]
    text = "bach has the lowest SHD in more cells (network, N) than any other method"
    if not names or "bach" not in dict((n, i) for i, n in names) or not runs.cells:
        return Inequality(text, np.full(1, np.nan), {}, runs.units())
    chosen = values[:, [i for i, _ in names]]
    lowest = np.where(np.isnan(chosen), np.inf, chosen).min(1, keepdims=True)
    wins = (chosen <= lowest + 1e-9).sum(2)
    at = [n for _, n in names].index("bach")
    rest = np.delete(wins, at, 1).max(1, initial=0)
    undefined = np.where(np.isnan(chosen[:, at]).any(1), np.nan, 0.0)
    numbers = {name: float(wins[0, k]) for k, (_, name) in enumerate(names) if wins[0, k]}
    return Inequality(text, truth(wins[:, at] > rest, undefined), numbers, runs.units())


def _real(inputs: Inputs, metric: str):
    return draws_of(inputs, evidence.real(inputs, metric)[0], MEAN)


def f13(inputs: Inputs) -> list[Inequality]:
    """Return F13: scores on real data, where higher is better."""
    found, top = _real(inputs, "kgv_gain"), ("pc_fisherz", "bach")
    rest = others(PREDISCRETIZATIONS, "eqfreq3")
    return [
        at_most("Scores of pc_fisherz and bach are the two best of all methods", found, others(PRINTED, *top), top),
        at_most("eqfreq3 has the best score of the prediscretizations", found, rest, ["eqfreq3"]),
        at_most("friedman and steck have better scores than monti", found, MONTI, (*FRIEDMAN, *STECK)),
    ]


def f14(inputs: Inputs) -> list[Inequality]:
    """Return F14: time on real data."""
    text = "Time of every integrated method is above that of every other method"
    return [below(text, _real(inputs, "seconds"), others(PRINTED, *INTEGRATED), INTEGRATED)]

"""The inequalities behind the claims of Steck and Jaakkola 2007.

Numbers are means over samples, "the majority" more than half of the samples, in every bootstrap draw. A smaller scale
is judged by the numbers of clusters and records that it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cutpoint.report.claims import Inequality
from cutpoint.studies.claims import TIE, truth
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import means, rows_of
from cutpoint.studies.steck2007 import edges, evidence
from cutpoint.studies.steck2007.evidence import ALL, ENOUGH, FEW, MANY, OPTIMISED, SMALL

WITHIN, AHEAD = 3.0, 5.0  # units of the log score: exact and greedy optimum of the true number (S1)
TIMES = 3.0  # what one level too few costs, over what one too many costs (S2)
SAME = 1e-6  # change of L_P that rounding makes (S9)


def _first(values: np.ndarray) -> float:
    return float(values[0])


def _unknown(text: str) -> list[Inequality]:
    """Return an inequality without a result."""
    return [Inequality(text, np.full(1, np.nan), {}, 0)]


def _majority(inputs: Inputs, text: str, holds: np.ndarray, numbers: Mapping[str, float] | None = None) -> Inequality:
    """Say that something holds in more than half of the samples, bool or float64 [samples]."""
    if not len(holds):
        return _unknown(text)[0]
    share = means(inputs, np.asarray(holds, float))
    return Inequality(text, truth(share > 0.5, share), {"share": _first(share), **(numbers or {})}, len(holds))


def _asked(inputs: Inputs, printed: Sequence[int], run: Sequence[int]) -> list[int]:
    """Return the printed numbers, at another scale than the paper's those of them that were run."""
    kept = [k for k in printed if k in run]
    return list(printed) if inputs.scale.name == "published" or not kept else kept


def s1(inputs: Inputs) -> list[Inequality]:
    """Return S1: the true number of clusters has the highest score."""
    found, parts = evidence.scores(inputs), []
    for k in _asked(inputs, ALL, found.clusters):
        true, best = found.at("exact", k, k), found.best("exact", k)
        text = f"{k} clusters: the exact score of {k} levels is within {WITHIN:g} of the highest"
        numbers = {"behind": _first(best - true)}
        parts.append(Inequality(text, truth(true >= best - WITHIN - TIE, true, best), numbers, found.samples))
        true, other = found.at("greedy", k, k), found.best("greedy", k, without=k)
        text = f"{k} clusters: the greedy score of {k} levels is ahead of all others by at least {AHEAD:g}"
        numbers = {"ahead": _first(true - other)}
        parts.append(Inequality(text, truth(true >= other + AHEAD - TIE, true, other), numbers, found.samples))
    return parts


def s2(inputs: Inputs) -> list[Inequality]:
    """Return S2: one level too few costs more than one too many; one level has the score 0."""
    found, parts = evidence.scores(inputs), []
    for k in _asked(inputs, ALL[:-1], found.clusters):
        for kind in OPTIMISED:
            true, few, many = (found.at(kind, k, r) for r in (k, k - 1, k + 1))
            loss, excess = true - few, true - many
            text = f"{k} clusters, {kind}: one level too few costs at least {TIMES:g} times what one too many costs"
            numbers = {"one too few": _first(loss), "one too many": _first(excess)}
            parts.append(Inequality(text, truth(loss >= TIMES * excess - TIE, loss, excess), numbers, found.samples))
    return parts


def s3(inputs: Inputs) -> list[Inequality]:
    """Return S3: thresholds at quantiles."""
    found, parts, panels = evidence.scores(inputs), [], []
    asked = _asked(inputs, ALL, found.clusters)
    for k in asked:
        true, other = found.at("quantile", k, k), found.best("quantile", k, without=k)
        text = f"{k} clusters: {k} levels have the highest score of thresholds at quantiles"
        numbers = {"ahead": _first(true - other)}
        parts.append(Inequality(text, truth(true > other + TIE, true, other), numbers, found.samples))
        if evidence.related(k) and k in found.clusters:
            peaks = found.peaks("quantile", k)
            panels.append(peaks[:, [found.levels.index(r) for r in evidence.related(k) if r in found.levels]].all(1))
    text = "The divisors and multiples of the true number are local maxima in the majority of panels that show any"
    if not panels:
        return [*parts, *_unknown(text)]
    share = np.mean(panels, 0)
    numbers = {"panels": float(len(panels)), "share": _first(share)}
    return [*parts, Inequality(text, truth(share > 0.5, share), numbers, found.samples)]


def _panel(inputs: Inputs, panel: str, text: str, *which: str) -> Inequality:
    """Say that columns of a panel of Figure 3 hold for both variables in the majority of samples."""
    found = evidence.two_levels(inputs, panel)
    numbers = {f"below, Y{i}": float(found["below"][:, i].mean()) for i in range(2)} if len(found["below"]) else {}
    numbers |= {"levels of the optimum": float(found["free"].mean())} if numbers else {}
    return _majority(inputs, text, np.all([found[name] for name in which], axis=(0, 2)), numbers)


def s4(inputs: Inputs) -> list[Inequality]:
    """Return S4: independent and dependent clusters."""
    found = evidence.two_levels(inputs, "independent")
    fewest = ((found["third"] < 0) & (found["free"] == 1)).all(1)
    return [
        _panel(inputs, "independent", "Independent: two levels hold equal counts", "equal"),
        _majority(inputs, "Independent: three levels are worse than two, and one is best", fewest),
        _panel(inputs, "dependent", "Dependent: the threshold of two levels parts the clusters", "apart"),
    ]


def s5(inputs: Inputs) -> list[Inequality]:
    """Return S5: noise helps."""
    return [
        _panel(inputs, "low noise", "Low noise: two levels hold equal counts", "equal"),
        _panel(inputs, "high noise", "High noise: the threshold of two levels parts the clusters", "apart"),
    ]


def s6(inputs: Inputs) -> list[Inequality]:
    """Return S6: levels in the region of overlap."""
    text = f"Y0 has {FEW} to {MANY} levels at the best equivalent sample size in the majority of samples"
    found = evidence.prior(inputs)
    if found is None:
        return _unknown(text)
    levels = found.chosen("levels0")
    return [_majority(inputs, text, (levels >= FEW) & (levels <= MANY), {"mean levels": float(levels.mean())})]


def s7(inputs: Inputs) -> list[Inequality]:
    """Return S7: more levels with more records, and none too many with few."""
    found, parts = evidence.sizes(inputs), []
    if found is None:
        return _unknown("Levels grow with the number of records")
    levels, independent = (means(inputs, values) for values in (found.levels, found.independent))
    for a, ess in enumerate(found.ess):
        head, ends = f"Equivalent sample size {ess:g}", levels[:, a][:, [0, -1]]
        ns, units = [found.records[k] for k in (0, -1)], len(found.levels)
        text = f"{head}: mean levels with N = {ns[1]} exceed those with N = {ns[0]}"
        numbers = {f"N = {n}": float(each) for n, each in zip(ns, ends[0], strict=True)}
        parts.append(Inequality(text, truth(ends[:, 1] > ends[:, 0] + TIE, ends[:, 0], ends[:, 1]), numbers, units))
        text = f"{head}: the majority of samples with N = {SMALL} is learned as independent"
        few = independent[:, a, found.records.index(SMALL)] if SMALL in found.records else np.full(1, np.nan)
        parts.append(Inequality(text, truth(few > 0.5, few), {"share": _first(few)}, units))
        text = f"{head}: no sample with N of at least {ENOUGH} is learned as independent"
        large = [k for k, n in enumerate(found.records) if n >= ENOUGH]
        share = independent[:, a][:, large].max(1) if large else np.full(1, np.nan)
        parts.append(Inequality(text, truth(share == 0, share), {"share": _first(share)}, units))
    return parts


def s8(inputs: Inputs) -> list[Inequality]:
    """Return S8: edges by number of levels, and with thresholds optimised."""
    found, units = edges.edge_draws(inputs)
    data = "" if edges.missing(inputs) else f" ({edges.JUDGED[edges.dataset(inputs)]})"
    parts = []

    def more(text: str, left: str, right: str) -> None:
        high, low = np.broadcast_arrays(*(found.get(name, np.full(1, np.nan)) for name in (left, right)))
        numbers = {name: _first(each) for name, each in ((left, high), (right, low))}
        parts.append(Inequality(f"{text}{data}", truth(high > low + TIE, high, low), numbers, units))

    for prefix, about in edges.KINDS.items():
        for r, s in zip(edges.LEVELS, edges.LEVELS[1:], strict=False):
            more(f"{about}: {r} levels give more edges than {s}", f"{prefix}{r}", f"{prefix}{s}")
    quantiles, optimised = edges.KINDS
    for r in edges.LEVELS:
        more(f"{r} levels: optimised thresholds give more edges than quantiles", f"{optimised}{r}", f"{quantiles}{r}")
    return parts


def s9(inputs: Inputs) -> list[Inequality]:
    """Return S9: what L_P does not depend on; exact."""
    rows = rows_of(inputs, "invariance")
    parts = []
    for change in dict.fromkeys(row["change"] for row in rows):
        for kind, about in (("policy", "L_P of a policy"), ("optimum", "the highest L_P found")):
            worst = max(abs(row[kind]) for row in rows if row["change"] == change)
            text = f"{about} is unchanged: {change}"
            parts.append(Inequality(text, np.array([float(worst <= SAME)]), {"largest change": worst}, None))
    return parts or _unknown("L_P is unchanged by monotone transformations and by the order of the records")

"""Tables that say how far methods differ on the runs of a contest, and how sure that and their ranking are."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase

import numpy as np

from cutpoint.base.seeds import generator_for
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.contests import Contest, halved
from cutpoint.bench.engine.declaration import MEAN
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.bench.statistics.equivalence import preferences
from cutpoint.bench.statistics.new_networks import new_networks
from cutpoint.bench.statistics.pairs import Estimate, Paired, paired, signed_rank_pairs
from cutpoint.bench.statistics.planning import needed
from cutpoint.bench.statistics.rankings import order_pvalues
from cutpoint.bench.statistics.ranks import cliques, holm, holm_pairs, rank_pvalues
from cutpoint.bench.statistics.winners import winners
from cutpoint.statistics.estimates import mean

LARGE = ("Difference", "Effect size d_z", "Share better")
SURE = ("Wins/ties/losses", "p, signed ranks", "p, mean ranks", "Replicates needed", "Cells needed")


def differences(contest: Contest, *, control: str | None = None) -> Content:
    """Return every method against one of them.

    Args:
        contest: runs and metric.
        control: the method that was chosen beforehand; the one with the best mean if it is None or has no runs.
    """
    at, fixed = _reference(contest, control)
    caption = "Every method against one on the same data sets."
    if at is not None:
        label = contest.runs.methods[at].label
        role = "the control, chosen beforehand" if fixed else "the best mean here"
        better = "negative" if contest.about.lower_is_better else "positive"
        caption = (
            f"Every method against {label} ({role}) on the same data sets. A {better} difference is better than "
            f"{label}; one whose interval has no 0 would very likely keep its sign on new data sets of the same "
            "networks and sizes. Share better: the share of data sets on which the method wins, ties half. The p "
            "values, adjusted by Holm, ask whether it would hold on other networks and sizes, and the last columns how "
            "many data sets of each, or how many networks and sizes, show a difference as large as this in 80 % of "
            "such studies."
        )
    split = 1 + len(LARGE)
    return Content(
        "method",
        (contest.about.title, *LARGE, *SURE),
        _rows(contest, at, fixed),
        (("How large", range(split)), ("How sure", range(split, split + len(SURE)))),
        () if at is None else _test_notes(contest, fixed),
        contest.missing,
        contest.replicates,
        caption,
    )


def _reference(contest: Contest, control: str | None) -> tuple[int | None, bool]:
    """Return the method that the others are compared with, None without any, and whether it is the control."""
    means = contest.means
    place = contest.runs.index(control) if control else None
    if place is not None and np.isfinite(means[place]):
        return place, True
    found = np.isfinite(mean(contest.tested(contest.values), 2))
    share = found.mean(1) if found.size else np.zeros(len(means))
    if not share.any():
        return None, False
    if len(contest.kept):
        share[np.setdiff1d(np.arange(len(share)), contest.kept)] = 0
    signed = means if contest.about.lower_is_better else -means
    return int(np.nanargmin(np.where(share == share.max(), signed, np.nan))), False


def _rows(contest: Contest, at: int | None, fixed: bool) -> list[Row]:
    rows = []
    signed, ranked = _pvalues(contest, at, fixed)
    for i, method in enumerate(contest.runs.methods):
        reason = "" if contest.missing else contest.runs.reason(i, range(len(contest.runs.cells)))
        good, asked = int(np.isfinite(contest.values[i]).sum()), int(contest.present.sum())
        average = Cell(float(contest.means[i]), runs=good, expected=asked, reason=reason, digits=contest.about.digits)
        if at is None or not np.isfinite(contest.means[i]):
            rest = tuple(Cell(reason=reason) for _ in (*LARGE, *SURE))
        elif i == at:
            rest = (Cell("control" if fixed else "best"), *(Cell("") for _ in (*LARGE[1:], *SURE)))
        else:
            against = paired(contest.values[i], contest.values[at], lower_is_better=contest.about.lower_is_better)
            rest = (*_large(contest, against), *_sure(against, signed[i], ranked[i]))
        rows.append(method.row(average, *rest))
    return rows


def _large(contest: Contest, against: Paired) -> tuple[Cell, ...]:
    lost = "no data set of both"
    return (
        _estimate(against.difference, lost, contest.about.digits),
        _estimate(against.effect, "all differences are equal" if against.cells else lost),
        _estimate(against.better, lost),
    )


def _estimate(estimate: Estimate, reason: str, digits: int = 2) -> Cell:
    value, low, high = estimate
    return Cell(value, low=low, high=high, reason=reason, digits=digits)


def _sure(against: Paired, signed: float, ranked: float) -> tuple[Cell, ...]:
    difference = against.difference[0]
    return (
        Cell(f"{against.wins}/{against.ties}/{against.losses}"),
        _pvalue(signed, "no block of both"),
        _pvalue(ranked, "missing in too many blocks, or too few methods or blocks"),
        _count(needed(difference, against.within, cells=max(against.cells, 1)), "one replicate"),
        _count(needed(difference, against.between), "one cell"),
    )


def _pvalue(value: float, reason: str) -> Cell:
    return Cell(f"{value:.2g}" if np.isfinite(value) else None, reason=reason)


def _count(value: float, reason: str) -> Cell:
    if np.isinf(value):
        return Cell(reason="no difference, or more than 100,000")
    return Cell(int(value) if np.isfinite(value) else None, reason=reason)


def _pvalues(contest: Contest, at: int | None, fixed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the adjusted p values of every method against one, of signed ranks and of mean ranks, float64 [M] each.

    Against a method chosen by the same data they are adjusted over all pairs, of which it might have been any.
    """
    count = len(contest.runs.methods)
    nothing = np.full(count, np.nan)
    if at is None:
        return nothing, nothing
    ranked = np.full((count, count), np.nan)
    if contest.friedman is not None:
        kept = contest.friedman.kept
        ranked[np.ix_(kept, kept)] = rank_pvalues(contest.friedman.ranks, contest.friedman.blocks)
    tests = signed_rank_pairs(contest.tested(contest.values)), ranked
    signed, ranked = (holm(each[at]) if fixed else holm_pairs(each)[at] for each in tests)
    return signed, ranked


def _test_notes(contest: Contest, fixed: bool) -> list[str]:
    blocks, result = len(contest.blocks), contest.friedman
    methods = int(np.isfinite(contest.means).sum())
    tests = methods - 1 if fixed else methods * (methods - 1) // 2
    kind = "data sets, each with a network of its own" if contest.about.apart else "cells, means over their replicates"
    over = "against the control" if fixed else "over all pairs, because the best is chosen by the same data"
    notes = [f"The tests compare {blocks} blocks: {kind}. Holm's adjustment goes {over}: {tests} tests."]
    if result is not None:
        notes.append(
            f"Friedman chi-square {result.statistic:.1f}, p = {result.pvalue:.2g}; Iman and Davenport's F "
            f"{result.f_statistic:.1f}, p = {result.f_pvalue:.2g}."
        )
    least = 2.0 ** (1 - blocks)
    if tests * least > 0.05:
        notes.append(
            f"Signed ranks cannot find a difference here: of {blocks} blocks no p value is below {least:.2g}, and Holm "
            f"multiplies the smallest by {tests}. More cells would help, not more replicates."
        )
    common, asked = int(np.isfinite(contest.shared[contest.kept]).all(0).sum()), int(contest.present.sum())
    if len(contest.kept) and 0 < common < asked:
        notes.append(
            f"{contest.about.title} and mean ranks are over the {common} of {asked} data sets that all methods have; "
            "a method that lacks more than a quarter of them has no rank, and its mean is over its own."
        )
    return notes


def rank_stability(contest: Contest) -> Content:
    """Return how far the ranking of the methods would change with other replicates."""
    rows, notes = _ranked(contest)
    return Content(
        "method",
        ("Mean rank", "CD group", "Ranks first", "May be the best", "p, order"),
        rows,
        notes=notes,
        missing=contest.missing or ("" if notes else "too few methods or blocks to rank"),
        replicates=contest.replicates,
        caption="Mean ranks over data sets, 1 the best, with 95 % intervals over replicates. Methods that share a "
        "letter in the column CD group do not differ by Nemenyi's test over cells at 5 %. Ranks first is the share of "
        "data sets, ties shared. A method may be the best where none has a mean rank that is lower for sure; the best "
        "one is among these in 95 % of studies. The last column asks whether the mean rank is that of the method one "
        "row below.",
    )


def _ranked(contest: Contest) -> tuple[list[Row], list[str]]:
    methods = contest.runs.methods
    lost = Cell(reason="missing in too many blocks")
    if contest.friedman is None:
        empty = Cell() if contest.missing else lost
        return [m.row(*[empty] * 5) for m in methods], []
    several, ranks = contest.units() > 1, contest.mean_ranks
    found, best, order_p = ranks.estimate(), winners(ranks), order_pvalues(ranks)
    letters, firsts = _letters(contest.friedman.ranks, contest.friedman.difference), _firsts(contest)
    order = np.argsort(found.value, kind="stable")
    once = Cell(reason="one replicate")
    rows = []
    for i, below in zip(order, [*order[1:], None], strict=True):
        average = Cell(float(found.value[i]), low=float(found.low[i]), high=float(found.high[i]))
        tied = Cell("yes" if best[i] else "no") if several else once
        turned = Cell("") if below is None else _pvalue(order_p[i, below], once.reason)
        rows.append(methods[contest.kept[i]].row(average, Cell(letters[i]), Cell(float(firsts[i])), tied, turned))
    rows += [m.row(*[lost] * 5) for i, m in enumerate(methods) if i not in contest.kept]
    return rows, _stability_notes(contest, several)


def _firsts(contest: Contest) -> np.ndarray:
    """Return the share of data sets on which each kept method has the best value, shared by those that are equal."""
    lead = contest.ranked == contest.ranked.min(0)
    return mean(np.where(np.isfinite(contest.ranked), lead / np.maximum(lead.sum(0), 1), np.nan), (1, 2))


def _letters(ranks: np.ndarray, difference: float) -> list[str]:
    """Return the letters of the groups that each method is in, a that of the best."""
    found = [""] * len(ranks)
    for group, letter in zip(cliques(ranks, difference), ascii_lowercase, strict=False):
        for i in group:
            found[i] += letter
    return found


def _stability_notes(contest: Contest, several: bool) -> list[str]:
    result = contest.friedman
    assert result is not None
    notes = [
        f"{result.blocks} blocks; mean ranks over cells further apart than {result.difference:.2f} differ at the 5 % "
        f"level (Nemenyi); Iman and Davenport's F {result.f_statistic:.1f}, p = {result.f_pvalue:.2g}."
    ]
    if not several:
        return [*notes, "With one replicate per cell nothing can be left out."]
    notes.append(
        "Kendall's tau-b of the rankings by two random halves of the replicates: "
        f"{mean(halved(contest), 0):.2f} on average (1: the same order, 0: unrelated)."
    )
    return notes


INTERVALS = ("These networks", "Such networks", "A new network")
CHANCES = ("P(better)", "P(equivalent)", "P(worse)", "Networks needed")
OTHER_NETWORKS = (*INTERVALS, *CHANCES)


def for_new_networks(inputs: Inputs, panels: Mapping[str, Columns]) -> Content:
    """Return what ratios by network say of networks that were not in the study.

    Args:
        inputs: of the study.
        panels: by their titles, ratios with a column for each network and their mean.
    """
    found = [_beyond(inputs, columns) for columns in panels.values()]
    rows = [m.row(*(cell for panel in found for cell in panel[i])) for i, m in enumerate(inputs.methods)]
    heads = [f"{head}{', standard' * (k > 0)}" for k in range(len(panels)) for head in OTHER_NETWORKS]
    width = len(OTHER_NETWORKS)
    return Content(
        "method", heads, rows, [(title, range(k * width, (k + 1) * width)) for k, title in enumerate(panels)]
    )


def _beyond(inputs: Inputs, columns: Columns) -> list[list[Cell]]:
    """Return the cells of OTHER_NETWORKS for every method."""
    effects = columns.strict.map(np.log).estimate()[:, :-1]
    such = new_networks(effects)
    rng = generator_for(inputs.scale.seed, inputs.study, "new networks")
    chosen = preferences(effects.value, effects.error, rng)
    rows = []
    for i in range(len(inputs.methods)):
        these = columns.cell(i, MEAN)
        if not such.networks[i] or these.reproduced is None:
            rows.append([Cell(reason=these.reason)] * len(OTHER_NETWORKS))
            continue
        ends = [[float(np.exp(end[i])) for end in part.interval()] for part in (such.mean, such.prediction)]
        others = [Cell(these.reproduced, low=low, high=high) for low, high in ends]
        chances = [Cell(float(part[i])) for part in (chosen.better, chosen.equivalent, chosen.worse)]
        chances.append(_count(chosen.needed[i], "no network"))
        itself = not effects.value[i].any()
        rows.append([these, *others, *([Cell("")] * len(CHANCES) if itself else chances)])
    return rows

"""Comparisons of the methods on the runs of one grid: blocks of tests, ranks, differences, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.draws import generator, interval, mean
from cutpoint.statistics.pairs import Estimate, Paired, paired, signed_rank_pairs
from cutpoint.statistics.planning import needed
from cutpoint.statistics.rankings import Ranker, halves, kendall, ranker, stability
from cutpoint.statistics.ranks import Friedman, cliques, complete, friedman, holm, holm_pairs, rank_pvalues
from cutpoint.studies.declaration import declared, function
from cutpoint.studies.inputs import Grid, Inputs, grid
from cutpoint.studies.numbers import inputs_of


@dataclass(frozen=True)
class Metric:
    """What methods are compared by.

    Attributes:
        name: column of the metrics.
        title: what a reader calls it, such as "SHD".
        lower_is_better: which of two values is the better one.
        digits: decimals shown in print.
    """

    name: str
    title: str
    lower_is_better: bool = True
    digits: int = 2


@dataclass(frozen=True)
class Contest:
    """The runs of one grid as they are compared.

    Attributes:
        inputs, runs, metric: whose runs, and by what.
        apart: whether every replicate is a block of the tests, because it has a network of its own; else a block is the
            mean over the replicates of a cell.
        values: float64 [M, G, R], means over the cells that share their replicates, NaN where one of them failed.
        present: bool [G, R].
        weights: float64 [D, G, R], bootstrap weights, the sample first.
    """

    inputs: Inputs
    runs: Grid
    metric: Metric
    apart: bool
    values: np.ndarray
    present: np.ndarray
    weights: np.ndarray

    @cached_property
    def kept(self) -> np.ndarray:
        """The methods compared by ranks, int [K]: those with a value on three quarters of the data sets or more."""
        return complete(self.values[:, self.present].T)[0]

    @cached_property
    def shared(self) -> np.ndarray:
        """The values on the data sets that every kept method has one on, float64 [M, G, R], NaN elsewhere."""
        return np.where(np.isfinite(self.values[self.kept]).all(0), self.values, np.nan)

    def tested(self, values: np.ndarray) -> np.ndarray:
        """Return values [M, G, R] by block, float64 [M, B, R']: a replicate each if they are apart, else a cell."""
        return values[:, self.present][:, :, None] if self.apart else values

    @cached_property
    def blocks(self) -> np.ndarray:
        """The values that the ranks compare, float64 [B, M]: means over `shared`, NaN for methods not kept."""
        found = np.full(self.tested(self.values).shape[:2], np.nan)
        found[self.kept] = mean(self.tested(self.shared)[self.kept], 2)
        return found.T

    @cached_property
    def friedman(self) -> Friedman | None:
        """The comparison by ranks of the blocks, None where there is too little to compare."""
        whole = np.isfinite(self.blocks).any(1)
        return friedman(self.blocks[whole], lower_is_better=self.metric.lower_is_better)

    @cached_property
    def means(self) -> np.ndarray:
        """The mean of every method over the cells, float64 [M].

        Kept methods are compared on the data sets that they share; the others have their own, and so do all where no
        data set is shared.
        """
        own, paired = (mean(mean(values, 2), 1) for values in (self.values, self.shared))
        return np.where(np.isin(np.arange(len(own)), self.kept) & np.isfinite(paired), paired, own)

    def units(self) -> int:
        """Return the smallest number of replicates that are resampled in a cell, 0 without cells."""
        return int(self.present.sum(1).min()) if self.present.size else 0

    def ranker(self) -> tuple[np.ndarray, Ranker, np.ndarray] | None:
        """Return the methods ranked, the function from weights [D, G, R] to their ranks, and the cells that it takes.

        None where Friedman's test has too little to compare.
        """
        if self.friedman is None:
            return None
        kept, whole = self.kept, np.isfinite(self.blocks).any(1)
        groups = np.arange(len(self.present)) if self.apart else np.flatnonzero(whole)
        values = self.values[np.ix_(kept, groups)]
        return kept, ranker(values, lower_is_better=self.metric.lower_is_better, apart=self.apart), groups


def contest(inputs: Inputs, name: str, keys: tuple[str, ...], metric: Metric, *, apart: bool = False) -> Contest:
    """Return the comparison of the methods on one grid.

    Args:
        inputs: of the study.
        name: of the grid.
        keys: columns of the metrics that tell its cells apart.
        metric: what they are compared by.
        apart: see `Contest`.
    """
    key = ("contest", name, keys, metric, apart)
    return inputs.once(key, lambda: _contest(inputs, grid(inputs, name, *keys), metric, apart))


def declared_contest(inputs: Inputs, name: str) -> Contest:
    """Return a comparison that the study declares."""
    row = declared(inputs.study).contests[name]
    inputs = inputs_of(inputs, row.of)
    if row.make:
        return function(inputs.study, row.make)(inputs)
    metric = Metric(row.metric, row.title, row.better == "lower", row.digits)
    return contest(inputs, row.grid, tuple(row.cells), metric, apart=row.apart)


def ranking(inputs: Inputs, name: str) -> Friedman | None:
    """Return Friedman's test of a comparison that the study declares, None where there is too little to compare."""
    made = declared_contest(inputs, name)
    return made.friedman if isinstance(made, Contest) else made


def _contest(inputs: Inputs, runs: Grid, metric: Metric, apart: bool) -> Contest:
    places = [runs.keys.index(key) for key in inputs.blocks if key in runs.keys]
    found = [tuple(cell[i] for i in places) for cell in runs.cells]
    groups = [[i for i, each in enumerate(found) if each == group] for group in dict.fromkeys(found)]
    cube = runs.cube(metric.name)
    # Cells of one group hold the same replicates and have the same weights, those of the fullest.
    first = [max(group, key=lambda i: runs.present[i].sum()) for group in groups]
    return Contest(
        inputs=inputs,
        runs=runs,
        metric=metric,
        apart=apart,
        values=np.stack([_joined(cube[:, g], runs.present[g]) for g in groups], 1) if groups else cube,
        present=np.array([runs.present[g].any(0) for g in groups]) if groups else runs.present,
        weights=runs.weights[:, first],
    )


def _joined(cube: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Return the mean over cells [M, C, R] where they have the replicate, float64 [M, R], NaN where a run failed."""
    total = np.where(present, cube, 0.0).sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(present.any(0), total / present.sum(0), np.nan)


LARGE = ("Difference", "Effect size d_z", "Share better")
SURE = ("Wins/ties/losses", "p, signed ranks", "p, mean ranks", "Replicates needed", "Cells needed")


def table_differences(contest: Contest, *, control: str | None = None, note: str = "") -> Table:
    """Return every method against one of them.

    Args:
        contest: runs and metric.
        control: the method that was chosen beforehand; the one with the best mean if it is None or has no runs.
        note: a sentence on what is not independent.
    """
    at, fixed = _reference(contest, control)
    metric, methods = contest.metric, contest.runs.methods
    about = "Every method against one on the same data sets."
    if at is not None:
        role = "the control, chosen beforehand" if fixed else "the best mean here"
        better = "negative" if metric.lower_is_better else "positive"
        about = (
            f"Every method against {methods[at].label} ({role}) on the same data sets. Look at the difference first: "
            f"{better} is better than {methods[at].label}, and where its interval has no 0 it would hold with other "
            "replicates of the same cells. Share better is the share of data sets on which the method wins, ties half. "
            "The p values, adjusted by Holm, ask whether it would hold in other cells. The last columns say how many "
            "replicates per cell, or cells, find a difference of this size with a power of 80 % at the 5 % level."
        )
    split = 1 + len(LARGE)
    return Table(
        name="table_differences",
        title=f"Differences between methods in {metric.title}",
        caption=about,
        key="method",
        columns=(metric.title, *LARGE, *SURE),
        rows=tuple(_rows(contest, at, fixed)),
        scale=contest.inputs.scale_of(contest.runs.name),
        notes=() if at is None else tuple(filter(None, (*_test_notes(contest, fixed), note))),
        panels=(("How large", range(split)), ("How sure", range(split, split + len(SURE)))),
        missing=contest.inputs.missing(contest.runs.name),
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
    signed = means if contest.metric.lower_is_better else -means
    return int(np.nanargmin(np.where(share == share.max(), signed, np.nan))), False


def _rows(contest: Contest, at: int | None, fixed: bool) -> list[Row]:
    found, missing = [], contest.inputs.missing(contest.runs.name)
    signed, ranked = _pvalues(contest, at, fixed)
    for i, method in enumerate(contest.runs.methods):
        reason = "" if missing else contest.runs.reason(i, range(len(contest.runs.cells)))
        good, asked = int(np.isfinite(contest.values[i]).sum()), int(contest.present.sum())
        average = Cell(float(contest.means[i]), runs=good, expected=asked, reason=reason, digits=contest.metric.digits)
        if at is None or not np.isfinite(contest.means[i]):
            rest = tuple(Cell(reason=reason) for _ in (*LARGE, *SURE))
        elif i == at:
            rest = (Cell("control" if fixed else "best"), *(Cell("") for _ in (*LARGE[1:], *SURE)))
        else:
            against = paired(
                contest.values[i], contest.values[at], contest.weights, lower_is_better=contest.metric.lower_is_better
            )
            rest = (*_large(contest, against), *_sure(against, signed[i], ranked[i]))
        found.append(Row(method.name, method.label, method.category, (average, *rest)))
    return found


def _large(contest: Contest, against: Paired) -> tuple[Cell, ...]:
    lost = "no data set of both"
    return (
        _estimate(against.difference, lost, contest.metric.digits),
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
    kind = "data sets, each with a network of its own" if contest.apart else "cells, means over their replicates"
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
            f"{contest.metric.title} and mean ranks are over the {common} of {asked} data sets that all methods have; "
            "a method that lacks more than a quarter of them has no rank, and its mean is over its own."
        )
    return notes


FIRST = 3  # "among the first three"


def table_rank_stability(contest: Contest, *, note: str = "") -> Table:
    """Return how far the ranking of the methods would change with other replicates.

    Args:
        contest: runs and metric.
        note: a sentence on what is not independent.
    """
    top = min(FIRST, max(1, len(contest.runs.methods) - 1))
    number = {1: "first", 2: "first two", 3: "first three"}[top]
    rows, notes = _ranked(contest, top)
    missing = contest.inputs.missing(contest.runs.name)
    return Table(
        name="table_rank_stability",
        title=f"Stability of the ranking by {contest.metric.title}",
        caption="Mean ranks over blocks, 1 the best, with 95 % bootstrap intervals over replicates. Methods that share "
        "a letter in the column CD group do not differ by Nemenyi's test at 5 %. The next columns are shares of the "
        f"draws in which the method ranks first, in which it is among the {number}, and in which it changes places "
        "with the method one row below. Near 0.5 in the last column the order of the two is left to chance.",
        key="method",
        columns=("Mean rank", "CD group", "Ranks first", f"Among the {number}", "P(order flips)"),
        rows=tuple(rows),
        scale=contest.inputs.scale_of(contest.runs.name),
        notes=tuple(filter(None, (*notes, note))) if notes else (),
        missing=missing or ("" if notes else "too few methods or blocks to rank"),
    )


def _ranked(contest: Contest, top: int) -> tuple[list[Row], list[str]]:
    methods, found = contest.runs.methods, contest.ranker()
    lost = Cell(reason="missing in too many blocks")
    if found is None or contest.friedman is None:
        empty = Cell() if contest.inputs.missing(contest.runs.name) else lost
        return [Row(m.name, m.label, m.category, (empty,) * 5) for m in methods], []
    kept, rank, groups = found
    several = contest.units() > 1
    result = stability(rank(contest.weights[:, groups]), top=top)
    letters = _letters(contest.friedman.ranks, contest.friedman.difference)
    order = np.argsort(result.ranks, kind="stable")
    once = Cell(reason="one replicate")
    rows = []
    for place, i in enumerate(order):
        low, high = (result.low[i], result.high[i]) if several else (np.nan, np.nan)
        shares = [Cell(float(result.first[i])), Cell(float(result.top[i]))] if several else [once, once]
        below = order[place + 1] if place + 1 < len(order) else None
        turned = once
        if below is None or result.ranks[i] == result.ranks[below]:
            turned = Cell("" if below is None else "tie")
        elif several:
            turned = Cell(float(result.flips[i, below]))
        cells = (Cell(float(result.ranks[i]), low=low, high=high), Cell(letters[i]), *shares, turned)
        rows.append(_row(contest, int(kept[i]), cells))
    rows += [_row(contest, i, (lost,) * 5) for i in range(len(methods)) if i not in kept]
    return rows, _stability_notes(contest, result.tau, several)


def _row(contest: Contest, method: int, cells: tuple[Cell, ...]) -> Row:
    about = contest.runs.methods[method]
    return Row(about.name, about.label, about.category, cells)


def _letters(ranks: np.ndarray, difference: float) -> list[str]:
    """Return the letters of the groups that each method is in, a that of the best."""
    found = [""] * len(ranks)
    for group, letter in zip(cliques(ranks, difference), ascii_lowercase, strict=False):
        for i in group:
            found[i] += letter
    return found


def _stability_notes(contest: Contest, tau: np.ndarray, several: bool) -> list[str]:
    result = contest.friedman
    assert result is not None
    notes = [
        f"{result.blocks} blocks; mean ranks further apart than {result.difference:.2f} differ at the 5 % level "
        f"(Nemenyi); Iman and Davenport's F {result.f_statistic:.1f}, p = {result.f_pvalue:.2g}."
    ]
    if not several:
        return [*notes, "With one replicate per cell nothing can be drawn again."]
    low, high = interval(tau)
    notes.append(
        f"Kendall's tau-b of the ranking in a draw and in the sample: {mean(tau, 0):.2f} [{low:.2f}, {high:.2f}]; of "
        f"the rankings by two random halves of the replicates: {mean(halved(contest), 0):.2f} on average (1: the same "
        "order, 0: unrelated)."
    )
    return notes


def halved(contest: Contest) -> np.ndarray:
    """Return Kendall's tau-b between the mean ranks in two random halves of the replicates, float64 [splits]."""
    found = contest.ranker()
    if found is None:
        return np.array([np.nan])
    _, rank, groups = found
    rng = generator(contest.inputs.scale.seed, contest.inputs.study, contest.runs.name, "halves")
    first, second = halves(contest.present[groups], rng)
    return kendall(rank(first), rank(second))

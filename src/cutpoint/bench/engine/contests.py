"""Comparisons of the methods on the runs of one grid: the blocks of the tests, means and ranks."""

from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

import numpy as np
import pandas as pd

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.engine import declaration as form
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.numbers import blocks_of, cells_of, cube, inputs_of, runs_by_data
from cutpoint.bench.engine.numbers import reasons as reasons_of
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.statistics import comparisons
from cutpoint.bench.statistics.estimates import Statistic, jackknife, mean, winners


@dataclass(frozen=True)
class Contest:
    """The runs of one grid as they are compared.

    Where replicates are `apart`, each is a block of the tests; else a block is the mean over the replicates of a cell.
    """

    inputs: Inputs  # whose runs
    spec: form.ContestSpec  # what they are compared by
    values: np.ndarray  # float64 [M, G, R], means over cells that share their replicates, NaN where one of them failed
    present: np.ndarray  # bool [G, R]

    @cached_property
    def kept(self) -> np.ndarray:
        """The methods compared by ranks, int [K]: those with a value on three quarters of the data sets or more.

        References are not compared.
        """
        competes = np.array([method.competes for method in self.inputs.methods], bool)
        return np.intersect1d(comparisons.complete(self.values[:, self.present].T)[0], np.flatnonzero(competes))

    @cached_property
    def shared(self) -> np.ndarray:
        """The values on the data sets that every kept method has one on, float64 [M, G, R], NaN elsewhere."""
        return np.where(np.isfinite(self.values[self.kept]).all(0), self.values, np.nan)

    def tested(self, values: np.ndarray) -> np.ndarray:
        """Return values [M, G, R] by block, float64 [M, B, R']: a replicate each if they are apart, else a cell."""
        return values[:, self.present][:, :, None] if self.spec.apart else values

    @cached_property
    def blocks(self) -> np.ndarray:
        """The values that the ranks compare, float64 [B, M]: means over `shared`, NaN for methods not kept."""
        means = np.full(self.tested(self.values).shape[:2], np.nan)
        means[self.kept] = mean(self.tested(self.shared)[self.kept], 2)
        return means.T

    @cached_property
    def friedman(self) -> comparisons.Friedman | None:
        """The comparison by ranks of the blocks, None where there is too little to compare."""
        whole = np.isfinite(self.blocks).any(1)
        return comparisons.friedman(self.blocks[whole], lower_is_better=self.spec.lower_is_better)

    @cached_property
    def means(self) -> np.ndarray:
        """The mean of every method over the cells, float64 [M].

        Kept methods are compared on the data sets that they share; the others have their own, and so do all where no
        data set is shared.
        """
        own, paired = (mean(mean(values, 2), 1) for values in (self.values, self.shared))
        return np.where(np.isin(np.arange(len(own)), self.kept) & np.isfinite(paired), paired, own)

    @property
    def missing(self) -> str:
        """Why there are no runs at all, or ""."""
        return self.inputs.missing(self.spec.grid)

    @property
    def replicates(self) -> int | str:
        """How many replicates the runs have, as `RunScale` says it."""
        return self.inputs.scale_of(self.spec.grid).replicates

    def units(self) -> int:
        """Return the smallest number of replicates in a cell, 0 without cells."""
        return int(self.present.sum(1).min()) if self.present.size else 0

    @cached_property
    def ranked(self) -> np.ndarray:
        """The ranks of the kept methods in each data set, float64 [K, G, R], NaN where one has no value."""
        values, lower = self.shared[self.kept], self.spec.lower_is_better
        ranks = comparisons.average_ranks(values.transpose(1, 2, 0), lower_is_better=lower).transpose(2, 0, 1)
        return np.where(np.isfinite(values).all(0), ranks, np.nan)

    @cached_property
    def mean_ranks(self) -> Statistic:
        """The mean over cells of the mean ranks over data sets, [K]."""
        return jackknife(self.ranked, blocks=range(len(self.present))).mean(1)


@once
def declared_contest(inputs: Inputs, name: str) -> Contest:
    """Return a comparison that the study declares."""
    row = inputs.study.contests[name]
    return contest(inputs_of(inputs, row.of), row)


def contest(inputs: Inputs, spec: form.ContestSpec) -> Contest:
    """Return the comparison of the methods on the runs of one grid."""
    data = runs_by_data(inputs, spec.grid, spec.metric, tuple(spec.cells))
    label = dict(zip(cells_of(data), blocks_of(inputs, data), strict=True))
    place = {block: i for i, block in enumerate(dict.fromkeys(label.values()))}
    sets = [(place[label[cell]], replicate) for *key, replicate in data.columns if (cell := tuple(key))]
    by_block = data.set_axis(pd.MultiIndex.from_tuples(sets, names=["block", "replicate"]), axis=1)
    joined = by_block.T.groupby(level=[0, 1]).mean(skipna=False).T  # NaN where a run of one of the cells failed
    return Contest(
        inputs=inputs,
        spec=spec,
        values=cube(joined)[0],
        present=np.isfinite(cube(joined.iloc[:1].notna().astype(float))[0][0]),
    )


AGAINST = ("Difference", "Wins/ties/losses", "p, signed ranks")
RANKED = ("Mean rank", "CD group", "May be the best")


def differences(contest: Contest, *, control: str | None = None) -> Content:
    """Return every method against the control, or the one with the best mean where that is None or has no runs."""
    at, fixed = _reference(contest, control)
    caption = "Every method against one on the same data sets."
    if at is not None:
        label = contest.inputs.methods[at].label
        better = "Negative" if contest.spec.lower_is_better else "Positive"
        caption = (
            f"Difference in {contest.spec.title} from {label} on the same data sets, with 95 % intervals over "
            f"replicates. {better} is better."
        )
    return Content(
        "method",
        (contest.spec.title, *AGAINST),
        _rows(contest, at, fixed),
        notes=() if at is None else _test_notes(contest, fixed),
        missing=contest.missing,
        replicates=contest.replicates,
        caption=caption,
    )


def _reference(contest: Contest, control: str | None) -> tuple[int | None, bool]:
    """Return the method that the others are compared with, None without any, and whether it is the control."""
    means = contest.means
    place = next((i for i, method in enumerate(contest.inputs.methods) if method.name == control), None)
    if place is not None and np.isfinite(means[place]):
        return place, True
    finite = np.isfinite(mean(contest.tested(contest.values), 2))
    share = finite.mean(1) if finite.size else np.zeros(len(means))
    if not share.any():
        return None, False
    if len(contest.kept):
        share[np.setdiff1d(np.arange(len(share)), contest.kept)] = 0
    signed = means if contest.spec.lower_is_better else -means
    return int(np.nanargmin(np.where(share == share.max(), signed, np.nan))), False


def _rows(contest: Contest, at: int | None, fixed: bool) -> list[Row]:
    rows = []
    pvalues, reasons = _pvalues(contest, at, fixed), reasons_of(contest.inputs, contest.inputs.runs(contest.spec.grid))
    for i, method in enumerate(contest.inputs.methods):
        reason = "" if contest.missing else reasons[method.name]
        good, every = int(np.isfinite(contest.values[i]).sum()), int(contest.present.sum())
        average = Cell(float(contest.means[i]), runs=good, expected=every, reason=reason, digits=contest.spec.digits)
        if at is None or not np.isfinite(contest.means[i]):
            against = tuple(Cell(reason=reason) for _ in AGAINST)
        elif i == at:
            against = (Cell("control" if fixed else "best"), *(Cell("") for _ in AGAINST[1:]))
        else:
            pair = comparisons.paired(*contest.values[[i, at]], lower_is_better=contest.spec.lower_is_better)
            value, low, high = pair.difference
            against = (
                Cell(value, low=low, high=high, reason="no data set of both", digits=contest.spec.digits),
                Cell(f"{pair.wins}/{pair.ties}/{pair.losses}"),
                Cell(f"{pvalues[i]:.2g}" if np.isfinite(pvalues[i]) else None, reason="no block of both"),
            )
        rows.append(method.row(average, *against))
    return rows


def _pvalues(contest: Contest, at: int | None, fixed: bool) -> np.ndarray:
    """Return the adjusted p values of signed ranks of every method against one, float64 [M].

    Against a method chosen by the same data they are adjusted over all pairs, of which it might have been any.
    """
    if at is None:
        return np.full(len(contest.inputs.methods), np.nan)
    pvalues = comparisons.signed_rank_pairs(contest.tested(contest.values))
    return comparisons.holm(pvalues[at]) if fixed else comparisons.holm_pairs(pvalues)[at]


def _test_notes(contest: Contest, fixed: bool) -> list[str]:
    blocks, result = len(contest.blocks), contest.friedman
    methods = int(np.isfinite(contest.means).sum())
    tests = methods - 1 if fixed else methods * (methods - 1) // 2
    kind = "data sets, each with a network of its own" if contest.spec.apart else "cells, means over their replicates"
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
    common, every = int(np.isfinite(contest.shared[contest.kept]).all(0).sum()), int(contest.present.sum())
    if len(contest.kept) and 0 < common < every:
        notes.append(
            f"{contest.spec.title} and mean ranks are over the {common} of {every} data sets that all methods have; "
            "a method that lacks more than a quarter of them has no rank, and its mean is over its own."
        )
    return notes


def rank_stability(contest: Contest) -> Content:
    """Return the mean ranks of the methods, and how sure they are."""
    rows, notes = _ranked(contest)
    return Content(
        "method",
        RANKED,
        rows,
        notes=notes,
        missing=contest.missing or ("" if notes else "too few methods or blocks to rank"),
        replicates=contest.replicates,
        caption="Mean ranks over data sets, 1 the best, with 95 % intervals over replicates. Methods that share a "
        "letter in the column CD group do not differ by Nemenyi's test over cells at 5 %. A method may be the best "
        "where no other one has a significantly lower mean rank; the best one is among these in 95 % of studies.",
    )


def _ranked(contest: Contest) -> tuple[list[Row], list[str]]:
    methods = contest.inputs.methods
    absent = [Cell(reason="missing in too many blocks")] * len(RANKED)
    result = contest.friedman
    if result is None:
        return [m.row(*[Cell()] * len(RANKED) if contest.missing else absent) for m in methods], []
    single, ranks = contest.units() == 1, contest.mean_ranks
    means, best, letters = ranks.estimate(), winners(ranks), _letters(result.ranks, result.difference)
    rows = []
    for i in np.argsort(means.value, kind="stable"):
        low, high = np.clip([means.low[i], means.high[i]], 1, len(means.value)).tolist()
        average = Cell(float(means.value[i]), low=low, high=high)
        tied = Cell(reason="one replicate") if single else Cell("yes" if best[i] else "no")
        rows.append(methods[contest.kept[i]].row(average, Cell(letters[i]), tied))
    rows += [m.row(*absent) for i, m in enumerate(methods) if i not in contest.kept]
    return rows, [
        f"{result.blocks} blocks; mean ranks over cells further apart than {result.difference:.2f} differ at the 5 % "
        f"level (Nemenyi); Iman and Davenport's F {result.f_statistic:.1f}, p = {result.f_pvalue:.2g}."
    ]


def _letters(ranks: np.ndarray, difference: float) -> list[str]:
    """Return the letters of the groups that each method is in, a that of the best."""
    letters = [""] * len(ranks)
    for group, letter in zip(comparisons.cliques(ranks, difference), ascii_lowercase, strict=False):
        for i in group:
            letters[i] += letter
    return letters

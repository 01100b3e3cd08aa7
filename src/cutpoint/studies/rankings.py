"""A table of any study: how far the ranking of the methods would change with other replicates."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.draws import generator, interval, mean
from cutpoint.statistics.rankings import halves, kendall, stability
from cutpoint.statistics.ranks import cliques
from cutpoint.studies.contests import Contest

FIRST = 3  # "among the first three"


def table_rank_stability(contest: Contest, *, note: str) -> Table:
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
        "a letter in the column Alike do not differ by Nemenyi's test at 5 %. The next columns are shares of the "
        f"draws: the method ranks first, it is among the {number}, and its order with the method one row below turns "
        "round. Near 0.5 in the last column the order of the two is left to chance.",
        key="method",
        columns=("Mean rank", "Alike", "Ranks first", f"Among the {number}", "Turns round with the next"),
        rows=tuple(rows),
        scale=contest.inputs.scale_of(contest.runs.name),
        notes=(*notes, note) if notes else (),
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

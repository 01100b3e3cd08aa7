"""What is special in Mabrouk 2015: runs of its noise, predictions beside the true network, gaps, and all claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from cutpoint.bench.artefacts.table import ArtefactTable, Cell, Row
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.declaration import MEAN
from cutpoint.bench.engine.inequalities import Margin, below, ordered, said_of, within
from cutpoint.bench.engine.inputs import Inputs, MethodLabel, typed, with_variables
from cutpoint.bench.engine.numbers import NO_RUNS, Columns, Numbers, inputs_of, measure, number, numbers
from cutpoint.bench.engine.samples import cell
from cutpoint.bench.engine.tables import Content, lines_of, sizes
from cutpoint.bench.plots import lines
from cutpoint.bench.statistics.estimates import combine
from cutpoint.bench.statistics.verdicts import Statement, all_of, at_least
from cutpoint.plots.style import Figure

REFERENCE, OTHERS = "mgcd", ("ruichu", "friedman_tabu")
PRINTED = (REFERENCE, *OTHERS)
NETWORKS = ("child", "sachs")
SIZES = (1000, 2000, 5000, 7500, 10000)
PRINTED_TIMES = (1000, 5000, 7500, 10000)
PREDICTION_SIZES = (1000, 2000, 5000, 10000)
SHARES = (30, 60, 100)  # of the Markov blanket that is observed, in percent
NOISES = {"structure": "truncated", "prediction": "uniform"}  # of the paper, by grid
FEWEST, GROUP = 10, 7  # variables of a random network, and how many counts are shown together: 10 to 16, ...
TRUE = MethodLabel("true_network", "True network", "ceiling")
RUN = ("grid", "network", "n", "noise", "replicate", "share", "method")  # what tells runs that predict apart
ROUNDING = Margin(constant=0.005)  # of the printed percentages of correct predictions
KINDS = ("sampled", "argmax")  # the value is drawn from its posterior, or the most probable one


# The runs that count


def of_the_paper(inputs: Inputs) -> Inputs:
    """Return inputs with the runs of the noise of the paper alone, in each grid of NOISES that has any of it.

    The numbers of the paper would else be means over its noise and those that a user adds.
    """
    return inputs.with_metrics(_of_the_paper(inputs.metrics), predictions=_of_the_paper(inputs.predictions))


def _of_the_paper(table: pd.DataFrame) -> pd.DataFrame:
    kept = pd.Series(True, table.index)
    for name, noise in {} if table.empty else NOISES.items():
        there, printed = table["grid"] == name, table["noise"] == noise
        if (there & printed).any():
            kept &= printed | ~there
    return table[kept].reset_index(drop=True)


def by_variables(inputs: Inputs) -> Inputs:
    """Return the runs on networks that were read, with the `least` and `most` variables of those of similar size."""
    counted = with_variables(inputs_of(inputs, "of_the_paper"))
    runs = counted.metrics[counted.metrics["variables"].notna()]
    least = FEWEST + GROUP * ((runs["variables"] - FEWEST) // GROUP)
    return counted.with_metrics(runs.assign(least=least, most=least + GROUP - 1))


def predicted(inputs: Inputs) -> Inputs:
    """Return inputs whose metrics are the predictions in percent, means over the targets of a replicate.

    A run with a target that could not be predicted has no value. The true network, given the true codes of the
    same variables, is the last method; sampling from it has the expectation that is shown.
    """
    table, columns = inputs_of(inputs, "of_the_paper").predictions, [*RUN, "status", "message", *KINDS]
    methods = [*inputs.methods, TRUE]
    if table.empty:
        return inputs.with_metrics(typed(pd.DataFrame(columns=columns)), methods=methods)
    keys, best = list(RUN), [f"ceiling_{kind}" for kind in KINDS if kind != "sampled"]
    table = table.assign(share=(100 * table["share"]).round(6)).sort_values(keys)
    targets = table.groupby(keys)
    means = 100 * targets[[*KINDS, *best]].mean().where(targets[[*KINDS, *best]].count().eq(targets.size(), axis=0))
    ended = table.sort_values("status", key=lambda status: status == OK, kind="stable").groupby(keys)
    runs = means.join(ended[["status", "message"]].first()).reset_index()
    true = runs.drop_duplicates(keys[:-1]).assign(method=TRUE.name, status=OK, message="", sampled=np.nan)
    true = true.assign(**{name.removeprefix("ceiling_"): true[name] for name in best})
    return inputs.with_metrics(pd.concat([runs, true], ignore_index=True)[columns], methods=methods)


def rates_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the rates of every method as the paper defines them against N."""
    panels = []
    for name, head in {"tpr": "TPR, higher is better", "fpr": "FPR, lower is better"}.items():
        columns = measure(inputs, name)
        places = [(float(n) / 1000, n) for n in columns if n != MEAN]
        panels.append(lines.LinePanel(head, lines_of(inputs, columns, places), "N in thousands"))
    # lines of methods stand 70 records apart
    ylabel = "share of the learned edges"
    return lines.rows_of_lines(panels, ylabel=ylabel, title=title, scale=scale, share=False, spread=0.07)


def gaps_table(inputs: Inputs, *, comparisons: Mapping[str, Mapping[str, Any]]) -> Content:
    """Return what MGCD gains in the rates of the paper over each rival in percent, beside what section 4 says.

    comparisons: by the measure, the `text` of a row, what is `said` of each rival, and whether `lower` is better.
    """
    places = [*sizes(measure(inputs, "tpr"), SIZES), MEAN]
    rows = [
        Row(
            f"{name}_{other}",
            about["text"].format(inputs.labels.get(other, other)),
            "gain",
            tuple(_gain(number(inputs, name, at), other, about, said if at == MEAN else None) for at in places),
        )
        for name, about in comparisons.items()
        for other, said in about["said"].items()
    ]
    return Content("comparison", [*(f"N = {n}" for n in places[:-1]), "Mean over N"], rows)


def _gain(rates: Numbers, other: str, about: Mapping[str, Any], said: str | None) -> Cell:
    sign = -100 if about.get("lower") else 100
    gain = combine(lambda mine, theirs: sign * (mine / theirs - 1), rates[[REFERENCE]][0], rates[[other]][0])
    return replace(cell(gain, reason=NO_RUNS, digits=1), published=said)


# Agreement with print


def printed_together(table: ArtefactTable) -> dict[str, list[int]]:
    """Return all columns with a printed number."""
    return {
        "all N": [k for k in range(len(table.columns)) if any(r.cells[k].published is not None for r in table.rows)]
    }


def panels_together(table: ArtefactTable) -> dict[str, list[int]]:
    """Return the columns of each panel by network and share."""
    return {title.removesuffix(" of the Markov blanket observed"): list(columns) for title, columns in table.panels}


# Claims: the factors are those of the paper, with its "about" in the margin. Only the printed methods take part, so
# that a user's method changes no verdict. Sizes are those of the paper, at a smaller scale those that were run.


def _sizes(inputs: Inputs, columns: Columns, printed: Sequence[int]) -> list[int]:
    run = {name[-1] if isinstance(name, tuple) else name for name in columns}
    kept = [n for n in printed if n in run]
    return list(printed) if inputs.scale.name == "published" or not kept else kept


def _better(text: str, numbers: Numbers, other: str, *, lowest: bool = False) -> Statement:
    """Say that the number of MGCD is higher, or lower, than that of another method."""
    part = ordered(text, numbers, [REFERENCE], [other], "<" if lowest else ">")
    return _with_ratio(part, REFERENCE, other)


def _with_ratio(part: Statement, over: str, under: str) -> Statement:
    """Return a statement with the ratio of two of its numbers."""
    ratio = part.numbers[over] / part.numbers[under] if part.numbers[under] else np.nan
    return replace(part, numbers={**part.numbers, "ratio": ratio})


def rates(inputs: Inputs, *, name: str, factors: Mapping[str, float], lowest: bool = False) -> list[Statement]:
    """Say that MGCD has the better rate than each other method at every N, and by which factors in the mean over N."""
    columns, rate, parts = measure(inputs, name), name.upper(), []
    for other, factor in factors.items():
        called = inputs.labels.get(other, other)
        for n in _sizes(inputs, columns, SIZES):
            text = f"N = {n}: {rate} of MGCD is {'lower' if lowest else 'higher'} than that of {called}"
            parts.append(_better(text, number(inputs, name, n), other, lowest=lowest))
        parts.append(_by_factor(inputs, number(inputs, name), rate, other, factor, lowest=lowest))
    return parts


def _by_factor(inputs: Inputs, numbers: Numbers, rate: str, other: str, factor: float, *, lowest: bool) -> Statement:
    """Say by which factor the mean over N of MGCD is better; that it is better at all is its direction."""
    mine, theirs = numbers[[REFERENCE]], numbers[[other]]
    bound = theirs.map(lambda rows: factor * rows)
    pairs = [(mine, bound), (mine, theirs)] if lowest else [(bound, mine), (theirs, mine)]
    much, direction = (all_of(below(*pair, tie=True)) for pair in pairs)
    called = inputs.labels.get(other, other)
    text = f"Mean {rate} over N of MGCD is at {'most' if lowest else 'least'} {factor:.2f} times that of {called}"
    return _with_ratio(said_of(numbers, [REFERENCE, other], text, much, direction), REFERENCE, other)


def times(inputs: Inputs, *, ranges: Mapping[str, Sequence[float]]) -> list[Statement]:
    """Say between which ratios the run time of other methods to that of MGCD is, at every N with a printed time."""
    columns, parts = measure(inputs, "time"), []
    for n in _sizes(inputs, columns, PRINTED_TIMES):
        for other, (low, high) in ranges.items():
            called = inputs.labels.get(other, other)
            text = f"N = {n}: time of {called} is {low:g} to {high:g} times that of MGCD"
            part = within(text, number(inputs, "time", n), [other], low, high)
            ratios = {f"ratio of {called}": part.numbers[other]}
            parts.append(replace(part, numbers=ratios, intervals={f"ratio of {called}": part.intervals[other]}))
    return parts


def predicts_best(inputs: Inputs, *, won: Mapping[str, int], printed: int) -> list[Statement]:
    """Say of each rival that MGCD predicts as well in every cell of Child, and in as many of Sachs as in print."""
    columns = measure(inputs, "sampled")
    listed = [(share, n) for share in SHARES for n in _sizes(inputs, columns, PREDICTION_SIZES)]
    parts = []
    for other, cells in won.items():
        child, sachs = ([_predicts(inputs, network, *cell, other) for cell in listed] for network in NETWORKS)
        parts += [*child, _mostly(inputs, sachs, other, ceil(len(sachs) * cells / printed))]
    return parts


def _predicts(inputs: Inputs, network: str, share: int, n: int, other: str) -> Statement:
    """Say that MGCD predicts at least as well as a rival in a cell."""
    called = inputs.labels.get(other, other)
    text = f"{network.capitalize()}, {share} %, N = {n}: MGCD predicts at least as well as {called}"
    return ordered(text, number(inputs, "sampled", (network, share, n)), [REFERENCE], [other], ">=", ROUNDING)


def _mostly(inputs: Inputs, cells: Sequence[Statement], other: str, need: int) -> Statement:
    """Say that MGCD predicts at least as well as a rival in so many cells of Sachs."""
    ahead = [part.numbers[REFERENCE] >= part.numbers[other] for part in cells]
    unknown = all(np.isnan(part.numbers[REFERENCE]) for part in cells)
    called = inputs.labels.get(other, other)
    text = f"Sachs: MGCD predicts at least as well as {called} in at least {need} of the {len(cells)} cells"
    won = {"cells won": np.nan if unknown else float(sum(ahead))}
    return Statement(text, at_least(need, *(part.test for part in cells)), won, min(p.replicates or 0 for p in cells))


def more_helps(inputs: Inputs) -> list[Statement]:
    """Say that the mean accuracy of the printed methods is higher with more records and with more observations."""
    sizes = _sizes(inputs, measure(inputs, "sampled_by_size"), PREDICTION_SIZES)
    few, *_, many = sizes if len(sizes) > 1 else PREDICTION_SIZES  # one size alone is compared with nothing
    compared = {
        "sampled_by_size": (f"with N = {many} than with N = {few}", {f"N = {n}": n for n in (few, many)}),
        "sampled_by_share": (
            "with the whole blanket than with 30 % of it",
            {f"{s} %": s for s in (SHARES[0], SHARES[-1])},
        ),
    }
    parts = []
    for network in NETWORKS:
        for name, (words, ends) in compared.items():
            of_ends = {end: number(inputs, name, (network, at)) for end, at in ends.items()}
            each_mean = [each[PRINTED].map(lambda rows: rows.mean(1)) for each in of_ends.values()]
            together = combine(lambda *rows: np.stack(rows, -1), *each_mean)
            means = numbers(together, [*ends], min(each.replicates for each in of_ends.values()))
            text = f"{network.capitalize()}: mean accuracy over the methods is higher {words}"
            low, high = ends
            parts.append(_with_ratio(ordered(text, means, [low], [high], "<", ROUNDING), high, low))
    return parts

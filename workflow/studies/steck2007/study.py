"""What is special in Steck and Jaakkola 2007: what the score chooses on toy data (Figures 1 to 5, claims S1 to S7, S9).

Numbers are means over samples; "the majority" is more than half of the samples. A smaller scale is judged by the
numbers of clusters and records that it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd
from cutpoint.bench.studies.steck2007 import toy

from cutpoint.bench.artefacts.table import Row
from cutpoint.bench.data.schemas import SAMPLES
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inequalities import certain, in_more_than, unknown
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.samples import SAMPLE, cell, count, cube, means, rows_of
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots import densities, lines
from cutpoint.bench.plots.densities import Cloud
from cutpoint.bench.plots.lines import LinePanel
from cutpoint.bench.statistics.comparisons import Share, wilson
from cutpoint.bench.statistics.estimates import Statistic, combine, jackknife
from cutpoint.bench.statistics.verdicts import PValues, Statement, above, all_of, at_least
from cutpoint.plots.style import Figure

KINDS = {"greedy": "optimised,\ngreedy", "exact": "optimised,\nexact", "quantile": "at quantiles"}
OPTIMISED = ("exact", "greedy")
PRINTED_CLUSTERS = 5
PANELS = {  # what the paper says of a panel of Figure 3
    "independent": "equal counts", "dependent": "clusters separated", "low noise": "equal counts",
    "high noise": "clusters separated",
}  # fmt: skip
EQUAL, APART = 0.025, 0.02  # shares of the records: off from equal counts, and on the wrong side of a threshold
FEW, MANY = 3, 5  # levels of Y0 that the paper found with overlapping clusters
SMALL, ENOUGH = 30, 50  # records below which variables are learned as independent, and from which none are
NEARLY_ALL = 0.95  # share of the samples that "none" leaves
ALL = range(2, 11)
STRONG, VERY_STRONG = 3.0, 5.0  # evidence in units of the log score (Kass and Raftery 1995, as the paper has it)
TIMES = 3.0  # what one level too few costs, over what one too many costs (S2)
SAME = 1e-6  # change of L_P that rounding makes (S9)
NAMES = ("Y0", "Y1")
ESS, TOY_ESS = "equivalent sample size", 3.0  # and which one gives the scores of Figure 2 in print


# Figure 2: the score against the number of levels


@dataclass(frozen=True)
class Curve:
    """Mean scores by the number of levels of both variables; one level has the score 0.

    Attributes:
        levels: numbers of levels, sorted, 1 the first.
        means: of their scores, [levels].
    """

    levels: tuple[int, ...]
    means: Statistic

    def ahead(self, levels: int, others: Sequence[int]) -> Statistic:
        """Return by how much a number of levels is ahead of others, [others]; NaN of what was not run."""
        every = self.means.map(lambda rows: np.column_stack([rows, np.full(len(rows), np.nan)]))
        places = [self.levels.index(r) if r in self.levels else -1 for r in (levels, *others)]
        return every[places[0]] - every[places[1:]]

    def others(self, levels: int) -> list[int]:
        """Return all other numbers of levels."""
        return [r for r in self.levels if r != levels]

    def neighbours(self, levels: int) -> list[int]:
        """Return the numbers of levels below and above one; the last has only one."""
        return [r for r in (levels - 1, levels + 1) if r in self.levels]


NOTHING = Curve((), Statistic(np.empty((1, 0)), ()))


@once
def scores(inputs: Inputs, kind: str) -> dict[int, Curve]:
    """Return the mean scores by number of clusters, sorted."""
    rows = rows_of(inputs, "clusters")
    if rows.empty:
        return {}
    (_, clusters, levels), values = cube(
        rows.sort_values(["clusters", "levels"]), SAMPLE, "clusters", "levels", value=kind
    )
    every = means(np.concatenate([np.zeros_like(values[..., :1]), values], axis=2))
    return {k: Curve((1, *levels), every[c]) for c, k in enumerate(clusters)}


def peak(curve: Curve, levels: int) -> PValues:
    """Return the test that a number of levels is a local maximum."""
    return all_of(above(curve.ahead(levels, curve.neighbours(levels)).estimate(), 0.0))


def is_peak(curve: Curve, levels: int) -> bool:
    """Return whether a number of levels is a local maximum of the mean scores."""
    return bool((curve.ahead(levels, curve.neighbours(levels)).rows[0] > 0).all())


def related(clusters: int) -> list[int]:
    """Return the divisors and multiples of a number of clusters that Figure 2 shows, without itself."""
    return [r for r in ALL if r != clusters and (r % clusters == 0 or clusters % r == 0)]


def scores_of_five(inputs: Inputs) -> Content:
    """Return the scores of Figure 2 that are printed, those of five clusters."""
    printed = {int(key): line["score"] for key, line in inputs.printed("figure_2_scores_5_clusters").items()}
    run = {*rows_of(inputs, "clusters").get("levels", ())}
    there = PRINTED_CLUSTERS in scores(inputs, "exact")
    rows = []
    for r in sorted({*printed, *run} - {1}):
        cells = []
        for kind in KINDS:
            score = scores(inputs, kind).get(PRINTED_CLUSTERS, NOTHING).ahead(r, [1])[0]
            published = printed.get(r) if kind in OPTIMISED else None
            cells.append(cell(score, published=published, reason="not run at this scale"))
        rows.append(Row(str(r), str(r), "number of levels", tuple(cells)))
    missing = "" if there else f"{PRINTED_CLUSTERS} clusters are not among those of this scale"
    return Content("levels", ("greedy optimum", "exact optimum", "thresholds at quantiles"), rows, missing=missing)


def score_by_levels(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the score against the number of levels, a panel for every number of clusters."""
    printed, plots = inputs.printed("figure_2_scores_5_clusters"), []
    for k in scores(inputs, "exact"):
        drawn = []
        for kind, label in KINDS.items():
            curve = scores(inputs, kind)[k]
            estimate = curve.means[1:].estimate()
            spread = estimate.interval() if count(inputs, "clusters") > 1 else ()
            drawn.append(lines.Line(label, np.array(curve.levels[1:], float), estimate.value, *spread))
        hollow = {}
        if k == PRINTED_CLUSTERS and printed:
            places = np.array([float(r) for r in printed])
            hollow = {"published": (places, np.array([line["score"] for line in printed.values()]))}
        plots.append(LinePanel(f"{k} clusters", drawn, "number of levels", "score", marked=float(k), hollow=hollow))
    title += " of both variables: L_P minus that of one level per variable,\nmean over data sets and 95 % interval; "
    return lines.plots(plots, columns=2, title=f"{title}the grey line is the true number", scale=scale)


# Figure 3: two levels


def two_levels(inputs: Inputs) -> pd.DataFrame:
    """Return the rows of Figure 3, and whether they show what the paper says of their panel."""
    rows = rows_of(inputs, "dependence")
    if rows.empty:
        return rows
    return rows.assign(
        **{
            "equal counts": (rows["below"] / rows["records"] - 0.5).abs() <= EQUAL,
            "clusters separated": rows["wrong"] / rows["records"] <= APART,
            "one level": (rows["third"] < 0) & (rows["free"] == 1),
        }
    )


def of_panel(inputs: Inputs, panel: str) -> pd.DataFrame:
    """Return the rows of a panel of Figure 3."""
    rows = two_levels(inputs)
    return rows if rows.empty else rows[rows["panel"] == panel]


def both(inputs: Inputs, panel: str, what: str) -> np.ndarray:
    """Return in which samples of a panel something is so for both variables, bool [samples]."""
    rows = of_panel(inputs, panel)
    return np.all(cube(rows, SAMPLE, "variable", value=what)[1], axis=1)


def thresholds_of_two_levels(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the thresholds of two levels, with independent and dependent clusters and with noise."""
    plots = []
    for panel, data in toy.dependence(inputs.scale.seed, 0).items():
        first = of_panel(inputs, panel)[: len(NAMES)]
        below = " and ".join(map(str, first["below"]))
        cuts, share = first["threshold"].to_numpy(), 100 * both(inputs, panel, PANELS[panel]).mean()
        note = f"{below} of {len(data.values)} records below;\n{PANELS[panel]} in {share:.0f} % of the data sets"
        plots.append(Cloud(panel, data.values, (cuts[:1], cuts[1:]), note))
    title += "\ncounts are of the data set shown\nclusters count as separated with at most "
    title += f"{100 * APART:g} % of the records on the wrong side"
    return densities.clouds(plots, names=NAMES, title=title, scale=scale)


# Figure 4: overlapping clusters


def overlapping_clusters(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the discretization of one data set, and how the highest score and the levels depend on the prior."""
    rows = rows_of(inputs, "overlap")
    first = rows.iloc[(rows["ess"] - TOY_ESS).abs().argmin()]
    cuts = np.array(first["thresholds0"].split(), float), np.array(first["thresholds1"].split(), float)
    cloud = Cloud(f"{ESS} {first['ess']:g}", toy.overlapping(inputs.scale.seed, 0).values, cuts)
    plots = []
    for column, head in {"score": "highest score", "levels0": "levels of Y0 with it"}.items():
        (_, priors), values = cube(rows, SAMPLE, "ess", value=column)
        one = lines.Line("one data set", np.array(priors), values[0])
        drawn = [one, _mean("mean over data sets, 95 % interval", priors, values)]
        plots.append(LinePanel("", drawn, ESS, head, named=(1, 4, 7, 10)))
    return densities.above(cloud, plots, names=NAMES, title=title, scale=scale)


def _mean(label: str, x: Sequence[float], values: np.ndarray) -> lines.Line:
    """Return the mean over samples with its interval, values float64 [samples, x]."""
    estimate = jackknife(values.T).estimate()
    return lines.Line(label, np.array(x, float), estimate.value, *estimate.interval())


def _share(label: str, x: Sequence[float], values: np.ndarray) -> lines.Line:
    """Return the share of samples for which it holds with Wilson's interval, values float64 [samples, x]."""
    good = [each[np.isfinite(each)] for each in values.T]
    shares = np.array([wilson(float(each.sum()), len(each)) for each in good])
    return lines.Line(label, np.array(x, float), *shares.T)


# Figure 5: the number of records


def learned_alone(inputs: Inputs) -> pd.DataFrame:
    """Return the rows of the learned graphs whose runs succeeded."""
    rows = rows_of(inputs, "graphs")
    return rows if rows.empty else rows[rows["status"] == OK]


def by_size(inputs: Inputs, column: str) -> tuple[list[list[float]], np.ndarray]:
    """Return the keys of Figure 5 and a column of its rows, see `cube`, float64 [samples, ess, records]."""
    rows = rows_of(inputs, "sizes")
    rows = rows if rows.empty else rows.sort_values(["ess", "records", SAMPLE])
    return cube(rows, SAMPLE, "ess", "records", value=column)


def mean_levels(inputs: Inputs) -> tuple[list[list[float]], np.ndarray]:
    """Return the keys of Figure 5 and the mean number of levels of both variables, as `by_size`."""
    keys, levels = by_size(inputs, "levels0")
    return keys, (levels + by_size(inputs, "levels1")[1]) / 2


def levels_against_records(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the number of levels against the number of records."""
    (_, sizes, records), levels = mean_levels(inputs)
    independent = by_size(inputs, "independent")[1]
    labels, largest = [f"{ESS} {ess:g}" for ess in sizes], int(records[-1])
    drawn = [_mean(label, records, levels[:, a]) for a, label in enumerate(labels)]
    alone = [_share(label, records, independent[:, a]) for a, label in enumerate(labels)]
    cloud = Cloud(f"{largest} records", toy.normal(inputs.scale.seed, 0, largest).values)
    named = tuple(records if len(records) < 5 else records[(len(records) + 1) % 2 :: 2])
    plots = [
        LinePanel(head, each, "records (log scale)", label, log=True, named=named)
        for head, each, label in (
            ("levels of both variables", drawn, "levels"),
            ("learned as independent", alone, "share of the data sets"),
        )
    ]
    return densities.above(cloud, plots, names=NAMES, title=title, scale=scale)


def toy_data(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the toy data with all clusters, which are one data set."""
    data = toy.diagonal(inputs.scale.seed, 0)
    title = f"{title}\n{toy.SIZE} points each"
    one = str(replace(inputs.scale, replicates=1))
    return densities.clouds([Cloud("", data.values)], names=NAMES, title=title, scale=one)


# What the score does not depend on


def changes(inputs: Inputs) -> pd.DataFrame:
    """Return the rows of table_invariance: changes of L_P without their sign, in 1e-9."""
    rows = rows_of(inputs, "invariance")
    return rows.assign(**{kind: 1e9 * rows[kind].abs() for kind in ("policy", "optimum")}) if len(rows) else rows


# Claims


def _numbers_of_clusters(inputs: Inputs, printed: Sequence[int]) -> Sequence[int]:
    """Return the printed numbers of clusters, at a smaller scale those of them that were run."""
    kept = [k for k in printed if k in scores(inputs, "exact")]
    return printed if inputs.scale.name == "published" or not kept else kept


def true_number_is_best(inputs: Inputs) -> list[Statement]:
    """Return S1: the true number of clusters has the highest score, and by how much, which is said of its own."""
    parts = []
    for k in _numbers_of_clusters(inputs, ALL):
        exact, greedy = (scores(inputs, kind).get(k, NOTHING) for kind in OPTIMISED)
        of = f"{k} clusters: the {{}} score of {k} levels is"
        close = f"{of.format('exact')} within {STRONG:g} of the highest"
        parts += [
            _ahead(inputs, f"{of.format('greedy')} the highest", greedy, k),
            _ahead(inputs, close, exact, k, -STRONG),
        ]
        for side, others in {"fewer": range(1, k), "more": range(k + 1, ALL[-1] + 1)}.items():
            there = [r for r in others if r in greedy.levels]
            text = f"{of.format('greedy')} ahead of that of {side} levels by at least {VERY_STRONG:g}"
            parts += [_ahead(inputs, text, greedy, k, VERY_STRONG, there)] if there else []
    return parts


def _ahead(
    inputs: Inputs, text: str, curve: Curve, levels: int, least: float = 0.0, others: Sequence[int] = ()
) -> Statement:
    """Say that a number of levels is ahead of others, all without any, by more than so many units."""
    apart = curve.ahead(levels, others or curve.others(levels))
    if not curve.levels:
        return unknown(text)
    smallest = float(apart.rows[0].min())
    return Statement(text, all_of(above(apart.estimate(), least)), {"ahead": smallest}, count(inputs, "clusters"))


def too_few_costs_more(inputs: Inputs) -> list[Statement]:
    """Return S2: one level too few costs more than one too many, several times as much; one level has the score 0."""
    parts = []
    for k, kind in product(_numbers_of_clusters(inputs, ALL[:-1]), OPTIMISED):
        lost = scores(inputs, kind).get(k, NOTHING).ahead(k, [k - 1, k + 1])
        few, many = lost[0], lost[1]
        times, once = (combine(lambda a, b, n=n: a - n * b, few, many).estimate() for n in (TIMES, 1.0))
        text = f"{k} clusters, {kind}: one level too few costs at least {TIMES:g} times what one too many costs"
        numbers = {"one too few": float(few.rows[0]), "one too many": float(many.rows[0])}
        samples = count(inputs, "clusters")
        parts.append(Statement(text, above(times, 0.0), numbers, samples, direction=above(once, 0.0)))
    return parts


def quantiles_have_local_maxima(inputs: Inputs) -> list[Statement]:
    """Return S3: thresholds at quantiles."""
    parts, panels, peaked = [], [], []
    for k in _numbers_of_clusters(inputs, ALL):
        curve = scores(inputs, "quantile").get(k, NOTHING)
        text = f"{k} clusters: {k} levels have the highest score of thresholds at quantiles"
        parts.append(_ahead(inputs, text, curve, k))
        peaks = [r for r in related(k) if r in curve.levels]
        if peaks:
            panels.append(all_of(*(peak(curve, r) for r in peaks)))
            peaked.append(all(is_peak(curve, r) for r in peaks))
    text = "The divisors and multiples of the true number are local maxima in the majority of panels that show any"
    if not panels:
        return [*parts, unknown(text)]
    majority = at_least(len(panels) // 2 + 1, *panels)
    numbers = {"panels": float(len(panels)), "share": float(np.mean(peaked))}
    return [*parts, Statement(text, majority, numbers, count(inputs, "clusters"))]


def _panel(inputs: Inputs, panel: str, text: str) -> Statement:
    """Say that what the paper says of a panel of Figure 3 holds for both variables in the majority of samples."""
    rows, averages = of_panel(inputs, panel), {}
    if len(rows):
        averages = {f"below, Y{i}": float(rows["below"][rows["variable"] == i].mean()) for i in range(2)}
        averages["levels of the optimum"] = float(rows["free"].mean())
    return in_more_than(text, both(inputs, panel, PANELS[panel]), numbers=averages)


def dependence_moves_thresholds(inputs: Inputs) -> list[Statement]:
    """Return S4: independent and dependent clusters."""
    text = "Independent: three levels are worse than two, and one is best"
    return [
        _panel(inputs, "independent", "Independent: two levels hold equal counts"),
        in_more_than(text, both(inputs, "independent", "one level")),
        _panel(inputs, "dependent", "Dependent: the threshold of two levels separates the clusters"),
    ]


def noise_helps(inputs: Inputs) -> list[Statement]:
    """Return S5: little and much noise."""
    return [
        _panel(inputs, "low noise", "Low noise: two levels hold equal counts"),
        _panel(inputs, "high noise", "High noise: the threshold of two levels separates the clusters"),
    ]


def overlap_gets_levels(inputs: Inputs) -> list[Statement]:
    """Return S6: levels in the region of overlap, at the equivalent sample size with the highest score of a sample."""
    text = f"Y0 has {FEW} to {MANY} levels at the best equivalent sample size in the majority of samples"
    rows = rows_of(inputs, "overlap")
    if rows.empty:
        return [unknown(text)]
    scores, levels = (cube(rows, SAMPLE, "ess", value=column)[1] for column in ("score", "levels0"))
    best = np.take_along_axis(levels, scores.argmax(1)[:, None], 1)[:, 0]
    return [in_more_than(text, (best >= FEW) & (best <= MANY), numbers={"mean levels": float(best.mean())})]


def records_give_levels(inputs: Inputs) -> list[Statement]:
    """Return S7: more levels with more records, and the learned graph of few records and of many."""
    (_, sizes, records), levels = mean_levels(inputs)
    parts = []
    for a, ess in enumerate(sizes):
        averages, first, last = means(levels[:, a]), records[0], records[-1]
        text = f"Equivalent sample size {ess:g}: mean levels with N = {last} exceed those with N = {first}"
        numbers = {f"N = {first}": float(averages.rows[0, 0]), f"N = {last}": float(averages.rows[0, -1])}
        parts.append(Statement(text, above((averages[-1] - averages[0]).estimate(), 0.0), numbers, len(levels)))
    parts = parts or [unknown("Mean levels grow with the number of records")]
    labels = inputs.labels
    learned = {name: labels.get(name, name) for name in learned_alone(inputs).get("method", ())}
    for method, label in (learned or {"": "The learned graph"}).items():
        parts += [
            _learned(inputs, f"{label}: below N = {SMALL} the majority is learned as independent", method, 0, SMALL),
            _learned(inputs, f"{label}: from N = {SMALL} on the majority is learned as dependent", method, SMALL),
            _learned(
                inputs, f"{label}: from N = {ENOUGH} on none is learned as independent (at most {1 - NEARLY_ALL:.0%})",
                method, ENOUGH, least=NEARLY_ALL,
            ),
        ]  # fmt: skip
    return parts


def _learned(inputs: Inputs, text: str, method: str, low: int, high: float = np.inf, least: float = 0.5) -> Statement:
    """Say as what more than a share of the samples of each size in a range is learned: as independent from 0 on."""
    rows = learned_alone(inputs)
    rows = (
        rows if rows.empty else rows[(rows["method"] == method) & (rows["records"] >= low) & (rows["records"] < high)]
    )
    if rows.empty:
        return unknown(text)
    alone = [Share(*counts) for counts in rows[["independent", SAMPLES]].itertuples(index=False)]
    right = alone if low == 0 else [Share(each.count - each.successes, each.count) for each in alone]
    numbers = {f"share independent, N = {n}": each.value for n, each in zip(rows["records"], alone, strict=True)}
    return Statement(text, all_of(*(above(each, least) for each in right)), numbers, min(each.count for each in alone))


def score_is_invariant(inputs: Inputs) -> list[Statement]:
    """Return S9: what L_P does not depend on; exact."""
    kinds = {"policy": "L_P of the same thresholds", "optimum": "the highest L_P"}
    parts = []
    rows = rows_of(inputs, "invariance")
    for change, (kind, subject) in product(dict.fromkeys(rows.get("change", ())), kinds.items()):
        worst = float(rows[kind][rows["change"] == change].abs().max())
        parts.append(certain(f"{subject} is unchanged: {change}", worst <= SAME, {"largest change": worst}))
    return parts or [unknown("L_P is unchanged by monotone transformations and by the order of the records")]

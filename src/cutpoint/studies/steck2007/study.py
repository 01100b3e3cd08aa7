"""What is special in Steck and Jaakkola 2007: what the score chooses on toy data (Figures 1 to 5, claims S1 to S7, S9).

Numbers are means over samples in all bootstrap draws, draw 0 the samples themselves; "the majority" is more than half
of the samples. A smaller scale is judged by the numbers of clusters and records that it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cutpoint.plots import clouds, lines
from cutpoint.plots.clouds import Cloud
from cutpoint.plots.lines import Plot
from cutpoint.plots.style import Figure
from cutpoint.report.artefacts import Cell, Row
from cutpoint.report.claims import Inequality
from cutpoint.statistics.draws import interval
from cutpoint.studies.claims import TIE, truth
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import SAMPLE, cube, mean_cell, means, rows_of
from cutpoint.studies.steck2007 import toy
from cutpoint.studies.tables import Content

KINDS = {"greedy": "optimised,\ngreedy", "exact": "optimised,\nexact", "quantile": "at quantiles"}
OPTIMISED = ("exact", "greedy")
PRINTED_CLUSTERS = 5
PANELS = {  # what the paper says of a panel of Figure 3
    "independent": "equal counts", "dependent": "clusters parted", "low noise": "equal counts",
    "high noise": "clusters parted",
}  # fmt: skip
EQUAL, APART = 0.025, 0.02  # shares of the records: off from equal counts, and on the wrong side of a threshold
OPTIMUM = ("score", "levels0", "levels1")  # columns of an optimum without a constraint
FEW, MANY = 3, 5  # levels of Y0 that the paper found with overlapping clusters
SMALL, ENOUGH = 10, 50  # records with which the variables seem independent, and with which they do not
ALL = range(2, 11)
WITHIN, AHEAD = 3.0, 5.0  # units of the log score: exact and greedy optimum of the true number (S1)
TIMES = 3.0  # what one level too few costs, over what one too many costs (S2)
SAME = 1e-6  # change of L_P that rounding makes (S9)
NAMES = ("Y0", "Y1")
ESS = "equivalent sample size"


# Figure 2: the score against the number of levels


@dataclass(frozen=True)
class Scores:
    """Mean scores of the toy data of Figure 2.

    Attributes:
        clusters, levels: what was run, sorted; the first level is 1, with the score 0.
        values: float64 [D, clusters, levels] by kind of thresholds.
        samples: number of data sets.
    """

    clusters: tuple[int, ...]
    levels: tuple[int, ...]
    values: dict[str, np.ndarray]
    samples: int

    def at(self, kind: str, clusters: int, levels: int) -> np.ndarray:
        """Return one mean score in every draw, NaN where it was not run."""
        if clusters not in self.clusters or levels not in self.levels:
            return np.full(1, np.nan)
        return self.values[kind][:, self.clusters.index(clusters), self.levels.index(levels)]

    def best(self, kind: str, clusters: int, *, without: int | None = None) -> np.ndarray:
        """Return the highest mean score over the numbers of levels in every draw."""
        kept = [i for i, r in enumerate(self.levels) if r != without]
        if clusters not in self.clusters or not kept:
            return np.full(1, np.nan)
        return self.values[kind][:, self.clusters.index(clusters), kept].max(1)

    def best_levels(self, kind: str, clusters: int) -> int:
        """Return the number of levels with the highest mean score of the samples."""
        return self.levels[int(self.values[kind][0, self.clusters.index(clusters)].argmax())]

    def peaks(self, kind: str, clusters: int) -> np.ndarray:
        """Return which numbers of levels are above their neighbours, bool [D, levels]; the last has only one."""
        values = self.values[kind][:, self.clusters.index(clusters)]
        outside = np.full((len(values), 1), -np.inf)
        return (values > np.hstack([outside, values[:, :-1]])) & (values > np.hstack([values[:, 1:], outside]))

    def cell(self, values: np.ndarray, *, published: float | None = None, reason: str = "", digits: int = 2) -> Cell:
        """Return a number in all draws as the cell of a table, with its interval where there are several samples."""
        if np.isnan(values[0]):
            return Cell(published=published, reason=reason)
        low, high = interval(values[1:]) if self.samples > 1 else (np.nan, np.nan)
        return Cell(float(values[0]), published, float(low), float(high), digits=digits)


def scores(inputs: Inputs) -> Scores:
    """Return the scores by number of clusters and of levels."""
    return inputs.once("scores", lambda: _scores(inputs))


def _scores(inputs: Inputs) -> Scores:
    rows = sorted(rows_of(inputs, "clusters"), key=lambda row: (row["clusters"], row["levels"]))
    result = {}
    for kind in KINDS:
        (samples, clusters, levels), values = cube(rows, SAMPLE, "clusters", "levels", value=kind)
        values = np.concatenate([np.zeros((*values.shape[:2], 1)), values], 2)
        result[kind] = means(inputs, values) if samples else values[:1]
    return Scores(tuple(clusters), (1, *levels), result, len(samples))


def related(clusters: int) -> list[int]:
    """Return the divisors and multiples of a number of clusters that Figure 2 shows, without itself."""
    return [r for r in ALL if r != clusters and (r % clusters == 0 or clusters % r == 0)]


def scores_of_five(inputs: Inputs) -> Content:
    """Return the scores of Figure 2 that are printed, those of five clusters."""
    printed = {int(key): line["score"] for key, line in inputs.printed("figure_2_scores_5_clusters").items()}
    result, rows = scores(inputs), []
    there = PRINTED_CLUSTERS in result.clusters
    why = "not run at this scale" if there else ""
    for r in sorted({*printed, *result.levels} - {1}):
        cells = [
            result.cell(
                result.at(kind, PRINTED_CLUSTERS, r),
                published=printed.get(r) if kind in OPTIMISED or not there else None,
                reason=why,
            )
            for kind in KINDS
        ]
        rows.append(Row(str(r), str(r), "number of levels", tuple(cells)))
    missing = "" if there else f"{PRINTED_CLUSTERS} clusters are not among those of this scale"
    columns = ("greedy optimum", "exact optimum", "thresholds at quantiles")
    return Content("levels", columns, rows, missing=missing)


def chosen_levels(inputs: Inputs) -> Content:
    """Return what Figure 2 says of every number of clusters."""
    result, columns, rows = scores(inputs), [], []
    for kind in OPTIMISED:
        columns += [f"best levels, {kind}", f"one too few, {kind}", f"one too many, {kind}", f"next best, {kind}"]
    columns += ["best levels, quantiles", "divisors and multiples", "local maxima"]
    for k in result.clusters:
        cells = []
        for kind in OPTIMISED:
            others = result.at(kind, k, k - 1), result.at(kind, k, k + 1), result.best(kind, k, without=k)
            ahead = (result.at(kind, k, k) - other for other in others)
            cells += [Cell(result.best_levels(kind, k)), *(result.cell(a, reason="not run", digits=1) for a in ahead)]
        peaks = result.peaks("quantile", k)[0]
        local = [r for r, peak in zip(result.levels, peaks, strict=True) if peak]
        cells += [Cell(result.best_levels("quantile", k))]
        cells += [Cell(", ".join(map(str, each)) or "none") for each in (related(k), local)]
        rows.append(Row(str(k), str(k), "", tuple(cells)))
    panels = ("greedy", range(4, 8)), ("exact", range(4)), ("quantiles", range(8, 11))
    return Content("clusters", columns, rows, panels)


def score_by_levels(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the score against the number of levels, a panel for every number of clusters."""
    result, printed = scores(inputs), inputs.printed("figure_2_scores_5_clusters")
    x, shown = np.array(result.levels[1:], float), []
    for c, k in enumerate(result.clusters):
        drawn = []
        for kind, label in KINDS.items():
            draws = result.values[kind][:, c, 1:]
            low, high = interval(draws[1:]) if result.samples > 1 else (np.empty(0), np.empty(0))
            drawn.append(lines.Line(label, x, draws[0], low, high))
        hollow = {}
        if k == PRINTED_CLUSTERS and printed:
            places = np.array([float(r) for r in printed])
            hollow = {"published": (places, np.array([line["score"] for line in printed.values()]))}
        shown.append(Plot(f"{k} clusters", drawn, "number of levels", "score", marked=float(k), hollow=hollow))
    title += " of both variables: L_P minus that of one level per variable,\nmean over data sets and 95 % interval; "
    return lines.plots(shown, title=f"{title}the grey line is the true number", scale=scale)


def levels_answer(inputs: Inputs) -> str | None:
    """Say how often the score has its highest value at the true number of levels."""
    result = scores(inputs)
    if not result.clusters:
        return None
    right = {kind: sum(result.best_levels(kind, k) == k for k in result.clusters) for kind in KINDS}
    return (
        f"Levels: with k well-separated clusters Steck's score is highest at k levels for {right['exact']} of "
        f"{len(result.clusters)} values of k when the thresholds are exact, for {right['greedy']} when they are greedy "
        f"and for {right['quantile']} at quantiles."
    )


# Figure 3: two levels


def two_levels(inputs: Inputs, panel: str) -> dict[str, np.ndarray]:
    """Return columns of a panel of Figure 3, float64 [samples, 2] by variable; empty without runs.

    Besides those of the experiment: whether the levels have equal counts, and whether the threshold parts the
    clusters.
    """
    rows = [row for row in rows_of(inputs, "dependence") if row["panel"] == panel]
    names = ("threshold", "below", "wrong", "records", "free", "third")
    result = {name: cube(rows, SAMPLE, "variable", value=name)[1].reshape(-1, 2) for name in names}
    result["equal counts"] = (np.abs(result["below"] / result["records"] - 0.5) <= EQUAL).astype(float)
    result["clusters parted"] = (result["wrong"] / result["records"] <= APART).astype(float)
    return result


def shares_of_two_levels(inputs: Inputs) -> Content:
    """Return what Figure 3 shows, over all samples."""
    columns = {name: name for name in ("below", "equal counts", "clusters parted")}
    columns |= {"free levels": "free", "third level": "third"}
    rows = []
    for panel, said in PANELS.items():
        result = two_levels(inputs, panel)
        for i in range(2 if len(result["below"]) else 0):
            cells = tuple(mean_cell(inputs, result[name][:, i]) for name in columns.values())
            rows.append(Row(f"{panel}_{i}", f"{panel}, Y{i}", said, cells))
    return Content("panel", tuple(columns), rows)


def cap_of_free_levels(inputs: Inputs) -> list[str]:
    """Return a sentence on the most levels that the optimum of Figure 3 may have, where the rows tell."""
    most = sorted({int(row["max_levels"]) for row in rows_of(inputs, "dependence") if "max_levels" in row})
    return [f"Free levels: at most {n} per variable, the option max_levels." for n in most]


def thresholds_of_two_levels(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the thresholds of two levels, with independent and dependent clusters and with noise."""
    shown = []
    for panel, data in toy.dependence(inputs.scale.seed, 0).items():
        result, said = two_levels(inputs, panel), PANELS[panel]
        cuts = result["threshold"][0]
        below = " and ".join(f"{count:.0f}" for count in result["below"][0])
        share = 100 * result[said].all(1).mean()
        note = f"{below} of {len(data.values)} records below;\n{said} in {share:.0f} % of the data sets"
        shown.append(Cloud(panel, data.values, (cuts[:1], cuts[1:]), note))
    title += "\ncounts are of the data set shown\nclusters count as parted with at most "
    title += f"{100 * APART:g} % of the records on the wrong side"
    return clouds.clouds(shown, names=NAMES, title=title, scale=scale)


# Figure 4: overlapping clusters


def overlap(inputs: Inputs) -> tuple[list[float], dict[str, np.ndarray]]:
    """Return the equivalent sample sizes, and the highest score and levels under each, float64 [samples, ess]."""
    result = {name: cube(rows_of(inputs, "overlap"), SAMPLE, "ess", value=name) for name in OPTIMUM}
    (_, ess), _ = result["score"]
    return ess, {name: values for name, (_, values) in result.items()}


def at_best_prior(result: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the same at the equivalent sample size with the highest score of each sample, float64 [samples]."""
    best = result["score"].argmax(1)
    return {name: values[np.arange(len(best)), best] for name, values in result.items()}


def few_levels(levels: np.ndarray) -> np.ndarray:
    """Return where Y0 has as many levels as the paper found."""
    return np.asarray((levels >= FEW) & (levels <= MANY))


def levels_by_prior(inputs: Inputs) -> Content:
    """Return the numbers of Figure 4."""
    (priors, result), rows = overlap(inputs), []
    shown = {f"{ess:g}": {name: values[:, a] for name, values in result.items()} for a, ess in enumerate(priors)}
    shown |= {"best of each data set": at_best_prior(result)} if shown else {}
    for name, each in shown.items():
        columns = *each.values(), few_levels(each["levels0"]).astype(float)
        rows.append(Row(name, name, "", tuple(mean_cell(inputs, column) for column in columns)))
    return Content(ESS, ("highest score", "levels of Y0", "levels of Y1", f"{FEW} to {MANY} levels of Y0"), rows)


def overlapping_clusters(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw overlapping clusters, their thresholds, and the influence of the prior."""
    priors, result = overlap(inputs)
    best = priors[int(result["score"][0].argmax())]
    row = next(r for r in rows_of(inputs, "overlap") if r["sample"] == 0 and r["ess"] == best)
    cuts = [np.array(str(row[f"thresholds{i}"]).split(), float) for i in range(2)]
    cloud = Cloud(
        "highest score of this data set",
        toy.overlapping(inputs.scale.seed, 0).values,
        (cuts[0], cuts[1]),
        f"{len(cuts[0]) + 1} and {len(cuts[1]) + 1} levels,\n{ESS} {best:g}",
    )
    shown, x = [], np.array(priors)
    for name, head, label in (
        ("score", "highest score", "score, one level = 0"),
        ("levels0", "number of levels of Y0", "levels"),
    ):
        values = result[name]
        drawn = [lines.Line("this data set", x, values[0]), _spread("mean and sd", x, values)]
        shown.append(Plot(head, drawn, ESS, label, named=(1, 4, 7, 10), integer=name != "score"))
    return clouds.beside(cloud, shown, names=NAMES, title=title, scale=scale)


def _spread(label: str, x: np.ndarray, values: np.ndarray) -> lines.Line:
    """Return mean and standard deviation over samples, values float64 [samples, x]."""
    mean, sd = values.mean(0), values.std(0)
    return lines.Line(label, x, mean, mean - sd, mean + sd)


# Figure 5: the number of records


class Sizes(NamedTuple):
    """Optima of normal samples.

    Attributes:
        ess, records: what was run, sorted.
        levels: float64 [samples, ess, records], mean over both variables.
        independent: float64 [samples, ess, records], 1 where nothing is above one level per variable.
    """

    ess: list[float]
    records: list[int]
    levels: np.ndarray
    independent: np.ndarray


def sizes(inputs: Inputs) -> Sizes:
    """Return the optima by sample size."""
    rows = sorted(rows_of(inputs, "sizes"), key=lambda r: (r["ess"], r["records"], r[SAMPLE]))
    keys = (SAMPLE, "ess", "records")
    (_, ess, records), independent = cube(rows, *keys, value="independent")
    levels = [cube(rows, *keys, value=f"levels{i}")[1] for i in range(2)]
    return Sizes(ess, records, np.mean(levels, 0), independent)


def levels_by_records(inputs: Inputs) -> Content:
    """Return the numbers of Figure 5."""
    result, rows = sizes(inputs), []
    for a, ess in enumerate(result.ess):
        for what, values in (("mean levels", result.levels), ("share learned as independent", result.independent)):
            cells = tuple(mean_cell(inputs, values[:, a, k]) for k in range(len(result.records)))
            rows.append(Row(f"{what}_{ess:g}", f"{what}, {ESS} {ess:g}", what, cells))
    return Content("measure", tuple(f"N = {n}" for n in result.records), rows)


def levels_against_records(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the number of levels against the number of records."""
    result = sizes(inputs)
    x, labels, largest = np.array(result.records, float), [f"{ESS} {ess:g}" for ess in result.ess], result.records[-1]
    drawn = [_spread(label, x, result.levels[:, a]) for a, label in enumerate(labels)]
    alone = [lines.Line(label, x, result.independent[:, a].mean(0)) for a, label in enumerate(labels)]
    cloud = Cloud(f"{largest} records", toy.normal(inputs.scale.seed, 0, largest).values)
    named = tuple(result.records if len(result.records) < 5 else result.records[(len(result.records) + 1) % 2 :: 2])
    shown = [
        Plot(head, each, "records (log scale)", label, log=True, named=named)
        for head, each, label in (
            ("levels of both variables, mean and sd", drawn, "levels"),
            ("learned as independent", alone, "share of the data sets"),
        )
    ]
    return clouds.beside(cloud, shown, names=NAMES, title=title, scale=scale)


def toy_data(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the toy data with all clusters, which are one data set."""
    data = toy.diagonal(inputs.scale.seed, 0)
    title = f"{title}\nof {toy.SIZE} points each"
    one = str(replace(inputs.scale, replicates=1))
    return clouds.clouds([Cloud("", data.values)], names=NAMES, title=title, columns=1, scale=one)


# What the score does not depend on


def largest_changes(inputs: Inputs) -> dict[str, dict[str, float]]:
    """Return by how much L_P of the same policy and the highest L_P change at most, by change of the data."""
    rows = rows_of(inputs, "invariance")
    return {
        change: {kind: max(abs(row[kind]) for row in rows if row["change"] == change) for kind in ("policy", "optimum")}
        for change in dict.fromkeys(row["change"] for row in rows)
    }


def invariance(inputs: Inputs) -> Content:
    """Return by how much L_P changes under monotone transformations (claim S9)."""
    rows = [
        Row(change, change, "", tuple(Cell(f"{worst:.2g}") for worst in result.values()))
        for change, result in largest_changes(inputs).items()
    ]
    return Content("change", ("same policy", "optimum"), rows)


# Claims


def _part(
    text: str, condition: np.ndarray, sides: Sequence[np.ndarray], numbers: Mapping[str, np.ndarray], units: int
) -> Inequality:
    """Return an inequality that is unknown where one of its sides is; its numbers are those of the first draw."""
    return Inequality(text, truth(condition, *sides), {name: float(n[0]) for name, n in numbers.items()}, units)


def _unknown(text: str) -> Inequality:
    return Inequality(text, np.full(1, np.nan), {}, 0)


def _majority(inputs: Inputs, text: str, holds: np.ndarray, numbers: Mapping[str, float] | None = None) -> Inequality:
    """Say that something holds in more than half of the samples, bool or float64 [samples]."""
    if not len(holds):
        return _unknown(text)
    share = means(inputs, np.asarray(holds, float))
    return Inequality(text, truth(share > 0.5, share), {"share": float(share[0]), **(numbers or {})}, len(holds))


def _asked(inputs: Inputs, printed: Sequence[int], run: Sequence[int]) -> list[int]:
    """Return the printed numbers, at another scale than the paper's those of them that were run."""
    kept = [k for k in printed if k in run]
    return list(printed) if inputs.scale.name == "published" or not kept else kept


def true_number_is_best(inputs: Inputs) -> list[Inequality]:
    """Return S1: the true number of clusters has the highest score."""
    result, parts = scores(inputs), []
    for k in _asked(inputs, ALL, result.clusters):
        true, best = result.at("exact", k, k), result.best("exact", k)
        text = f"{k} clusters: the exact score of {k} levels is within {WITHIN:g} of the highest"
        holds = true >= best - WITHIN - TIE
        parts.append(_part(text, holds, (true, best), {"behind": best - true}, result.samples))
        true, other = result.at("greedy", k, k), result.best("greedy", k, without=k)
        text = f"{k} clusters: the greedy score of {k} levels is ahead of all others by at least {AHEAD:g}"
        holds = true >= other + AHEAD - TIE
        parts.append(_part(text, holds, (true, other), {"ahead": true - other}, result.samples))
    return parts


def too_few_costs_more(inputs: Inputs) -> list[Inequality]:
    """Return S2: one level too few costs more than one too many; one level has the score 0."""
    result, parts = scores(inputs), []
    for k in _asked(inputs, ALL[:-1], result.clusters):
        for kind in OPTIMISED:
            loss, excess = (result.at(kind, k, k) - result.at(kind, k, r) for r in (k - 1, k + 1))
            text = f"{k} clusters, {kind}: one level too few costs at least {TIMES:g} times what one too many costs"
            numbers = {"one too few": loss, "one too many": excess}
            parts.append(_part(text, loss >= TIMES * excess - TIE, (loss, excess), numbers, result.samples))
    return parts


def quantiles_have_local_maxima(inputs: Inputs) -> list[Inequality]:
    """Return S3: thresholds at quantiles."""
    result, parts, panels = scores(inputs), [], []
    for k in _asked(inputs, ALL, result.clusters):
        true, other = result.at("quantile", k, k), result.best("quantile", k, without=k)
        text = f"{k} clusters: {k} levels have the highest score of thresholds at quantiles"
        parts.append(_part(text, true > other + TIE, (true, other), {"ahead": true - other}, result.samples))
        if related(k) and k in result.clusters:
            peaks = result.peaks("quantile", k)
            panels.append(peaks[:, [result.levels.index(r) for r in related(k) if r in result.levels]].all(1))
    text = "The divisors and multiples of the true number are local maxima in the majority of panels that show any"
    if not panels:
        return [*parts, _unknown(text)]
    share = np.mean(panels, 0)
    numbers = {"panels": np.array([len(panels)]), "share": share}
    return [*parts, _part(text, share > 0.5, (share,), numbers, result.samples)]


def _panel(inputs: Inputs, panel: str, text: str) -> Inequality:
    """Say that what the paper says of a panel of Figure 3 holds for both variables in the majority of samples."""
    result = two_levels(inputs, panel)
    numbers = {f"below, Y{i}": float(result["below"][:, i].mean()) for i in range(2)} if len(result["below"]) else {}
    numbers |= {"levels of the optimum": float(result["free"].mean())} if numbers else {}
    return _majority(inputs, text, np.min(result[PANELS[panel]], axis=1, initial=1.0), numbers)


def dependence_moves_thresholds(inputs: Inputs) -> list[Inequality]:
    """Return S4: independent and dependent clusters."""
    result = two_levels(inputs, "independent")
    fewest = np.all((result["third"] < 0) & (result["free"] == 1), axis=1)
    return [
        _panel(inputs, "independent", "Independent: two levels hold equal counts"),
        _majority(inputs, "Independent: three levels are worse than two, and one is best", fewest),
        _panel(inputs, "dependent", "Dependent: the threshold of two levels parts the clusters"),
    ]


def noise_helps(inputs: Inputs) -> list[Inequality]:
    """Return S5: little and much noise."""
    return [
        _panel(inputs, "low noise", "Low noise: two levels hold equal counts"),
        _panel(inputs, "high noise", "High noise: the threshold of two levels parts the clusters"),
    ]


def overlap_gets_levels(inputs: Inputs) -> list[Inequality]:
    """Return S6: levels in the region of overlap."""
    text = f"Y0 has {FEW} to {MANY} levels at the best equivalent sample size in the majority of samples"
    if not rows_of(inputs, "overlap"):
        return [_unknown(text)]
    levels = at_best_prior(overlap(inputs)[1])["levels0"]
    return [_majority(inputs, text, few_levels(levels), {"mean levels": float(levels.mean())})]


def records_give_levels(inputs: Inputs) -> list[Inequality]:
    """Return S7: more levels with more records, and none too many with few."""
    result, parts = sizes(inputs), []
    if not result.records:
        return [_unknown("Levels grow with the number of records")]
    levels, independent = (means(inputs, values) for values in (result.levels, result.independent))
    first, last, units = result.records[0], result.records[-1], len(result.levels)
    for a, ess in enumerate(result.ess):
        head, alone = f"Equivalent sample size {ess:g}", independent[:, a]
        low, high = levels[:, a, 0], levels[:, a, -1]
        text = f"{head}: mean levels with N = {last} exceed those with N = {first}"
        numbers = {f"N = {first}": low, f"N = {last}": high}
        parts.append(_part(text, high > low + TIE, (low, high), numbers, units))
        text = f"{head}: the majority of samples with N = {SMALL} is learned as independent"
        few = alone[:, result.records.index(SMALL)] if SMALL in result.records else np.full(1, np.nan)
        parts.append(_part(text, few > 0.5, (few,), {"share": few}, units))
        text = f"{head}: no sample with N of at least {ENOUGH} is learned as independent"
        large = [k for k, n in enumerate(result.records) if n >= ENOUGH]
        share = alone[:, large].max(1) if large else np.full(1, np.nan)
        parts.append(_part(text, share == 0, (share,), {"share": share}, units))
    return parts


def score_is_invariant(inputs: Inputs) -> list[Inequality]:
    """Return S9: what L_P does not depend on; exact."""
    said = {"policy": "L_P of a policy", "optimum": "the highest L_P found"}
    parts = [
        Inequality(
            f"{said[kind]} is unchanged: {change}", np.array([float(worst <= SAME)]), {"largest change": worst}, None
        )
        for change, result in largest_changes(inputs).items()
        for kind, worst in result.items()
    ]
    return parts or [_unknown("L_P is unchanged by monotone transformations and by the order of the records")]

"""All figures of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from cutpoint.plots import circles, clouds, lines, style
from cutpoint.plots.clouds import Cloud
from cutpoint.plots.lines import Plot
from cutpoint.report.artefacts import Row
from cutpoint.statistics.draws import interval
from cutpoint.studies import figures
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import absent, rows_of, scale_of
from cutpoint.studies.steck2007 import additions, comparisons, edges, evidence, learned, toy
from cutpoint.studies.steck2007.evidence import KINDS, PANELS

NAMES = ("Y0", "Y1")
SCORE = "L_P minus that of one level"
ESS, LEVELS = "equivalent sample size", "number of levels"
LABELS = {"greedy": "optimised,\ngreedy", "exact": "optimised,\nexact", "quantile": "at quantiles"}


def figure_1(inputs: Inputs) -> Figure:
    """Draw Figure 1: the toy data with all clusters."""
    data = toy.diagonal(inputs.scale.seed, 0)
    title = f"Figure 1: toy data with all {toy.MOST} clusters\nof {toy.SIZE} points each"
    scale = replace(inputs.scale, replicates=1)
    return clouds.clouds([Cloud("", data.values)], names=NAMES, title=title, columns=1, scale=str(scale))


def figure_2(inputs: Inputs) -> Figure:
    """Draw Figure 2: the score against the number of levels, a panel for every number of clusters."""
    title, scale = "Figure 2: score against the number of levels", str(scale_of(inputs, "clusters"))
    if reason := absent(inputs, "clusters"):
        return style.absent(title, reason, scale)
    found = evidence.scores(inputs)
    printed = inputs.printed("figure_2_scores_5_clusters")
    x = np.array(found.levels[1:], float)
    shown = []
    for c, k in enumerate(found.clusters):
        drawn = []
        for kind in KINDS:
            draws = found.values[kind][:, c, 1:]
            low, high = interval(draws[1:]) if found.samples > 1 else (np.empty(0), np.empty(0))
            drawn.append(lines.Line(LABELS[kind], x, draws[0], low, high))
        hollow = {}
        if k == comparisons.PRINTED_CLUSTERS and printed:
            places = np.array([float(r) for r in printed])
            hollow = {"published": (places, np.array([line["score"] for line in printed.values()]))}
        shown.append(Plot(f"{k} clusters", drawn, LEVELS, "score", marked=float(k), hollow=hollow))
    title += f" of both variables: {SCORE} per variable,\nmean over data sets and 95 % interval; the grey line is the "
    return lines.plots(shown, title=title + "true number", scale=scale)


def figure_3(inputs: Inputs) -> Figure:
    """Draw Figure 3: thresholds of two levels, with independent and dependent clusters and with noise."""
    title, scale = "Figure 3: two levels, thresholds with the highest score", str(scale_of(inputs, "dependence"))
    if reason := absent(inputs, "dependence"):
        return style.absent(title, reason, scale)
    shown = []
    for panel, data in toy.dependence(inputs.scale.seed, 0).items():
        found = evidence.two_levels(inputs, panel)
        cuts = tuple(found["threshold"][0, [i]] for i in range(2))
        below = " and ".join(f"{count:.0f}" for count in found["below"][0])
        kind = "equal" if panel in ("independent", "low noise") else "apart"
        share = 100 * found[kind].all(1).mean()
        said = "equal counts" if kind == "equal" else "clusters parted"
        note = f"{below} of {len(data.values)} records below;\n{said} in {share:.0f} % of the data sets"
        shown.append(Cloud(panel, data.values, (cuts[0], cuts[1]), note))
    assert [cloud.title for cloud in shown] == list(PANELS)
    title += "\ncounts are of the data set shown\nclusters count as parted with at most "
    title += f"{100 * evidence.APART:g} % of the records on the wrong side"
    return clouds.clouds(shown, names=NAMES, title=title, scale=scale)


def figure_4(inputs: Inputs) -> Figure:
    """Draw Figure 4: overlapping clusters, their thresholds, and the influence of the prior."""
    title, scale = "Figure 4: overlapping clusters", str(scale_of(inputs, "overlap"))
    found = evidence.prior(inputs)
    if found is None:
        return style.absent(title, absent(inputs, "overlap"), scale)
    best = found.ess[int(found.best[0])]
    row = next(r for r in rows_of(inputs, "overlap") if r["sample"] == 0 and r["ess"] == best)
    cuts = [np.array(str(row[f"thresholds{i}"]).split(), float) for i in range(2)]
    cloud = Cloud(
        "highest score of this data set",
        toy.overlapping(inputs.scale.seed, 0).values,
        (cuts[0], cuts[1]),
        f"{len(cuts[0]) + 1} and {len(cuts[1]) + 1} levels,\n{ESS} {best:g}",
    )
    shown = []
    for name, label in (("score", "score, one level = 0"), ("levels0", "levels")):
        values = getattr(found, name)
        mean, sd = values.mean(0), values.std(0)
        x = np.array(found.ess)
        drawn = [lines.Line("this data set", x, values[0]), lines.Line("mean and sd", x, mean, mean - sd, mean + sd)]
        head = "highest score" if name == "score" else "number of levels of Y0"
        shown.append(Plot(head, drawn, ESS, label, named=(1, 4, 7, 10), integer=name != "score"))
    return clouds.beside(cloud, shown, names=NAMES, title=title, scale=scale)


def figure_5(inputs: Inputs) -> Figure:
    """Draw Figure 5: the number of levels against the number of records."""
    title, scale = "Figure 5: number of levels against the number of records", str(scale_of(inputs, "sizes"))
    found = evidence.sizes(inputs)
    if found is None:
        return style.absent(title, absent(inputs, "sizes"), scale)
    x, drawn = np.array(found.records, float), []
    alone = []
    for a, ess in enumerate(found.ess):
        mean, sd = found.levels[:, a].mean(0), found.levels[:, a].std(0)
        drawn.append(lines.Line(f"{ESS} {ess:g}", x, mean, mean - sd, mean + sd))
        alone.append(lines.Line(f"{ESS} {ess:g}", x, found.independent[:, a].mean(0)))
    largest = found.records[-1]
    cloud = Cloud(f"{largest} records", toy.normal(inputs.scale.seed, 0, largest).values)
    records = "records (log scale)"
    named = found.records if len(found.records) < 5 else found.records[(len(found.records) + 1) % 2 :: 2]
    shown = [
        Plot("levels of both variables, mean and sd", drawn, records, "levels", log=True, named=named),
        Plot("learned as independent", alone, records, "share of the data sets", log=True, named=named),
    ]
    return clouds.beside(cloud, shown, names=NAMES, title=title, scale=scale)


def figure_6(inputs: Inputs) -> Figure:
    """Draw Figure 6: edges against the number of levels, ours and those of the paper."""
    title, scale = "Figure 6: edges of the learned network", str(inputs.scale_of(edges.GRID))
    if reason := edges.missing(inputs):
        return style.absent(title, reason, scale)
    shown = [_edges("reproduced: " + edges.label(inputs, edges.dataset(inputs)).split(",")[0], edges.spread(inputs))]
    if printed := inputs.printed("figure_6_edges"):
        shown.append(_edges("published: yeast, 33 variables", edges.printed_spread(printed)))
    title += f", mean and sd over jackknife samples\n{edges.about(inputs)}"
    return lines.plots(shown, title=title, columns=2, scale=scale)


def _edges(head: str, spread: dict[str, tuple[float, float]]) -> Plot:
    """Return a panel of Figure 6 from means and standard deviations by method."""
    drawn = []
    for kind, label in edges.KINDS.items():
        numbers = sorted(int(name.removeprefix(kind)) for name in spread if name.startswith(kind))
        mean, sd = np.array([spread[f"{kind}{r}"] for r in numbers], float).reshape(-1, 2).T
        drawn.append(lines.Line(label, np.array(numbers, float), mean, mean - sd, mean + sd))
    ends = np.concatenate([line.x for line in drawn])
    if edges.BOTH in spread and ends.size:
        mean_, sd_ = spread[edges.BOTH]
        head += f"\nboth optimised: {mean_:.1f} ± {sd_:.1f} edges"
        drawn.append(lines.Line(edges.OPTIMISED, np.array([ends.min(), ends.max()]), np.full(2, mean_)))
    return Plot(head, drawn, LEVELS, "edges")


def figure_7(inputs: Inputs) -> Figure:
    """Draw Figure 7: the composite graph."""
    title = "Figure 7: composite graph"
    found = edges.composite(inputs)
    if isinstance(found, str):
        return style.absent(title, found, str(inputs.scale_of(edges.GRID)))
    variables, rows, samples = found
    title += f" of {samples} jackknife samples\nthat leave out 30 records"
    title += "; numbers: percent of the samples\n" if len(variables) <= circles.MANY else "\n"
    legend = {
        "solid": f"above {100 * edges.SOLID:g} %",
        "dashed": f"above {100 * edges.DASHED:g} %",
    }
    title += edges.about(inputs).replace("; ", ";\n")
    scale = replace(inputs.scale, replicates=samples)
    return circles.composite(variables, rows, legend=legend, title=title, scale=str(scale))


def figure_ess(inputs: Inputs) -> Figure:
    """Draw the cross-validated score against the equivalent sample size."""
    table = learned.table_ess(inputs)
    title, scale = "Equivalent sample size by cross-validation: log score per held-out record", str(table.scale)
    if table.missing:
        return style.absent(title, table.missing, scale)
    x = np.array([float(row.key) for row in table.rows])
    y, error = (np.array([row.cells[k].reproduced for row in table.rows], float) for k in (1, 2))
    drawn = [lines.Line("score", x, y, y - error, y + error)]
    graph = Plot(
        "", drawn, f"{ESS} (log scale)", "difference to the maximum", log=True,
        marked=float(learned.PRINTED_ESS), named=(1, 3, 10, 25, 60, 150),
    )  # fmt: skip
    title += ", mean and standard error over folds;\nthe grey line is what the paper found\n"
    title += table.notes[0]
    return lines.plots([graph], title=title, columns=1, scale=scale)


def _point(row: Row, column: str) -> tuple[str, str]:
    """Return the label and the category of a point; room is scarce."""
    return row.label, row.category.removeprefix("thresholds ")


def figure_agreement(inputs: Inputs, name: str) -> Figure:
    """Draw published against reproduced numbers."""
    if name == additions.YEAST and (reason := edges.incomparable(inputs)):
        title = f"Table {name}: published against reproduced"
        return style.absent(title, reason, str(inputs.scale_of(edges.GRID)))
    compared = additions.PRINTED_TABLES[name]
    kinds = dict.fromkeys(_point(row, "")[1] for row in compared.table(inputs).rows)
    looks = {kind: (style.look(k)["color"], style.look(k)["marker"]) for k, kind in enumerate(kinds)}
    return figures.figure_agreement(inputs, name, compared, point=_point, looks=looks)


FIGURES: dict[str, Callable[[Inputs], Figure]] = {
    "figure_1": figure_1,
    "figure_2": figure_2,
    "figure_3": figure_3,
    "figure_4": figure_4,
    "figure_5": figure_5,
    "figure_6": figure_6,
    "figure_7": figure_7,
    "figure_ess": figure_ess,
    **{f"figure_agreement_{name}": partial(figure_agreement, name=f"of Figure {name}") for name in ("2", "6")},
}

"""The tables of Mabrouk 2015, and those that show what its figures and claims rest on."""

from __future__ import annotations

from cutpoint.report.artefacts import Row, Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.mabrouk2015 import evidence
from cutpoint.studies.mabrouk2015.evidence import KEYS, PREDICTION_SIZES, REFERENCE, SIZES, is_learned
from cutpoint.studies.numbers import MEAN, Columns, grouped
from cutpoint.studies.tables import Column, everything, of_methods, sizes

INTERVALS = "with 95 % intervals from a bootstrap over the networks"
CONVENTIONS = {  # heading, and what is shown
    "mabrouk2015": ("as in the paper", "as the paper defines them: shares of the learned edges"),
    "standard": ("standard", "standard: right over true edges, extra edges over pairs without a true edge"),
    "skeleton": ("skeleton", "standard, without directions"),
}
EMPTY = (
    "A learned graph without edges has no rates as the paper defines them; such runs are left out of the means, and "
    "the number of runs is shown."
)
TIME = "Time is CPU seconds of discretization and learning, compiled code warm; it depends on the implementation."
THRESHOLDS = {  # heading, and what is shown
    "threshold_error": ("Distance", "Distance of a true threshold to the nearest found one, in sd of the variable"),
    "level_error": ("Error of levels", "Error of the number of levels, absolute"),
    "adjusted_rand": ("Rand index", "Adjusted Rand index of the codes"),
    "levels": ("Levels", "Mean number of levels of a variable"),
}
RANGES = {  # noise: grid, standard deviations of the intervals
    "narrow": ("sensitivity", "sd 0.02 to 0.1"),
    "truncated": ("structure", "sd 0.1 to 0.5"),
    "wide": ("sensitivity", "sd 0.5 to 2"),
}
SENSITIVITY = {  # heading and decimals
    "tpr_mabrouk2015": ("TPR", 3),
    "fpr_mabrouk2015": ("FPR", 3),
    "shd_standard": ("SHD", 1),
    "threshold_error": ("Threshold error", 3),
    "levels": ("Levels", 2),
}
GAPS = {  # what the text of section 4 says of the mean
    "tpr": ("TPR gain of MGCD over {}, %", {"ruichu": "about 10", "friedman_tabu": "about 40"}),
    "fpr": ("FPR reduction of MGCD against {}, %", {"ruichu": "20 to 40", "friedman_tabu": "20 to 40"}),
    "time": ("CPU time of {} / MGCD", {"ruichu": "about 1", "friedman_tabu": "about 3"}),
}
ACCURACIES = {
    "sampled": ("table_2", "as in the paper the value is drawn from its posterior"),
    "expected": ("table_2_expected", "expectation of Table 2 over the draws from the posterior, without their noise"),
    "argmax": ("table_2_argmax", "the most probable value is predicted"),
}


def others(method) -> bool:
    """Return whether a method is not the reference."""
    return method.name != REFERENCE


def metric_by_size(inputs: Inputs, metric: str, prefix: str, digits: int = 3) -> list[Column]:
    """Return a metric of the structure grid by N and its mean over N; the headings begin with a prefix."""
    source = evidence.by_size(inputs, metric)
    places = [(f"{prefix}N = {n}", n) for n in sizes(source, SIZES)] + [(f"{prefix}mean over N", MEAN)]
    return [Column(heading, source, name, digits=digits) for heading, name in places]


def _structure(inputs: Inputs) -> dict:
    return {"scale": inputs.scale_of("structure"), "missing": inputs.missing("structure")}


def table_rates(inputs: Inputs) -> Table:
    """Return the numbers of Figure 3, in three conventions."""
    panels = [
        (f"{kind.upper()}, {about}", metric_by_size(inputs, f"{kind}_{name}", f"{kind.upper()} {head}, "))
        for name, (head, about) in CONVENTIONS.items()
        for kind in ("tpr", "fpr")
    ]
    return of_methods(
        inputs,
        panels,
        name="table_rates",
        title="True and false positive rates by sample size",
        caption=f"Between completed patterns, mean over random networks {INTERVALS}; the numbers of Figure 3 and "
        "those of the usual definitions.",
        notes=(EMPTY,),
        **_structure(inputs),
    )


def table_1(inputs: Inputs) -> Table:
    """Return Table 1: run times over that of MGCD."""
    source = evidence.by_size(inputs, "seconds", REFERENCE)
    columns = [Column(f"N = {n}", source, n, evidence.printed_times(inputs, n)) for n in sizes(source, SIZES)]
    return of_methods(
        inputs,
        [("", [*columns, Column("Mean over N", source, MEAN)])],
        select=others,
        name="table_1",
        title="Table 1: run time over that of MGCD",
        caption=f"Mean time over random networks, divided by that of MGCD, {INTERVALS}. The paper does not print "
        "N = 2000.",
        notes=(TIME,),
        **_structure(inputs),
    )


def table_2(inputs: Inputs, kind: str) -> Table:
    """Return Table 2: percentage of correct predictions; kind is one of ACCURACIES."""
    source = evidence.accuracy(inputs, kind, "network", "n", "share")
    name, about = ACCURACIES[kind]
    panels: dict[str, list[Column]] = {}
    for network, share, n in evidence.asked(inputs):
        head = f"{network.capitalize()}, {100 * share:.0f} %"
        printed = evidence.printed_accuracy(inputs, network, share, n) if kind == "sampled" else {}
        columns = panels.setdefault(f"{head} of the Markov blanket observed", [])
        columns.append(Column(f"{head}, N = {n}", source, (network, n, share), printed))
    predicted = evidence.predicted(inputs)
    learned = "N counts all records; two thirds are learned from."
    ceiling = (
        "The true network is given the true codes of the same variables. No network has a higher accuracy by the most "
        "probable state, in expectation; drawing from a sharper posterior than the true one can do better."
    )
    return of_methods(
        predicted,
        list(panels.items()),
        select=is_learned if kind == "sampled" else everything,
        name=name,
        title="Table 2: correct predictions in percent" + (f", {kind}" if kind != "sampled" else ""),
        caption=f"Share of test records whose target is predicted correctly: {about}. Mean over the targets of a data "
        "set, then over data sets, with 95 % intervals from a bootstrap over data sets.",
        notes=(learned,) if kind == "sampled" else (learned, ceiling),
        scale=inputs.scale_of("prediction"),
        missing="" if inputs.predictions else "no predictions",
    )


def table_gaps(inputs: Inputs) -> Table:
    """Return how far the text of section 4 reproduces: gains, reductions and ratios against the other methods."""
    found = {
        "tpr": evidence.tpr_gain(inputs),
        "fpr": evidence.fpr_reduction(inputs),
        "time": evidence.by_size(inputs, "seconds", REFERENCE),
    }
    listed = sizes(found["tpr"], SIZES)
    rows = []
    for kind, (text, said) in GAPS.items():
        for i, method in enumerate(inputs.methods):
            if others(method):
                cells = [
                    found[kind].cell(
                        i, n, evidence.printed_times(inputs, n).get(method.name) if kind == "time" else None
                    )
                    for n in listed
                ]
                cells.append(found[kind].cell(i, MEAN, said.get(method.name)))
                rows.append(Row(f"{kind}_{method.name}", text.format(method.label), "", tuple(cells)))
    return Table(
        name="table_gaps",
        title="MGCD against the other methods",
        caption=f"Rates as the paper defines them, means over random networks {INTERVALS}. The mean over N compares "
        "the mean rates over N, and is the mean of the ratios of time.",
        key="comparison",
        columns=(*(f"N = {n}" for n in listed), "Mean over N"),
        rows=tuple(rows),
        notes=("What the paper says in its text stands beside the mean over N.", TIME),
        **_structure(inputs),
    )


def _noises(inputs: Inputs) -> dict[str, tuple[str, str]]:
    """Return grid and text of the noises of RANGES and of all others of the same grids."""
    found, table = dict(RANGES), inputs.metrics
    for grid in dict.fromkeys(grid for grid, _ in RANGES.values()):
        for noise in sorted({noise for noise in table["noise"][table["grid"] == grid] if noise}):
            found.setdefault(noise, (grid, noise))
    return found


def table_sensitivity(inputs: Inputs) -> Table:
    """Return how the methods depend on the standard deviations inside the intervals."""
    listed = sorted({int(n) for n in inputs.metrics["n"][inputs.metrics["grid"] == "sensitivity"]}) or [5000]
    rows = []
    for n in listed:
        for noise, (grid, text) in _noises(inputs).items():
            sources = [(evidence.by_noise(inputs, grid, metric), d) for metric, (_, d) in SENSITIVITY.items()]
            for i, m in enumerate(inputs.methods):
                cells = tuple(source.cell(i, (n, noise), digits=digits) for source, digits in sources)
                rows.append(Row(f"{noise}_{n}_{m.name}", f"{text}, N = {n}: {m.label}", "", cells))
    return Table(
        name="table_sensitivity",
        title="Sensitivity to the spread inside the intervals",
        caption="Standard deviations of the truncated Gaussians are drawn from the range given, in lengths of the "
        f"interval; the paper does not print its range. Means over random networks {INTERVALS}. SHD: every wrong "
        "pair counts 1; the threshold error is in sd of the variable.",
        key="setting",
        columns=tuple(heading for heading, _ in SENSITIVITY.values()),
        rows=tuple(rows),
        scale=inputs.scale_of("sensitivity", "structure"),
        notes=("0.1 to 0.5 is the setting of all other tables.", EMPTY),
        missing=inputs.missing("sensitivity"),
    )


def table_thresholds(inputs: Inputs) -> Table:
    """Return how well the true thresholds are found."""
    panels = [(text, metric_by_size(inputs, metric, f"{head}, ")) for metric, (head, text) in THRESHOLDS.items()]
    return of_methods(
        inputs,
        panels,
        name="table_thresholds",
        title="Recovery of the true thresholds",
        caption=f"Means over the variables of a data set, then over random networks, {INTERVALS}.",
        **_structure(inputs),
    )


def table_cost(inputs: Inputs) -> Table:
    """Return CPU seconds by stage and calls by N, and CPU seconds of the prediction grid."""
    kinds = {
        "seconds": ("CPU seconds", 3),
        "discretize_seconds": ("CPU seconds of discretization", 3),
        "learn_seconds": ("CPU seconds of learning", 3),
        "score_calls": ("Family scores requested", 0),
        "discretization_calls": ("Discretization calls", 0),
    }
    panels = [
        (f"{text}, random networks", metric_by_size(inputs, metric, f"{text}, ", digits))
        for metric, (text, digits) in kinds.items()
    ]
    source = evidence.by_variables(inputs, "seconds")
    groups = [Column(variables_text(v), source, v, digits=3) for v in source.names if v != MEAN]
    panels += [("CPU seconds by the number of variables, random networks, mean over N", groups)] if groups else []
    for network, source, listed in prediction_costs(inputs):
        columns = [Column(f"{network.capitalize()}, N = {n}", source, (network, n), digits=3) for n in listed]
        panels.append((f"CPU seconds, {network.capitalize()}", columns))
    return of_methods(
        inputs,
        panels,
        name="table_cost",
        title="Cost of the methods",
        caption="Means over data sets, with 95 % intervals. The stages of a method that discretizes while it learns "
        "are those that it reports.",
        notes=(TIME,),
        scale=inputs.scale_of("structure", "prediction"),
        missing=inputs.missing("structure"),
    )


def variables_text(least: float) -> str:
    """Return what a group of numbers of variables is called."""
    return f"{least:.0f} to {least + evidence.GROUP - 1:.0f} variables"


def prediction_costs(inputs: Inputs) -> list[tuple[str, Columns, list[int]]]:
    """Return for each network of the prediction grid its name, CPU seconds by (network, N), and the N."""
    source = grouped(evidence.of_the_paper(inputs), "prediction", KEYS, "seconds", ("network", "n"))
    run = [(str(w), int(n)) for w, n in (name for name in source.names if name != MEAN)]
    cells = sorted({*run, *((w, n) for w in evidence.NETWORKS for n in PREDICTION_SIZES)})
    return [(w, source, [n for v, n in cells if v == w]) for w in dict.fromkeys(w for w, _ in cells)]

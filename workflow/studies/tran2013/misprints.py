"""Errors in the printed tables, each with the computation that shows it; study.yaml has their words.

The scores of all graphs on three nodes follow from five numbers: the log-likelihood of the empty graph, the three
pairwise informations, and that of one node with both others. Taken from the BIC column of Table 2.3, they predict all
other printed scores up to rounding, but for the misprints.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np
from cutpoint.bench.studies.tran2013 import graphs

from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.report.artefacts import Cell, Row

RECORDS, VALUES = 100_000, 6  # of the printed tables
ROUNDING = 6e-4  # by which a number printed with three decimals may be off
SCORES = {"aic": "AIC", "bic": "BIC", "mdl": "MDL"}
FULL, TRUE, LAST = "1|2|3|4|5|6", "12|345|6", "1|2|3|45|6"
Printed = Mapping[str, Mapping[str, float]]
Error = tuple[str, dict[str, Any]]  # its name in study.yaml, and what its words refer to


def table(inputs: Inputs, *, errors: Mapping[str, Sequence[str]]) -> Content:
    """Return the errors in print.

    Args:
        inputs: of the study.
        errors: place, what is printed, what should be, and why, by the name of the error.
    """
    filled = [[text.format(**about) for text in errors[name]] for name, about in misprints(inputs)]
    rows = [Row(str(i), place, "", tuple(map(Cell, texts))) for i, (place, *texts) in enumerate(filled, 1)]
    missing = "" if rows else "the printed tables are not at hand"
    return Content("error", ("printed", "should be", "check"), rows, missing=missing)


def misprints(inputs: Inputs) -> Iterator[Error]:
    """Yield all errors; none of a table that is not at hand."""
    scores, removals = inputs.printed("table_3.1_scores"), inputs.printed("table_5.1_dl_local")
    if scores:
        yield from in_scores(scores)
        yield from in_classes(scores)
    if removals:
        yield from in_removals(removals)
    if scores:
        yield from in_formulas(scores)


def penalty(graph: int, score: str) -> float:
    """Return what a graph pays for its parameters in the convention of the printed column."""
    if score != "mdl":
        return graphs.parameters(graph, full=True) * (2.0 if score == "aic" else math.log(RECORDS))
    degrees = graphs.adjacency(graphs.GRAPHS[graph - 1]).sum(0)
    free = (VALUES - 1) * int((VALUES ** degrees[degrees > 0]).sum())
    network = math.fsum(math.log(VALUES) + (1 + int(d)) * math.log(len(degrees)) for d in degrees)
    return network + free * math.log(RECORDS) / 2


def expected(bic: Mapping[int, float]) -> dict[str, dict[int, float]]:
    """Return the AIC, BIC and MDL of every graph that the BIC of some of them tell.

    Args:
        bic: by graph, of 1 to 7 and 20 to 25; of a class with several values the median counts.
    """
    fit = {graph: value - penalty(graph, "bic") for graph, value in bic.items()}  # -2 LL
    pairs = {frozenset(graphs.GRAPHS[i - 1][0]): fit[1] - median([fit[i], fit[i + 1]]) for i in (2, 4, 6)}
    whole = fit[1] - median(fit[graph] for graph in range(20, 26))
    scores: dict[str, dict[int, float]] = {name: {} for name in SCORES}
    for graph, arcs in enumerate(graphs.GRAPHS, 1):
        gain = 0.0
        for node in graphs.NODES:
            parents = [a for a, b in arcs if b == node]
            if len(parents) == 2:
                gain += whole - pairs[frozenset(parents)]
            elif parents:
                gain += pairs[frozenset([node, *parents])]
        for name in SCORES:
            scores[name][graph] = (fit[1] - gain) / (2 if name == "mdl" else 1) + penalty(graph, name)
    return scores


def in_scores(printed: Printed) -> Iterator[Error]:
    """Yield the misprints of Tables 2.3 and 3.1, from the rows of Table 3.1."""
    right = expected({int(graph): row["bic"] for graph, row in printed.items()})
    for name, label in SCORES.items():
        where = "Table 3.1" if name == "mdl" else "Tables 2.3 and 3.1"
        for key, row in printed.items():
            graph, value = int(key), row[name]
            # a chain or a collider is made of three printed numbers, the others of one
            terms = 4 if 8 <= graph < 20 else 2
            if abs(value - right[name][graph]) > terms * ROUNDING:
                reason, about = _reason(graph, printed)
                about |= {"where": where, "score": label, "graph": graph, "printed": value}
                yield reason, about | {"expected": right[name][graph]}
    lowest = min(printed, key=lambda graph: printed[graph]["bic"])
    true = graphs.class_of(graphs.TRUE_GRAPH)
    if int(lowest) not in true:
        yield "lowest", {"graph": lowest, "true": ", ".join(map(str, true)), "bic": printed[lowest]["bic"]}


def _reason(graph: int, printed: Printed) -> Error:
    """Return what is wrong with the scores of a graph."""
    row, complete = printed[str(graph)], printed["25"]
    if row["bic"] < row["aic"]:
        return "swapped digits", {}
    count = graphs.parameters(graph, full=True)
    if graph not in graphs.class_of(25) and all(row[name] == complete[name] for name in row):
        return "repeated class", {"count": count, "complete": graphs.parameters(25, full=True)}
    difference, more = row["bic"] - row["aic"], count * (math.log(RECORDS) - 2)
    if abs(difference - more) > 1.5e-3:
        return "difference of scores", {"difference": difference, "more": more}
    return "code lengths", {}


def in_classes(printed: Printed) -> Iterator[Error]:
    """Yield where the classes in the text of 2.4 are not those of the printed scores."""
    wrong = [members for members in graphs.TEXT_CLASSES if members not in graphs.CLASSES]
    nodes = {graph for members in wrong for graph in members}
    right = [members for members in graphs.CLASSES if nodes & {*members}]
    equal = {tuple(printed[str(graph)].values()) for graph in (15, 16, 17)}
    if wrong and len(equal) == 1 and tuple(printed["18"].values()) not in equal:
        yield "classes", {"wrong": _sets(wrong), "right": _sets(right)}


def _sets(classes: Sequence[Sequence[int]]) -> str:
    return ", ".join("{" + ", ".join(map(str, members)) + "}" for members in classes)


def saved(levels: int, *, full: bool = True, values: int = VALUES, child: int = 3) -> float:
    """Return by how many bits DL_local of X1 -> X2 falls from the full list to some levels, no information lost."""

    def length(k: int) -> float:
        share = (k - 1) / (values - 1)
        entropy = -sum(p * math.log2(p) for p in (share, 1 - share) if p > 0)
        parameters = (k - (not full)) + k * (child - (not full))
        return (values - 1) * entropy + math.log2(k) + parameters * math.log2(RECORDS) / 2

    return length(values) - length(levels)


def in_removals(printed: Printed) -> Iterator[Error]:
    """Yield the misprints of Table 5.1 and its text: lists lose information, so that DL_local falls no further."""
    rows = {key: row["dl_local"] for key, row in printed.items()}
    above = {key: value - rows[FULL] for key, value in rows.items()}
    lost = {key: value + saved(key.count("|") + 1) for key, value in above.items()}
    most, drop = {"full": saved(5), "free": saved(5, full=False)}, -above["12|3|4|5|6"]
    if lost[LAST] < 0:
        low = rows[FULL] - saved(5)
        # 12|345|6 loses what 12 and what 345 lose, and 345 at least as much as 45
        high = low + lost[TRUE] - lost["12|3|4|5|6"]
        yield "too short", {"printed": rows[LAST], "low": low, "high": high, "below": -above[LAST], **most}
    wrong = [key for key, change in above.items() if change > 0]
    removed = " and ".join(f"between {part[0]} and {part[1]}" for part in map(_joined, wrong))
    bits = " and ".join(f"{above[key]:.2f}" for key in wrong)
    yield "incorrect removals", {"removed": removed, "bits": bits}
    yield "equal distributions", {"lost": lost["1|2|3|4|56"]}
    if most["free"] < drop:
        yield "counted parameters", {"drop": drop, **most}


def _joined(groups: str) -> str:
    """Return the two values that a list with one threshold removed joins."""
    return next(part for part in groups.split("|") if len(part) == 2)


def in_formulas(printed: Printed) -> Iterator[Error]:
    """Yield what is wrong in formulas, each with an example, and how tables differ from them."""
    counted = (printed["1"]["bic"] - printed["1"]["aic"]) / (math.log(RECORDS) - 2)
    yield "parameters", {"printed": counted, "free": graphs.parameters(1)}
    yield "parameters of roots", {"free": VALUES - 1}
    a, b = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    yield "log-sum inequality", {"left": (a * np.log2(a / b)).sum(), "right": a.sum() * np.log2(a.sum() / b.sum())}
    yield "derivative", {"slope": (math.log2(2 + 1e-6) - 1) / 1e-6}
    # of (3, 1): the printed constant over the right one
    yield "dirichlet", {"integral": (math.gamma(4.0) / 3) / (math.gamma(4.0) / math.gamma(3.0))}

"""Errors in the printed tables, each with the computation that shows it.

The scores of all graphs on three nodes follow from five numbers: the log-likelihood of the empty graph, the three
pairwise informations, and that of one node with both others. Taken from the BIC column of Table 2.3, they predict all
other printed scores up to rounding, but for the misprints.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import scale_of_one
from cutpoint.studies.tran2013 import examples

RECORDS, VALUES = 100_000, 6  # of the printed tables
ROUNDING = 6e-4  # by which a number printed with three decimals may be off
SCORES = {"aic": "AIC", "bic": "BIC", "mdl": "MDL"}
FULL, TRUE, LAST = "1|2|3|4|5|6", "12|345|6", "1|2|3|45|6"
Printed = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Misprint:
    """An error in print: where it stands, what is printed, what should be, and why."""

    place: str
    printed: str
    expected: str
    check: str


def penalty(graph: int, score: str) -> float:
    """Return what a graph pays for its parameters in the convention of the printed column."""
    if score != "mdl":
        return examples.parameters(graph, full=True) * (2.0 if score == "aic" else math.log(RECORDS))
    degrees = examples.adjacency(examples.GRAPHS[graph - 1]).sum(0)
    free = (VALUES - 1) * int((VALUES ** degrees[degrees > 0]).sum())
    network = math.fsum(math.log(VALUES) + (1 + int(d)) * math.log(len(degrees)) for d in degrees)
    return network + free * math.log(RECORDS) / 2


def expected(bic: Mapping[int, float]) -> dict[str, dict[int, float]]:
    """Return the AIC, BIC and MDL of every graph that the BIC of some of them tell.

    Args:
        bic: by graph, of 1 to 7 and 20 to 25; of a class with several values the median counts.
    """
    fit = {graph: value - penalty(graph, "bic") for graph, value in bic.items()}  # -2 LL
    pairs = {frozenset(map(int, examples.GRAPHS[i - 1][0])): fit[1] - median([fit[i], fit[i + 1]]) for i in (2, 4, 6)}
    whole = fit[1] - median(fit[graph] for graph in range(20, 26))
    found: dict[str, dict[int, float]] = {name: {} for name in SCORES}
    for graph, arcs in enumerate(examples.GRAPHS, 1):
        gain = 0.0
        for node in map(int, examples.NODES):
            parents = [int(a) for a, b in arcs if int(b) == node]
            if len(parents) == 2:
                gain += whole - pairs[frozenset(parents)]
            elif parents:
                gain += pairs[frozenset([node, *parents])]
        for name in SCORES:
            found[name][graph] = (fit[1] - gain) / (2 if name == "mdl" else 1) + penalty(graph, name)
    return found


def in_scores(printed: Printed) -> Iterator[Misprint]:
    """Yield the misprints of Tables 2.3 and 3.1, from the rows of Table 3.1."""
    right = expected({int(graph): row["bic"] for graph, row in printed.items()})
    for name, label in SCORES.items():
        where = "Table 3.1" if name == "mdl" else "Tables 2.3 and 3.1"
        for key, row in printed.items():
            graph, value = int(key), row[name]
            # a chain or a collider is made of three printed numbers, the others of one
            terms = 4 if 8 <= graph < 20 else 2
            if abs(value - right[name][graph]) > terms * ROUNDING:
                yield Misprint(
                    f"{where}: {label} of graph {graph}", f"{value:.3f}", f"{right[name][graph]:.3f}",
                    _reason(graph, printed),
                )  # fmt: skip
    bic = {graph: row["bic"] for graph, row in printed.items()}
    lowest = min(bic, key=bic.__getitem__)
    true = examples.class_of(examples.TRUE_GRAPH)
    if int(lowest) not in true:
        yield Misprint(
            "Tables 2.3 and 3.1: lowest BIC", f"graph {lowest}", f"graphs {', '.join(map(str, true))}",
            f"{bic[lowest]:.3f} is the lowest number of the column; so printed, BIC does not recover graph 8",
        )  # fmt: skip


def _reason(graph: int, printed: Printed) -> str:
    row = printed[str(graph)]
    if row["bic"] < row["aic"]:
        return "below its AIC, though ln N > 2; the digits 3 and 6 are swapped"
    complete = printed["25"]
    if graph not in examples.class_of(25) and all(row[name] == complete[name] for name in row):
        counts = (examples.parameters(g, full=True) for g in (graph, 25))
        return "all scores repeat the complete class; with {} parameters, not {}, it is one of three colliders".format(
            *counts
        )
    more = examples.parameters(graph, full=True) * (math.log(RECORDS) - 2)
    if abs(row["bic"] - row["aic"] - more) > 1.5e-3:
        return f"BIC - AIC must be {more:.3f} and is {row['bic'] - row['aic']:.3f}; its class has the same BIC"
    return "not the sum of the code lengths of three single nodes with the log-likelihood that AIC and BIC tell"


def in_classes(printed: Printed) -> Iterator[Misprint]:
    """Yield where the classes in the text of 2.4 are not those of the printed scores."""
    ours = [set(members) for members in examples.classes()]
    theirs = [set(members) for members in examples.TEXT_CLASSES]
    wrong = [members for members in theirs if members not in ours]
    if not wrong:
        return
    nodes = set().union(*wrong)
    right = [members for members in ours if members & nodes]
    equal = {tuple(printed[str(g)].values()) for g in (15, 16, 17)}
    parting = len(equal) == 1 and tuple(printed["18"].values()) not in equal
    yield Misprint(
        "Text of 2.4: classes", _sets(wrong), _sets(right),
        "the scores of 15, 16, 17 are printed equal, those of 18 not" if parting else "computed from the graphs",
    )  # fmt: skip


def _sets(classes: list[set[int]]) -> str:
    return ", ".join("{" + ", ".join(map(str, sorted(members))) + "}" for members in classes)


def saved(levels: int, *, full: bool = True, values: int = VALUES, child: int = 3) -> float:
    """Return by how many bits DL_local of X1 -> X2 falls from the full list to some levels, no information lost."""

    def length(k: int) -> float:
        share = (k - 1) / (values - 1)
        entropy = -sum(p * math.log2(p) for p in (share, 1 - share) if p > 0)
        parameters = (k - (not full)) + k * (child - (not full))
        return (values - 1) * entropy + math.log2(k) + parameters * math.log2(RECORDS) / 2

    return length(values) - length(levels)


def in_removals(printed: Printed) -> Iterator[Misprint]:
    """Yield the misprints of Table 5.1 and its text: lists lose information, so that DL_local falls no further."""
    rows = {key: row["dl_local"] for key, row in printed.items()}
    lost = {key: value - rows[FULL] + saved(key.count("|") + 1) for key, value in rows.items()}
    low = rows[FULL] - saved(5)
    # 12|345|6 loses what 12 and what 345 lose, and 345 at least as much as 45
    high = low + lost[TRUE] - lost["12|3|4|5|6"]
    if lost[LAST] < 0:
        yield Misprint(
            f"Table 5.1: DL local of {LAST.replace('|', ' ')}", f"{rows[LAST]:.2f}", f"{low:.2f} to {high:.2f}",
            f"{rows[FULL] - rows[LAST]:.2f} below the full list, and one removal saves {saved(5):.2f} bits at most; "
            "the upper limit is what 12|345|6 leaves",
        )  # fmt: skip
    wrong = [key for key, value in rows.items() if value > rows[FULL]]
    yield Misprint(
        "Text of 5.1: incorrect removals", "between 1 and 2, between 5 and 6",
        " and ".join(f"between {a} and {b}" for a, b in (_removed(key) for key in wrong)),
        f"only these raise DL local, by {' and '.join(f'{rows[key] - rows[FULL]:.2f}' for key in wrong)} bits",
    )  # fmt: skip
    yield Misprint(
        "Text of 5.1: equal distributions", "of 1 and 2, of 5 and 6", "of 1 and 2, of 3, 4 and 5",
        f"12|345|6 is called the true discretization, and joining 5 and 6 loses {lost['1|2|3|4|56']:.2f} bits",
    )  # fmt: skip
    drop = rows[FULL] - rows["12|3|4|5|6"]
    if saved(5, full=False) < drop:
        yield Misprint(
            "Table 5.1 against (3.13)", "k parameters per configuration", "k - 1",
            f"12|3|4|5|6 is {drop:.2f} below the full list; with k - 1 at most {saved(5, full=False):.2f} bits, with "
            f"k {saved(5):.2f}",
        )  # fmt: skip


def _removed(groups: str) -> tuple[str, str]:
    return next((part[0], part[1]) for part in groups.split("|") if len(part) == 2)


def in_formulas(printed: Printed) -> Iterator[Misprint]:
    """Yield what is wrong in formulas, each with an example, and how tables differ from them."""
    parameters = (printed["1"]["bic"] - printed["1"]["aic"]) / (math.log(RECORDS) - 2)
    yield Misprint(
        "Tables 2.3 and 3.1: parameters", f"{parameters:.0f} of graph 1", f"{examples.parameters(1)}",
        "from BIC - AIC = p (ln N - 2): r are counted for each configuration, and r - 1 are free",
    )  # fmt: skip
    nodes = VALUES - 1
    yield Misprint(
        "Table 3.1: parameters of MDL", "0 of a node without parents", f"{nodes}, from (3.5) with one configuration",
        "with natural logarithms and r - 1 this gives the printed MDL of all graphs but those above",
    )  # fmt: skip
    a, b = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    each, whole = float((a * np.log2(a / b)).sum()), float(a.sum() * np.log2(a.sum() / b.sum()))
    yield Misprint(
        "4.2.3: log-sum inequality", "sum of a log(a/b) <= A log(A/B)", ">=",
        f"a = (1, 2), b = (2, 1): {each:g} on the left, {whole:g} on the right",
    )  # fmt: skip
    yield Misprint(
        "4.2.4: derivative of D", "1/k", "1/(k ln 2)",
        f"of log2 k, the base throughout: at k = 2 {(math.log2(2 + 1e-6) - 1) / 1e-6:.4f}, printed 0.5",
    )  # fmt: skip
    gamma = math.gamma(4.0)
    yield Misprint(
        "2.2.3: Dirichlet density", "Gamma(sum of alpha) / product of alpha", "product of Gamma(alpha)",
        f"alpha = (3, 1): as printed it integrates to {(gamma / 3) / (gamma / math.gamma(3.0)):.4f}",
    )  # fmt: skip


def misprints(inputs: Inputs) -> list[Misprint]:
    """Return all errors found; none of a table that is not at hand."""
    scores, removals = inputs.printed("table_3.1_scores"), inputs.printed("table_5.1_dl_local")
    found: list[Misprint] = []
    if scores:
        found += [*in_scores(scores), *in_classes(scores)]
    if removals:
        found += in_removals(removals)
    return found + (list(in_formulas(scores)) if scores else [])


def table_misprints(inputs: Inputs) -> Table:
    """Return the errors in print."""
    found = misprints(inputs)
    rows = (
        Row(str(i), m.place, "", (Cell(m.printed), Cell(m.expected), Cell(m.check))) for i, m in enumerate(found, 1)
    )
    return Table(
        name="table_misprints",
        title="Errors found in print",
        caption="What is printed, what it should be, and the computation that shows it. Scores that should be follow "
        "from the BIC printed for graphs 1 to 7 and 20 to 25 alone, up to rounding.",
        key="error",
        columns=("printed", "should be", "check"),
        rows=tuple(rows),
        scale=scale_of_one(inputs),
        missing="" if found else "the printed tables are not at hand",
    )

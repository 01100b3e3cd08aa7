"""Tables on the search for discretizations: 5.1, how often it finds the truth, and what coarse ones lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.stats import binomtest

from cutpoint.learners.information import conditional_information
from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import Rows, absent, cube, mean_cell, rows_of, scale_of, scale_of_one
from cutpoint.studies.tran2013 import coarse
from cutpoint.studies.tran2013.misprints import FULL, TRUE

# The rows of Table 5.1, and what each is
KINDS = {
    FULL: "full list", "12|3|4|5|6": "right removal", "1|23|4|5|6": "wrong removal", "1|2|34|5|6": "right removal",
    "1|2|3|45|6": "right removal", "1|2|3|4|56": "wrong removal", TRUE: "true",
}  # fmt: skip
COMPARED = (("dl_full", ""), ("dl_full", FULL), ("dl_free", FULL))
SEARCHES = {"onepass": "one pass", "iterated": "iterated removal", "optimum": "smallest DL local of all"}


def table_removals(inputs: Inputs) -> Table:
    """Return Table 5.1: DL_local of the full list, of single removals and of the truth."""
    rows = rows_of(inputs, "removals")
    printed = {key: line["dl_local"] for key, line in inputs.printed("table_5.1_dl_local").items()}
    found = []
    for text, kind in KINDS.items():
        difference = printed[text] - printed[FULL] if printed else None
        cells = [Cell(published=printed.get(text)), Cell(published=difference), Cell(), Cell(), Cell()]
        if rows:
            length, full, free = (_of(rows, text, name, base) for name, base in COMPARED)
            cells[:2] = [Cell(float(length[0]), printed.get(text)), Cell(float(full[0]), difference)]
            if text != FULL:
                below = Cell(float((full < 0).mean()))
                cells[2:] = [mean_cell(inputs, full), mean_cell(inputs, free), below]
        found.append(Row(text, text.replace("|", " "), kind, tuple(cells)))
    return Table(
        name="table_5.1",
        title="Table 5.1: DL local of discretizations",
        caption="Bits; X1 -> X2, three values of X1 exploded into six. Difference to the full list in one sample, and "
        "mean over samples with r parameters per configuration, as printed, and r - 1, as in (3.13); share of the "
        "samples in which it is below the full list.",
        key="discretization",
        columns=("DL local", "minus full list", "mean difference", "mean, r - 1", "share below"),
        rows=tuple(found),
        scale=scale_of(inputs, "removals"),
        missing=absent(inputs, "removals"),
    )


def _of(rows: Rows, text: str, name: str, base: str) -> np.ndarray:
    """Return a column of a discretization by sample, less that of another one if it is named, float64 [samples]."""
    (_, lists), values = cube(rows, "sample", "discretization", value=name)
    return values[:, lists.index(text)] - (values[:, lists.index(base)] if base else 0.0)


def table_explosions(inputs: Inputs) -> Table:
    """Return how often one pass finds the truth on exactly proportional counts."""
    rows = rows_of(inputs, "explosions")
    panels = {"recovered": "true discretization found", "optimal": "smallest DL local of all found"}
    records = sorted({int(row["records"]) for row in rows})
    shown = []
    for m in sorted({int(row["values"]) for row in rows}):
        mine = [row for row in rows if row["values"] == m]
        cells = [Cell(max(row["comparisons"] for row in mine)), Cell(2 ** (m - 1))]
        for name in panels:
            cells += [_share([row[name] for row in mine if row["records"] == n]) for n in records]
        shown.append(Row(str(m), str(m), "", tuple(cells)))
    columns = ["comparisons", "discretizations", *(f"{name} {n:,}" for name in ("found", "smallest") for n in records)]
    ends = [2, 2 + len(records), 2 + 2 * len(records)]
    return Table(
        name="table_explosions",
        title="One pass on exactly proportional counts",
        caption="Share of random tables in which the search finds the true discretization, and the one with the "
        "smallest DL local of all 2^(m - 1), by m and number of records, the proportions the same. The variable is a "
        "parent, a child, both, and one of two parents.",
        key="values m",
        columns=tuple(columns),
        rows=tuple(shown),
        scale=scale_of(inputs, "explosions"),
        panels=(
            ("cost", range(2)),
            *((t, range(a, b)) for t, a, b in zip(panels.values(), ends, ends[1:], strict=False)),
        ),
        missing=absent(inputs, "explosions"),
    )


def _share(found: Sequence[bool]) -> Cell:
    return share(sum(map(bool, found)), len(found))


def share(found: int, total: int) -> Cell:
    """Return a share with Wilson's interval."""
    low, high = binomtest(found, total).proportion_ci(method="wilson")
    return Cell(found / total, low=float(low), high=float(high))


def table_recovery(inputs: Inputs) -> Table:
    """Return how often each search finds the truth on sampled data."""
    rows = rows_of(inputs, "recovery")
    records = sorted({int(row["records"]) for row in rows})
    place = {(int(row["values"]), int(row["records"])): row for row in rows}
    shown = []
    for m in sorted({m for m, _ in place}):
        found = (place[m, n] for _ in SEARCHES for n in records)
        names = (name for name in SEARCHES for _ in records)
        cells = tuple(share(int(row[name]), int(row["samples"])) for name, row in zip(names, found, strict=True))
        shown.append(Row(str(m), str(m), "", cells))
    width = len(records)
    return Table(
        name="table_recovery",
        title="How often the true discretization is found",
        caption="Sampled data of X1 -> X2, three values of X1 exploded into m at random; by number of records.",
        key="values m",
        columns=tuple(f"{label}, {n:,}" for label in SEARCHES.values() for n in records),
        rows=tuple(shown),
        scale=replace(inputs.scale, replicates=max((int(row["samples"]) for row in rows), default=0)),
        panels=tuple((label, range(i * width, (i + 1) * width)) for i, label in enumerate(SEARCHES.values())),
        missing=absent(inputs, "recovery"),
    )


def table_coarse(inputs: Inputs) -> Table:
    """Return what coarse discretization does to conditional independence, measured."""
    regime, xy = coarse.series(inputs.scale.seed)
    fine, rough = (coarse.measured(regime, xy, b) for b in (coarse.fine_breaks(xy), coarse.BREAKS))
    nodes = coarse.three_nodes()
    before, after = (conditional_information(joint) for joint in (nodes, coarse.joined(nodes)))
    lines = {
        "2 <- 1 -> 3, values 1 and 2 joined: I(X2, X3) given X1": (before, after),
        "series: I(X1, X2)": (fine["information"], rough["information"]),
        "series: H(X1) given X2, what X2 leaves open": (fine["left"], rough["left"]),
        "series: I(X1, X2) given the regime": (fine["given"], rough["given"]),
    }
    rows = (
        Row(str(i), text, "", tuple(Cell(v, digits=4) for v in pair)) for i, (text, pair) in enumerate(lines.items(), 1)
    )
    return Table(
        name="table_coarse",
        title="What coarse discretization does to conditional independence",
        caption=f"Nats. The distribution of 2.5.1, exact; the series of Figure 2.2, {coarse.COUNT:,} points, in "
        f"{coarse.FINE} equal intervals before and in low, middle, high after.",
        key="measure",
        columns=("before", "after"),
        rows=tuple(rows),
        scale=scale_of_one(inputs),
    )

"""The tables of Fu 2005 that compare methods: V-4 to V-9, V-11 and V-12."""

from __future__ import annotations

from collections.abc import Sequence

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.studies.columns import MEAN
from cutpoint.studies.comparison import Column, Select, everything, of_methods, printed_column, sizes
from cutpoint.studies.fu2005 import evidence
from cutpoint.studies.fu2005.evidence import NETWORKS, SIZES
from cutpoint.studies.inputs import Inputs, Method

NORMALISED = (
    "Mean over replicates for each network and sample size, divided by the same mean of {reference}, "
    "then averaged over networks, with 95 % bootstrap intervals."
)
TIME = "Time is CPU seconds of discretization and learning, compiled code warm; it depends on the implementation."
SCORE = "The score is the gain over the empty graph in the score of Bach's method; higher is better."


def integrated(method: Method) -> bool:
    """Return whether a method belongs into the tables of the integrated methods."""
    return method.category == "integrated"


def by_size(
    inputs: Inputs,
    name: str,
    title: str,
    published: str,
    metric: str,
    *,
    reference: str = "bach",
    select: Select = everything,
    notes: Sequence[str] = (),
) -> Table:
    """Return a table of one normalised metric by N (Tables V-5 to V-8)."""
    panels = [("", size_columns(inputs, published, metric, reference))]
    about = _about(inputs, name, title, reference)
    return of_methods(inputs, panels, select=select, notes=tuple(notes), **about)


def size_columns(
    inputs: Inputs, published: str, metric: str, reference: str = "bach", suffix: str = ""
) -> list[Column]:
    """Return a normalised metric by N and its mean over N, with what is printed in a table."""
    source = evidence.by_size(inputs, metric, reference)
    places = [(f"N = {n}", n, f"n{n}") for n in sizes(source, SIZES)] + [("Mean over N", MEAN, "mean")]
    return [
        Column(heading + suffix, source, name, printed_column(inputs, published, column))
        for heading, name, column in places
    ]


def _about(inputs: Inputs, name: str, title: str, reference: str) -> dict:
    label = next((m.label for m in inputs.methods if m.name == reference), reference)
    caption, missing = NORMALISED.format(reference=label), inputs.missing("simulated")
    return {"name": name, "title": title, "caption": caption, "missing": missing}


def table_4(inputs: Inputs) -> Table:
    """Return Table V-4: normalised SHD, the paper's convention first, the standard one below."""
    panels = [
        ("SHD as the paper counts it", size_columns(inputs, "table_V-4_shd", "shd_fu2005")),
        ("SHD, every wrong pair counts 1", size_columns(inputs, "", "shd_standard", suffix=", standard")),
    ]
    note = (
        "In the convention of the paper a missing or extra directed edge counts 2, an undirected "
        "one 1, a wrong orientation 1; in the standard one every wrong pair counts 1."
    )
    about = _about(inputs, "table_V-4", "Table V-4: normalised SHD", "bach")
    return of_methods(inputs, panels, notes=(note,), **about)


def table_5(inputs: Inputs) -> Table:
    """Return Table V-5: normalised time."""
    title = "Table V-5: normalised time"
    return by_size(inputs, "table_V-5", title, "table_V-5_time", "seconds", notes=[TIME])


def table_6(inputs: Inputs) -> Table:
    """Return Table V-6: normalised number of statistical calls while learning."""
    note = "Calls are family scores or independence tests that the search requested."
    title = "Table V-6: normalised number of statistical calls"
    return by_size(inputs, "table_V-6", title, "table_V-6_calls", "score_calls", notes=[note])


def table_7(inputs: Inputs) -> Table:
    """Return Table V-7: normalised number of discretization-score calls of the integrated methods."""
    return by_size(
        inputs,
        "table_V-7",
        "Table V-7: normalised number of discretization-score calls",
        "table_V-7_discretization_calls",
        "discretization_calls",
        reference="friedman3",
        select=integrated,
        notes=["Calls are candidate thresholds scored, over all iterations."],
    )


def table_8(inputs: Inputs) -> Table:
    """Return Table V-8: normalised time of the integrated methods."""
    title, file = "Table V-8: normalised time of the integrated methods", "table_V-8_integrated_time"
    return by_size(inputs, "table_V-8", title, file, "seconds", select=integrated, notes=[TIME])


def table_9(inputs: Inputs) -> Table:
    """Return Table V-9: extraneous and missing edges over true edges, by network."""
    kinds = ("extraneous", "missing")
    found = [evidence.family_edges(inputs, metric) for metric in ("extra", "missing")]
    printed = inputs.printed("table_V-9_edges")
    networks = sorted({*NETWORKS, *(str(name) for name in found[0][1].names if name != MEAN)})
    rows = []
    for i, (name, members) in enumerate(found[0][0]):
        line = printed.get(name, {})
        cells = [
            columns.cell(i, network, line.get(f"{network}_{kind}"))
            for network in networks
            for kind, (_, columns) in zip(kinds, found, strict=True)
        ]
        first = inputs.methods[members[0]]
        label = first.label if name == first.name else name.capitalize()
        rows.append(Row(name, label, first.category, tuple(cells)))
    return Table(
        name="table_V-9",
        title="Table V-9: extraneous and missing edges",
        caption="Extra and missing adjacencies over the number of true edges, averaged over sample "
        "sizes and over the numbers of initial intervals k, with 95 % bootstrap intervals.",
        key="method",
        columns=tuple(f"{network}, {kind}" for network in networks for kind in kinds),
        rows=tuple(rows),
        scale=inputs.scale,
        panels=tuple((network.capitalize(), range(2 * i, 2 * i + 2)) for i, network in enumerate(networks)),
        missing=inputs.missing("simulated"),
    )


def lost_notes(inputs: Inputs) -> list[str]:
    """Return a sentence on every data set that could not be had."""
    return [f"{name}: {why.removeprefix(f'{name}: ').rstrip('.')}." for name, why in inputs.lost().items()]


def data_sets(inputs: Inputs) -> str:
    """Return over how many of the printed data sets the means go, and which are missing."""
    listed = [*inputs.printed("table_V-10_datasets")]
    listed += [name for name in sorted(inputs.datasets) if name not in listed]
    _, apart = evidence.real(inputs, "seconds")
    there = [name for k, name in enumerate(apart.names) if apart.runs[:, k].any()]
    lost = [name for name in listed if name not in there]
    return f"Means go over {len(there)} of {len(listed)} data sets" + (f"; without {', '.join(lost)}." if lost else ".")


def extensions(inputs: Inputs) -> list[str]:
    """Return for each method that learns a pattern on how many data sets no DAG of its class exists."""
    table, sentences = inputs.metrics, []
    for method in inputs.methods:
        mine = (table["grid"] == "real") & (table["method"] == method.name) & (table["kind"] == "pdag")
        if mine.any():
            found = f"{int((table['extension_exact'][mine] == 0).sum())} of {int(mine.sum())} data sets"
            sentences.append(
                f"{method.label}: the pattern has no consistent extension on {found}; "
                "it is made acyclic as far as it goes before it is scored."
            )
    return sentences


def _real(
    inputs: Inputs,
    name: str,
    title: str,
    metrics: dict,
    published: str,
    *,
    divided: str,
    about: str,
    select: Select = everything,
) -> Table:
    """Return a table of means over data sets: title of the column, (metric, reference, printed column)."""
    shown = [
        Column(head, evidence.real(inputs, metric, reference)[0], MEAN, printed_column(inputs, published, column))
        for head, (metric, reference, column) in metrics.items()
    ]
    return of_methods(
        inputs,
        [("", shown)],
        select=select,
        name=name,
        title=title,
        caption=f"{divided} on the same data set, then averaged over data sets, with 95 % intervals from a "
        f"bootstrap over data sets. {about}",
        notes=(data_sets(inputs), *extensions(inputs)),
        missing=inputs.missing("real"),
    )


def table_11(inputs: Inputs) -> Table:
    """Return Table V-11: score, time and calls on real data."""
    metrics = {
        "Score": ("kgv_gain", "bach", "score"),
        "Time": ("seconds", "bach", "time"),
        "Calls": ("score_calls", "bach", "calls"),
    }
    title = "Table V-11: normalised Bach score, time and statistical calls on real data"
    divided = "Divided by the same number of Bach"
    return _real(inputs, "table_V-11", title, metrics, "table_V-11_real", divided=divided, about=f"{SCORE} {TIME}")


def table_11_by_dataset(inputs: Inputs) -> Table:
    """Return the ratios of scores behind Table V-11, data set by data set."""
    _, apart = evidence.real(inputs, "kgv_gain")
    names = sorted({*inputs.printed("table_V-10_datasets"), *apart.names})
    lost = inputs.lost()
    rows = []
    for i, method in enumerate(inputs.methods):
        cells = [Cell(reason="no data") if n in lost else apart.cell(i, n) for n in names]
        rows.append(Row(method.name, method.label, method.category, tuple(cells)))
    half = (len(names) + 1) // 2
    return Table(
        name="table_V-11_by_dataset",
        title="Table V-11 by data set: normalised Bach score",
        caption="Score of the learned structure as the gain over the empty graph, divided by that of "
        "Bach's method on the same data set. Ratios can be negative, and sets with a small gain weigh "
        "as much as others.",
        key="method",
        columns=tuple(names),
        rows=tuple(rows),
        scale=inputs.scale,
        notes=(*lost_notes(inputs), *extensions(inputs)),
        panels=(("", range(half)), ("", range(half, len(names)))) if len(names) > 5 else (),
        missing=inputs.missing("real"),
    )


def table_12(inputs: Inputs) -> Table:
    """Return Table V-12: discretization calls and time of the integrated methods on real data."""
    metrics = {
        "Discretization calls": ("discretization_calls", "friedman3", "discretization_calls"),
        "Time": ("seconds", "bach", "time"),
    }
    title = "Table V-12: discretization calls and time of the integrated methods on real data"
    return _real(
        inputs,
        "table_V-12",
        title,
        metrics,
        "table_V-12_real_integrated",
        divided="Calls are divided by those of Friedman3 and time by that of Bach",
        about=TIME,
        select=integrated,
    )

"""Ready-made functions of tables and figures, which studies name like their own.

A table gets the inputs, a figure its title and scale too; options are keyword-only. Planning reads their annotations
from this text, see `cutpoint.bench.engine.declaration`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from cutpoint.bench.artefacts.closeness import numbers_of
from cutpoint.bench.artefacts.table import ArtefactTable, Cell, Row
from cutpoint.bench.engine import contests, samples
from cutpoint.bench.engine.declaration import (
    ContestName,
    ExperimentName,
    FunctionName,
    MeasureName,
    MethodName,
    PrintedName,
    Reduction,
    TableName,
    split,
)
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import measure, number
from cutpoint.bench.engine.tables import Absent, Content, dot_of, heading, lacking, make_table, panels_of
from cutpoint.bench.plots import dots, style
from cutpoint.bench.statistics.comparisons import spearman
from cutpoint.bench.statistics.estimates import mean

# Comparisons of methods


def differences_table(inputs: Inputs, *, contest: ContestName, control: MethodName | None = None) -> Content:
    """Return every method against one: the control that was chosen beforehand, or that with the best mean."""
    return contests.differences(contests.declared_contest(inputs, contest), control=control)


def stability_table(inputs: Inputs, *, contest: ContestName) -> Content:
    """Return how far a ranking would change with other replicates."""
    return contests.rank_stability(contests.declared_contest(inputs, contest))


def ranks_figure(inputs: Inputs, *, title: str, scale: str, contest: ContestName, blocks: str) -> style.Figure:
    """Draw critical differences; blocks: what a block of the tests is, in the plural."""
    result = contests.declared_contest(inputs, contest).friedman
    if result is None:
        raise Absent("too few methods or blocks to compare")
    rows = [dots.DotRow(inputs.methods[i].label, inputs.methods[i].category) for i in result.kept]
    note = f"{result.blocks} {blocks}; Friedman test p = {result.pvalue:.2g}; rank 1 is the best; bars join ranks "
    note += "that are alike at 5 %"
    return dots.critical_difference(rows, result.ranks, result.difference, title=title, note=note, scale=scale)


# Agreement with print


def agreement_table(
    inputs: Inputs,
    *,
    tables: Sequence[TableName],
    count: str = "Rows compared",
    together: Mapping[TableName, FunctionName] | None = None,
) -> Content:
    """Return rank correlations of published and reproduced numbers, a row for each column of some tables.

    Args:
        inputs: of the study.
        tables: their names.
        count: heading of the number of pairs.
        together: by table, the function from it to those of its columns that are compared together, by a name for them.
    """
    rows = []
    for name in tables:
        table, called = make_table(inputs, name), name.removeprefix("table_")
        group = inputs.study.function(together[name]) if together and name in together else _columns
        for title, columns in group(table).items():
            cells = [row.cells[k] for row in table.rows for k in columns]
            if np.isfinite(numbers_of(cells)[0]).any():
                key = f"{called}, {title}"
                rows.append(Row(key, f"Table {key}", "", _agreed(cells)))
    return Content("table", ("Rank correlation", count, "Mean absolute difference", "Inside our interval"), rows)


def _columns(table: ArtefactTable) -> dict[str, list[int]]:
    """Return each column of a table alone."""
    return {title: [k] for k, title in enumerate(table.columns)}


def _agreed(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return how far cells agree with print: rank correlation, how many, mean difference, share inside intervals."""
    published, reproduced, low, high = numbers_of(cells)
    rho, number = spearman(published, reproduced)
    held = np.isfinite(published) & (low < high)  # the reference of ratios has no width
    inside = np.where(held, (low <= published) & (published <= high), np.nan)
    return (
        Cell(rho, reason="fewer than three pairs"),
        Cell(number),
        Cell(mean(np.abs(published - reproduced), 0).item(), reason="no pairs"),
        Cell(mean(inside, 0).item(), reason="no intervals"),
    )


def agreement_figure(inputs: Inputs, *, title: str, scale: str, table: TableName) -> style.Figure:
    """Draw published against reproduced numbers of one table, a panel for each of its columns."""
    made, panels = make_table(inputs, table), []
    for k, head in enumerate(made.columns):
        x, y, *_ = numbers_of([row.cells[k] for row in made.rows])
        if np.isfinite(x).any() and np.isfinite(x + y).any():
            points = [dots.Point(row.label, row.category, *xy) for row, *xy in zip(made.rows, x, y, strict=True)]
            rho = spearman(x, y)[0]
            panels.append((f"{head}\nrank corr. {rho:.2f}" if np.isfinite(rho) else head, points))
    if not panels:
        return style.absent(title, made.missing or "nothing reproduced", str(made.scale))
    return dots.agreement(panels, title=title, scale=str(made.scale))


# Numbers of methods


def tradeoff_figure(
    inputs: Inputs,
    *,
    title: str,
    scale: str,
    x: MeasureName,
    xlabel: str,
    xprinted: PrintedName = "",
    y: MeasureName,
    ylabel: str,
    yprinted: PrintedName = "",
    flip: bool = False,
) -> style.Figure:
    """Draw two numbers of each method, quality and cost, and what the paper prints; the best on the left.

    Args:
        inputs: of the study.
        title, scale: of the figure.
        x, y: columns of measures: the cost and the quality.
        xlabel, ylabel: of their axes.
        xprinted, yprinted: columns of printed tables, as in table_1[n500]; none without.
        flip: whether more of y is better, so that its axis points to the left.
    """
    name, column = split(y)
    grid = inputs.study.measures[name].grid
    lost = lacking(inputs, [grid]) or ("" if column in measure(inputs, name) else "no runs at this scale")
    below = [f"not available: {lost}, published values only"] if lost else []
    columns = [_column(inputs, y, ylabel, yprinted, flip=flip), _column(inputs, x, xlabel, xprinted, log=True)]
    values = np.array([[(dot.value, dot.printed) for dot in column.dots] for column in columns])
    kept = np.flatnonzero(np.isfinite(values).any(axis=(0, 2))).tolist()
    if not kept:
        raise Absent(lost or "no numbers, neither reproduced nor published")
    return dots.rows_of_dots(
        [dots.DotRow(inputs.methods[i].label, inputs.methods[i].category) for i in kept],
        [replace(column, dots=[column.dots[i] for i in kept]) for column in columns],
        title="\n".join([f"{title}; left is better", *below]),
        scale=scale,
    )


def _column(inputs: Inputs, of: str, label: str, printed: str, **options: bool) -> dots.DotColumn:
    """Return a number of each method with its interval, and what the paper prints, over those of the reference."""
    source, (file, head) = number(inputs, *split(of)), split(printed)
    numbers = [dot_of(source.cell(method.name)) for method in inputs.methods]
    lines_of_paper = inputs.printed(file) if file else {}
    theirs = [lines_of_paper.get(m.name, {}).get(head, np.nan) for m in inputs.methods]
    marks = [replace(dot, printed=each) for dot, each in zip(numbers, theirs, strict=True)]
    return dots.DotColumn(label, marks, marked=(1,), **options)


# Experiments


def experiment_table(
    inputs: Inputs,
    *,
    experiment: ExperimentName,
    of: FunctionName = "",
    key: str,
    rows: Sequence[str],
    label: str = "{}",
    category: str = "",
    across: str = "",
    columns: Mapping[str, Reduction] | None = None,
    panels: Mapping[str, Mapping[str, Reduction]] | None = None,
) -> Content:
    """Return a row for all rows of an experiment that agree in some columns, of which others are reduced.

    Args:
        inputs: of the study.
        experiment: its name.
        of: function from the inputs to the rows; those of the experiment.
        key: what the rows of the table are.
        rows: columns of the experiment; a row of the table for all that agree in them.
        label: what a row is called; {} are its values.
        category: column that says of what kind a row is.
        across: a heading with {} makes a column for each value of this one.
        columns: the mean, the share or the largest value of a column, by heading.
        panels: such columns by the title above them.
    """
    frame = inputs.study.function(of)(inputs) if of else samples.rows_of(inputs, experiment)
    values = sorted(frame[across].unique().tolist()) if across and len(frame) else []
    bodies = panels or {"": columns or {}}
    shown = [
        (title, heading(head, value), value, *next(iter(reduction.items())))
        for title, body in bodies.items()
        for head, reduction in body.items()
        for value in (values if "{" in head else [None])
    ]
    return Content(
        key,
        [head for _, head, *_ in shown],
        [
            Row(
                "_".join(heading("{}", name) for name in names),
                heading(label, tuple(_called(name, inputs.labels) for name in names)),
                mine[category].iloc[0] if category else "",
                tuple(
                    samples.REDUCTIONS[kind](mine if value is None else mine[mine[across] == value], column)
                    for *_, value, kind, column in shown
                ),
            )
            for names, mine in (frame.groupby(list(rows), sort=False) if len(frame) else ())
        ],
        panels_of({title: sum(each[0] == title for each in shown) for title in bodies}),
        missing=samples.absent(inputs, experiment),
        replicates=samples.count(inputs, experiment),
        keys=[
            {"measure": column, "statistic": kind} | ({} if value is None else {across: value})
            for *_, value, kind, column in shown
        ],
    )


def readings_table(inputs: Inputs) -> Content:
    """Return the suppositions of the experiment `readings`: the number in print, ours, and ours under each of them."""
    numbers = {"published": "published", "ours": "ours", "as supposed": "supposed"}
    columns: dict[str, Reduction] = {head: {"largest": column} for head, column in numbers.items()}
    return experiment_table(inputs, experiment="readings", key="supposition", rows=["reading"], columns=columns)


def _called(name: object, labels: Mapping[str, str]) -> object:
    """Return what a row of an experiment is called: the label of a method, with what stands behind a comma."""
    method, comma, rest = name.partition(", ") if isinstance(name, str) else ("", "", "")
    return f"{labels[method]}{comma}{rest}" if method in labels else name

"""Graphs in CSV files: an adjacency matrix under the names of the variables, or a list of arcs."""

import csv

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.networks.bif import BifContent

MARKS = {mark: mark[0] in "1T" for mark in ("0", "1", "0.0", "1.0", "FALSE", "TRUE", "False", "True")}
HEADS = (["from", "to"], ["source", "target"], ["parent", "child"])


def parse(text: str, source: str) -> BifContent:
    """Return a graph as the content of a network whose variables have one level.

    A matrix has 1 in the row of the parent and the column of the child; names may stand before the rows too. In a list
    each line has a parent and a child, or a variable without arcs.
    """
    rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines()) if any(map(str.strip, row))]
    size = max(len(rows) - 1, 1)
    cells = [row[-size:] for row in rows[1:]]
    if cells and all(len(row) == size and {*row} <= {*MARKS} for row in cells):
        names = rows[0][-size:]
        arcs = [(names[i], names[j]) for i, j in np.argwhere([[MARKS[cell] for cell in row] for row in cells])]
    elif rows and all(len(row) < 3 for row in rows):
        rows = rows[1:] if [cell.lower() for cell in rows[0]] in HEADS else rows
        names, arcs = [*dict.fromkeys(name for row in rows for name in row)], [(x, y) for x, *ys in rows for y in ys]
    else:
        what = "neither a square matrix of 0 and 1 under the names of its variables nor a list of arcs"
        raise InputError(f"{source}: {what}")
    parents = {name: [x for x, y in arcs if y == name] for name in names}
    tables = {name: np.ones((1,) * (len(those) + 1)) for name, those in parents.items()}
    return BifContent(states={name: ["any"] for name in names}, parents=parents, tables=tables)

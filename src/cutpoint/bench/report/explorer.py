"""The runs of all studies with a known truth, as compact columns for the explorer of the report."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from cutpoint.bench.data.metrics import METRICS
from cutpoint.bench.data.status import OK

# Column, title, and by what numbers are multiplied to be whole
MEASURES = (
    ("loss", "SHD per true edge", 10_000),  # of studies whose networks are replicates; SHDs of the others
    ("shd_standard", "SHD, every wrong pair 1", 1),
    ("shd_fu2005", "SHD as Fu counts it", 1),
    ("f1_pattern", "F1 of the pattern", 1000),
    ("f1_skeleton", "F1 of the skeleton", 1000),
    ("parent_aid", "AID (parents)", 1000),
    ("ancestor_aid", "AID (ancestors)", 1000),
    ("seconds", "CPU seconds", 100_000),
)
CELL = ("grid", "network", "n", "noise")
MOST = 25_000  # runs of a study; of more, replicates are left out from the last


@dataclass(frozen=True)
class Explored:
    """The runs of one study.

    Attributes:
        name: of the study.
        methods: name, label and category of every row, in the order of the tables.
        reference: the method by which others may be divided, or "".
        grids: names of the grids, that which is shown first in front.
        blocks: the columns of the metrics by whose values cells have their replicates in common.
        table: runs with the columns CELL, replicate, method, status and those of MEASURES that there are.
        unit: what its replicates are, such as "networks".
        rows: which rows it has, where these are not all.
        usual: how labels of rows end, which is left away where there is little room.
    """

    name: str
    methods: Sequence[Mapping[str, str]]
    reference: str
    grids: Sequence[str]
    blocks: Sequence[str]
    table: pa.Table
    unit: str = "replicates"
    rows: str = ""
    usual: str = ""

    def columns(self) -> dict[str, Any] | None:
        """Return the study as the script reads it, None without a run that has a true network."""
        rows = [row for row in self.table.to_pylist() if row["network"]]
        places = {method["name"]: i for i, method in enumerate(self.methods)}
        rows = [row for row in rows if row["method"] in places]
        if not rows:
            return None
        while len(rows) > MOST and (last := max(row["replicate"] for row in rows)):
            rows = [row for row in rows if row["replicate"] < last]
        turn = {name: i for i, name in enumerate(self.grids)}
        cells = sorted({tuple(row[key] for key in CELL) for row in rows}, key=lambda cell: (turn[cell[0]], str(cell)))
        block = {cell: self._block(dict(zip(CELL, cell, strict=True))) for cell in cells}
        numbers = {key: i for i, key in enumerate(dict.fromkeys(block.values()))}
        rows.sort(key=lambda row: (str(tuple(row[key] for key in CELL)), row["replicate"], places[row["method"]]))
        place = {cell: i for i, cell in enumerate(cells)}
        runs: dict[str, list[int | None]] = {
            "cell": _steps([place[tuple(row[key] for key in CELL)] for row in rows]),
            "replicate": _steps([row["replicate"] for row in rows]),
            "method": _steps([places[row["method"]] for row in rows]),
        }
        for name, _, scale in MEASURES:
            numbers_of_runs = [_whole(row, name, scale) for row in rows]
            if any(number is not None for number in numbers_of_runs):
                runs[name] = numbers_of_runs
        return {
            "name": self.name,
            "unit": self.unit,
            "rows": self.rows,
            "usual": self.usual,
            "reference": places.get(self.reference),
            "methods": [[method["label"], method["category"]] for method in self.methods],
            "cells": [[*cell, numbers[block[cell]]] for cell in cells],
            "runs": runs,
        }

    def _block(self, cell: Mapping[str, Any]) -> tuple:
        """Return what cells with the same replicates agree in, as `cutpoint.bench.engine.inputs.Grid.blocks` does."""
        return tuple(cell[key] for key in self.blocks if key in CELL) or tuple(cell.values())


def _steps(values: Sequence[int]) -> list[int | None]:
    """Return the first number and then the differences, which take less room."""
    return [int(step) for step in np.diff(values, prepend=0)]


def _whole(row: Mapping[str, Any], name: str, scale: int) -> int | None:
    value = row.get(name) if row["status"] == OK else None
    return None if value is None else round(value * scale)


def packed(studies: Sequence[Explored]) -> tuple[str, list[str]]:
    """Return everything that the explorer shows, JSON in gzip in base64, and the studies of which it has runs.

    It is "" where no run has a true network.
    """
    shown = [columns for study in studies if (columns := study.columns())]
    measures = [[title, METRICS[name].better == "higher", scale, name] for name, title, scale in MEASURES]
    if not shown:
        return "", []
    text = json.dumps({"measures": measures, "studies": shown}, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(), [study["name"] for study in shown]

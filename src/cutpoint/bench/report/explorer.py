"""The runs of all studies with a known truth, as compact columns for the explorer of the report."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from cutpoint.bench.data.metrics import METRICS
from cutpoint.bench.data.status import OK

# Column, title, and by what numbers are multiplied to be whole
MEASURES = (
    ("loss", "SHD per true edge", 10_000),  # of studies whose networks are replicates; SHDs of the others
    ("shd_standard", "SHD (standard)", 1),
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
    """The runs of one study."""

    name: str  # of the study
    methods: Sequence[Mapping[str, str]]  # name, label and category of every row, in the order of the tables
    reference: str  # the method by which others may be divided, or ""
    grids: Sequence[str]  # names of the grids, that which is shown first in front
    blocks: Sequence[str]  # the columns of the metrics by whose values cells have their replicates in common
    table: pa.Table  # runs with the columns CELL, replicate, method, status and those of MEASURES that there are
    unit: str = "replicates"  # what its replicates are, such as "networks"

    def columns(self) -> dict[str, Any] | None:
        """Return the study as the script reads it, None without a run that has a true network."""
        places = {method["name"]: i for i, method in enumerate(self.methods)}
        runs = self.table.to_pandas().replace({"network": ""}, None).dropna(subset="network")
        runs = runs[runs["method"].isin(places)].astype({"n": int})
        if runs.empty:
            return None
        while len(runs) > MOST and (last := runs["replicate"].max()):
            runs = runs[runs["replicate"] < last]
        runs = runs.assign(method=runs["method"].map(places), grid=pd.Categorical(runs["grid"], self.grids))
        runs = runs.sort_values([*CELL, "replicate", "method"])
        cells = runs[list(CELL)].drop_duplicates()
        # cells with the same replicates, as `blocks` of a study says
        together = [key for key in self.blocks if key in CELL] or list(CELL)
        blocks = cells.groupby(together, sort=False, observed=True).ngroup()
        numbers = {
            "cell": _steps(runs.groupby(list(CELL), sort=False, observed=True).ngroup()),
            "replicate": _steps(runs["replicate"]),
            "method": _steps(runs["method"]),
        }
        good = runs["status"] == OK
        for name, _, scale in MEASURES:
            if name in runs and (values := runs[name].where(good)).notna().any():
                numbers[name] = [None if np.isnan(x) else round(x * scale) for x in values.astype(float)]
        return {
            "name": self.name,
            "unit": self.unit,
            "reference": places.get(self.reference),
            "methods": [[method["label"], method["category"]] for method in self.methods],
            "cells": [[*cell, int(block)] for cell, block in zip(cells.to_numpy().tolist(), blocks, strict=True)],
            "runs": numbers,
        }


def _steps(values: pd.Series) -> list[int | None]:
    """Return the first number and then the differences, which take less room."""
    return np.diff(values, prepend=0).tolist()


def packed(studies: Sequence[Explored]) -> tuple[str, list[str]]:
    """Return everything that the explorer shows, JSON in gzip in base64, and the studies of which it has runs.

    It is "" where no run has a true network.
    """
    packs = [columns for study in studies if (columns := study.columns())]
    measures = [[title, METRICS[name].better == "higher", scale, name] for name, title, scale in MEASURES]
    if not packs:
        return "", []
    text = json.dumps({"measures": measures, "studies": packs}, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(), [study["name"] for study in packs]

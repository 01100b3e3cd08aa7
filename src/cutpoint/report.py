"""The report: one HTML file that holds everything and needs no network."""

from __future__ import annotations

import base64
import platform
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from cutpoint import artefacts
from cutpoint.artefacts import Table

PACKAGES = (*("cutpoint", "snakemake", "numpy", "scipy", "numba", "pyarrow", "matplotlib", "pyagrum", "causal-learn"),)
UNAVAILABLE = "unavailable"
VERDICTS = ("holds", "does not hold", "cannot be decided")


@dataclass(frozen=True)
class StudyReport:
    """What the report shows of one study.

    Attributes:
        name, title, citation: of the study.
        scale, seed: of the run.
        methods: label, category and settings of every row, in order.
        runs: status and message of every run, with its grid, cell and method.
        claims: rows of claims.csv.
        tables: HTML fragments in order.
        figures: (name, SVG text) in order.
    """

    name: str
    title: str
    citation: str
    scale: str
    seed: int
    methods: Sequence[Mapping[str, Any]]
    runs: Sequence[Mapping[str, Any]]
    claims: Sequence[Mapping[str, str]]
    tables: Sequence[str]
    figures: Sequence[tuple[str, str]]

    @property
    def parts(self) -> list[str]:
        """Which parts have anything to show, in their order."""
        held = {
            "claims": self.claims,
            "failures": self.runs,
            "tables": self.tables,
            "figures": self.figures,
            "methods": self.methods,
        }
        return [name for name, content in held.items() if content]

    @property
    def statuses(self) -> dict[str, int]:
        """How many runs ended how, the good ones first."""
        counts = Counter(run["status"] for run in self.runs)
        return dict(sorted(counts.items(), key=lambda item: (item[0] != "ok", item[0])))

    @property
    def failures(self) -> list[dict[str, Any]]:
        """What did not end well: grid, method, status, message, number and cells, without data that are not there."""
        groups: dict[tuple, list[str]] = {}
        for run in self.runs:
            if run["status"] not in ("ok", UNAVAILABLE):
                key = run["grid"], run["method"], run["status"], run["message"] or ""
                groups.setdefault(key, []).append(run["cell"])
        names = ("grid", "method", "status", "message")
        return [
            dict(zip(names, key, strict=True)) | {"runs": len(cells), "cells": sorted(set(cells))}
            for key, cells in sorted(groups.items())
        ]

    @property
    def unavailable(self) -> list[dict[str, Any]]:
        """The data sets that could not be had: cell, grid, number of runs left out, and why."""
        groups = Counter(
            (run["cell"], run["grid"], run["message"] or "") for run in self.runs if run["status"] == UNAVAILABLE
        )
        return [
            {"cell": cell, "grid": grid, "runs": count, "message": message.removeprefix(f"{cell}: ")}
            for (cell, grid, message), count in sorted(groups.items())
        ]

    @property
    def lost(self) -> int:
        """How many runs gave no result."""
        return sum(run["status"] != "ok" for run in self.runs)

    @property
    def names(self) -> set[str]:
        """Names of the tables and figures that are shown, to which claims may link."""
        tables = {found[1] for text in self.tables if (found := re.search('id="([^"]+)"', text))}
        return tables | {name for name, _ in self.figures}

    @property
    def score(self) -> dict[str, int]:
        """How many claims got which verdict."""
        counts = Counter(claim["verdict"] for claim in self.verdicts)
        return {verdict: counts[verdict] for verdict in (*VERDICTS, *sorted(set(counts) - set(VERDICTS)))}

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """The claims, each with its inequalities."""
        found: list[dict[str, Any]] = []
        for row in self.claims:
            if row["part"]:
                found[-1]["parts"].append(row)
            else:
                found.append({**row, "parts": []})
        return found


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def to_html(table: Table) -> str:
    """Return a table as an HTML fragment, published numbers below the reproduced ones."""
    return _environment().get_template("table.html.j2").render(table=table, artefacts=artefacts)


def render(studies: Sequence[StudyReport]) -> str:
    """Return the report of a run as HTML text."""
    template = _environment().get_template("report.html.j2")
    return template.render(studies=studies, versions=versions())


@cache
def _environment() -> Environment:
    environment = Environment(loader=PackageLoader("cutpoint"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["data_uri"] = _data_uri
    environment.filters["fragment"] = _fragment
    environment.filters["percent"] = _percent
    environment.filters["heading"] = _heading
    return environment


def _fragment(table: str, study: str) -> Markup:
    """Return a table as it is, its id with the name of the study in front: two papers may both have a Table 1."""
    return Markup(table.replace('id="', f'id="{escape(study)}-', 1))


def _percent(share: str) -> str:
    """Return a share as written in claims.csv in percent."""
    try:
        return f"{100 * float(share):.3g} %"
    except ValueError:
        return share


def _heading(name: str) -> str:
    """Return "Table V-4" for "table_V-4"."""
    return name[:1].upper() + name[1:].replace("_", " ")


def _data_uri(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()

"""Everything that a study shows, written into a folder."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from cutpoint.plots.style import save
from cutpoint.report.artefacts import WRITERS, Table, records
from cutpoint.report.claims import Judged, judge, to_csv
from cutpoint.report.page import to_html
from cutpoint.studies.claims import claims_of
from cutpoint.studies.declaration import artefacts_of, declared, function, is_declared
from cutpoint.studies.figures import make_figure
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.tables import make_table

TABLE_WRITERS = {**WRITERS, "html": to_html}
IMAGES = ("svg", "pdf", "png")


def show(inputs: Inputs, folder: Path) -> None:
    """Write tables, figures, the verdicts on claims and what the study answers.

    Args:
        inputs: of the study.
        folder: gets ``tables/NAME.{csv,md,tex,html}``, ``figures/NAME.{svg,pdf,png}``, ``claims.csv`` and
            ``answers.csv``; made where it is missing.
    """
    for kind in ("tables", "figures"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for name, table in tables_of(inputs):
        for ending, write in TABLE_WRITERS.items():
            (folder / "tables" / f"{name}.{ending}").write_text(write(table), encoding="utf-8")
    for name, figure in figures_of(inputs):
        for ending in IMAGES:
            save(figure, folder / "figures" / f"{name}.{ending}")
    (folder / "claims.csv").write_text(to_csv(inputs.study, judged(inputs), inputs.scale), encoding="utf-8")
    (folder / "answers.csv").write_text(records(("topic", "text"), answers_of(inputs)), encoding="utf-8")


def tables_of(inputs: Inputs) -> Iterator[tuple[str, Table]]:
    """Yield the tables of a study in the order of the report."""
    for name in artefacts_of(inputs.study).tables:
        yield (
            name,
            make_table(inputs, name) if is_declared(inputs.study) else _part(inputs.study, "tables")[name](inputs),
        )


def figures_of(inputs: Inputs) -> Iterator[tuple[str, Figure]]:
    """Yield the figures of a study in the order of the report, drawn one at a time since they hold much memory."""
    for name in artefacts_of(inputs.study).figures:
        if is_declared(inputs.study):
            yield name, make_figure(inputs, name)
        else:
            yield name, _part(inputs.study, "figures")[name](inputs)


def judged(inputs: Inputs) -> list[Judged]:
    """Return the verdicts on the claims of a study."""
    listed = claims_of(inputs.study) if is_declared(inputs.study) else _part(inputs.study, "claims")
    return [judge(name, claim, inputs) for name, claim in listed.items()]


def answers_of(inputs: Inputs) -> list[list[str]]:
    """Return what a study answers as pairs of topic and text; a topic on which its runs say nothing is left out."""
    if is_declared(inputs.study):
        makers = {topic: function(inputs.study, name) for topic, name in declared(inputs.study).answers.items()}
    else:
        makers = _part(inputs.study, "answers")
    said = [(topic, make(inputs)) for topic, make in makers.items()]
    return [[topic, text] for topic, text in said if text]


def _part(study: str, part: str) -> dict[str, Any]:
    return getattr(import_module(f"cutpoint.studies.{study}.{part}"), part.upper())

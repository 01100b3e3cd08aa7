"""Everything that a study shows, written into a folder."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from cutpoint.plots.style import save
from cutpoint.report.artefacts import WRITERS, records
from cutpoint.report.claims import judge, to_csv
from cutpoint.report.page import to_html
from cutpoint.studies.declaration import artefacts_of
from cutpoint.studies.inputs import Inputs

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
    names = artefacts_of(inputs.study)
    tables, figures, claims, answers = (
        _part(inputs.study, part) for part in ("tables", "figures", "claims", "answers")
    )
    for name in names.tables:
        table = tables[name](inputs)
        for ending, write in TABLE_WRITERS.items():
            (folder / "tables" / f"{name}.{ending}").write_text(write(table), encoding="utf-8")
    for name in names.figures:
        figure = figures[name](inputs)  # one at a time: figures hold much memory
        for ending in IMAGES:
            save(figure, folder / "figures" / f"{name}.{ending}")
    judged = [judge(name, claim, inputs) for name, claim in claims.items()]
    (folder / "claims.csv").write_text(to_csv(inputs.study, judged, inputs.scale), encoding="utf-8")
    said = [(topic, answer(inputs)) for topic, answer in answers.items()]
    text = records(("topic", "text"), [[topic, text] for topic, text in said if text])
    (folder / "answers.csv").write_text(text, encoding="utf-8")


def _part(study: str, part: str) -> dict[str, Any]:
    return getattr(import_module(f"cutpoint.studies.{study}.{part}"), part.upper())

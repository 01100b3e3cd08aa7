"""Draw how probable edges and thresholds of a user's data are; write a page and the network."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cutpoint as cp
from cutpoint.bench.runs.jobs import job
from cutpoint.data.user_table import Roles, TextForm, read
from cutpoint.knowledge.knowledge import Knowledge
from cutpoint.models.page import render


def make(source: str, page: str, model: str, *, reading: Mapping[str, Any], knowledge: Mapping[str, Any] | None) -> str:
    """Write the page and the model of a user's file, and return what the note says; see `own_data.make`."""
    table = read(source, Roles(**reading["roles"]), TextForm(**reading["form"]))
    known, missing = Knowledge(knowledge) if knowledge else None, table.roles.missing
    learned = cp.learn(table, "posterior", knowledge=known, missing=missing)
    fitted = learned.fit(table, missing=missing)
    Path(page).write_text(render(fitted, f"{table.source}: how probable edges and levels are"), encoding="utf-8")
    fitted.write(model)
    return learned.note


if __name__ == "__main__":
    with job(snakemake.log[0]):
        params = snakemake.params
        note = make(snakemake.input[0], *snakemake.output, reading=params.reading, knowledge=params.knowledge)
        logging.getLogger("cutpoint").info("%s", note)

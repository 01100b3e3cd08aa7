"""Draw how probable edges and thresholds of a user's data are; write a page and the network.

One job begins with all chains. Where they take longer than `ALONE`, each goes on in a job of its own, see `chain.py`.
Who draws makes no difference: what counts is the first round in which the chains agree.
"""

import logging
import pickle
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import cutpoint as cp
from cutpoint.bench.runs.jobs import job
from cutpoint.data.table import Table
from cutpoint.data.user_table import Roles, TextForm, read
from cutpoint.knowledge.knowledge import Knowledge
from cutpoint.models.fitting import Result
from cutpoint.models.page import render
from cutpoint.posteriors.chains import TAKE_UP, GraphChain, agreement

Begins = Callable[[], list[GraphChain]]
ALONE = 20.0  # CPU seconds after which chains are worth jobs of their own


class Begun(Exception):
    """Ends the job that only begins."""


def begin(source: str, state: str, agreed: str, **about: Any) -> None:
    """Write chains of a user's file that have gone on for `ALONE` seconds, and whether they are at their end."""
    for old in Path(state).parent.glob("[1-9]*.*"):  # of an earlier run, which may have needed more stages
        old.unlink()

    def take_up(make: Begins, rounds: int) -> list[GraphChain]:
        chains, limit = make(), time.process_time() + ALONE
        _, diagnostics = agreement(chains, rounds, lambda: time.process_time() < limit)
        Path(state).write_bytes(pickle.dumps((rounds, chains)))
        Path(agreed).write_text("yes" if diagnostics.converged or chains[0].rounds == rounds else "no")
        raise Begun

    with suppress(Begun):
        _learn(source, take_up, **about)


def make(source: str, state: str, page: str, model: str, **about: Any) -> str:
    """Write the page and the model of a user's file from its chains, and return what the note says."""
    table, learned = _learn(source, lambda *_: pickle.loads(Path(state).read_bytes())[1], **about)
    fitted = learned.fit(table, missing=table.roles.missing)
    Path(page).write_text(render(fitted, f"{table.source}: how probable edges and levels are"), encoding="utf-8")
    fitted.write(model)
    return learned.note or ""


def _learn(
    source: str,
    take_up: Callable[[Begins, int], list[GraphChain]],
    *,
    reading: Mapping[str, Any],
    knowledge: Mapping[str, Any] | None,
) -> tuple[Table, Result]:
    """Return the user's table and what is learned of it; see `own_data.make`."""
    table = read(source, Roles(**reading["roles"]), TextForm(**reading["form"]))
    known, before = Knowledge(knowledge) if knowledge else None, TAKE_UP.set(take_up)
    try:
        return table, cp.learn(table, "posterior", knowledge=known, missing=table.roles.missing)
    finally:
        TAKE_UP.reset(before)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        about = {key: snakemake.params[key] for key in ("reading", "knowledge")}
        if hasattr(snakemake.output, "agreed"):  # whatever the rule is called in a module
            begin(snakemake.input[0], *snakemake.output, **about)
        else:
            logging.getLogger("cutpoint").info("%s", make(*snakemake.input, *snakemake.output, **about))

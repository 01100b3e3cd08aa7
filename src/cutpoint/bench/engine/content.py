"""What the rows and columns of a table are, before its title and caption, which a study declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cutpoint.bench.artefacts.table import Row


@dataclass(frozen=True)
class Content:
    """What is made of a table; its title, caption and the first of its notes are declared.

    Attributes:
        key, columns, rows, panels: as in `Table`.
        notes: sentences below those that are declared.
        missing: why the whole table is not available, or "".
        replicates: how many it rests on, where that is not what it declares.
        caption: what stands in the place of the declared caption, or "".
        keys: what each column stands for, as in `Table`; by default the panel that it stands in.
    """

    key: str
    columns: Sequence[str]
    rows: Sequence[Row]
    panels: Sequence[tuple[str, range]] = ()
    notes: Sequence[str] = ()
    missing: str = ""
    replicates: int | str | None = None
    caption: str = ""
    keys: Sequence[Mapping[str, object]] = ()

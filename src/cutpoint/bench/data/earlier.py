"""What the last good run of a job left, for the next one: links to its files, in a hidden folder beside them.

Snakemake removes the outputs of a job before it runs and when it fails, so that no older file stands for what was not
made. These links stay.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

FOLDER = ".earlier"


def earlier(path: str | os.PathLike) -> Path:
    """Return where the earlier file of a path is, if there is one."""
    return Path(path).parent / FOLDER / Path(path).name


def remember(*paths: str | os.PathLike) -> None:
    """Link the files of a job that were just written; the last one is there only if all of them are.

    On a disk without links they are copied.
    """
    for path in reversed(paths):
        earlier(path).unlink(missing_ok=True)
    with suppress(OSError):  # a full disk: the next run of the job runs all
        for path in paths:
            _link(path, earlier(path))


def _link(path: str | os.PathLike, link: Path) -> None:
    link.parent.mkdir(exist_ok=True)
    try:
        os.link(path, link)
    except OSError:
        shutil.copyfile(path, link)

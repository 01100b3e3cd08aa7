"""What finished jobs tell of their runs when the workflow is run again, where they are kept, and whether."""

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from cutpoint.bench.data import status

KEY = b"cutpoint"  # of the metadata, see cutpoint.bench.data.parquet
ANEW = "CUTPOINT_ANEW"  # the environment variable that has jobs keep none of their earlier runs
SETTLED = {status.OK, status.UNAVAILABLE}  # statuses that other limits would not change
AGAIN = " again"  # behind the limits of each second job that was run again since a run was starved or killed


def limits(path: str | os.PathLike, present: tuple[float, float]) -> str:
    """Return the limits that a job depends on, as text, from its file of runs or thresholds.

    They are the present ones, seconds and megabytes, but if all runs of its results ended well those of the results:
    other limits run a job again only where one of its runs did not succeed. Where the machine stopped one, as its
    message says, the text differs from that of the results, so that the job runs again.
    """
    now = "{:g} s, {:g} MB".format(*present)
    if not os.path.exists(path):
        return now
    import pyarrow as pa  # a run in an empty folder needs no tables
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read(columns=["status", "message"], use_threads=False)
        earlier = json.loads((table.schema.metadata or {})[KEY])["limits"]
        ends = {*zip(table["status"].to_pylist(), table["message"].to_pylist(), strict=True)}
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError):  # damaged, or by a rule of the user's
        return now
    if SETTLED.issuperset(end for end, _ in ends):
        return earlier
    stopped = (status.STARVED, status.KILLED)
    again = any(end in stopped and (message or "").endswith(status.AGAIN) for end, message in ends)
    return now + AGAIN * (earlier.endswith(AGAIN) != again)


def keep_nothing_if_forced(settings: Any) -> None:
    """Let jobs keep none of their earlier results where Snakemake's settings force some, as ``--forcerun`` does."""
    if settings.forceall or settings.forcerun:
        os.environ[ANEW] = "1"


FOLDER = ".earlier"


def earlier(path: str | os.PathLike) -> Path:
    """Return where the file that the last good run of a job left is, if there is one."""
    return Path(path).parent / FOLDER / Path(path).name


def remember(*paths: str | os.PathLike) -> None:
    """Link the files of a job that were just written; the last one is there only if all of them are.

    Snakemake removes the outputs of a job before it runs and when it fails; the links stay. On a disk without links the
    files are copied.
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

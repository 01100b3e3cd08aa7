"""Break runs on one machine: a small study, its processes, and disks that are full or read-only."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import slurm_tools
from workflow_tools import Done, Workflow

from cutpoint.bench.data.parquet import KEY
from cutpoint.bench.runs.finished import FOLDER

BATCHES = [f"results/fu2005/simulated/asia.n60.block{r}" for r in (0, 1)]
DATA = [f"{batch}/values.parquet" for batch in BATCHES]
NAPS = [f"{batch}/discretized/naps.parquet" for batch in BATCHES]
PATIENCE = 120.0


def until(condition: Callable[[], object], what: str) -> None:
    """Wait until a function finds something."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def processes(folder: Path) -> list[int]:
    """Return the processes that work in a folder."""
    numbers = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cwd").readlink() == folder:
                numbers.append(int(entry.name))
        except OSError:  # it has ended
            continue
    return numbers


def children(process: int) -> list[int]:
    """Return the children of a process."""
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def kill_group(process: subprocess.Popen, folder: Path) -> None:
    """Interrupt a run as Ctrl-C in a terminal does: all that is in the process group of its master."""
    for each in processes(folder):
        if os.getpgid(each) == os.getpgid(process.pid):
            os.kill(each, signal.SIGINT)


@dataclass
class Small:
    """The study of two batches with a method that naps, and what an undisturbed run of it gave.

    Attributes:
        workflow: the copy of the repository.
        folder: the undisturbed run.
    """

    workflow: Workflow
    folder: Path

    @property
    def outcome(self) -> dict[str, list[tuple]]:
        """What a run must give."""
        return slurm_tools.outcome(self.folder)

    def run(self, folder: Path, *arguments, **options) -> Done:
        """Run to the end; all metrics unless a file is named."""
        return self.workflow.run(folder, *(arguments or [slurm_tools.METRICS]), **options)

    def begin(self, folder: Path, *arguments) -> subprocess.Popen:
        """Start a run, of one job at a time, and return it in the middle of a method."""
        self.workflow.folder(folder)
        with folder.with_suffix(".log").open("w") as log:  # a pipe that nobody reads fills up
            target = arguments or [slurm_tools.METRICS]
            process = self.workflow.start(folder, *target, cores=1, output=log)
        until(lambda: (folder / "napping").exists() or process.poll() is not None, "no method began")
        assert process.poll() is None, folder.with_suffix(".log").read_text()
        return process


def finish(process: subprocess.Popen, folder: Path) -> Done:
    """Wait for the end of a run and of all its processes."""
    code = process.wait(PATIENCE)
    until(lambda: not processes(folder), "processes are left")
    return Done(code, folder.with_suffix(".log").read_text())


def half_written(folder: Path) -> list[Path]:
    """Return the files that were never renamed."""
    return [path for path in (folder / "results").rglob(".*") if path.name != FOLDER]


def _mount(*arguments: object) -> None:
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"mount: {done.stderr.strip()}; it needs the rights of root")


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Put a disk of some size at a folder; needs root."""
    folder.mkdir(parents=True, exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Write a file that leaves no room on a disk, and return it."""
    path = disk / "filler"
    with path.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    return path


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """Let nobody write in a folder, not even root."""
    if os.getuid():
        subprocess.run(["chmod", "-R", "a-w", str(folder)], check=True)
        try:
            yield folder
        finally:
            subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
        return
    _mount("--bind", folder, folder)
    try:
        _mount("-o", "remount,ro,bind", folder)
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def flip(path: Path) -> None:
    """Change some bytes in the content of a file, as a bad disk does."""
    content = bytearray(path.read_bytes())
    for place in range(len(content) // 8, len(content) // 3, 16):
        content[place] ^= 0xFF
    path.write_bytes(content)


def of_another_version(path: Path) -> None:
    """Make a file one of another version of the contract."""
    content = pq.read_table(path)
    about = json.loads(content.schema.metadata[KEY]) | {"contract": 1}
    pq.write_table(content.replace_schema_metadata({KEY: json.dumps(about)}), path)


def foreign(path: Path) -> None:
    """Make a file one without our metadata."""
    pq.write_table(pq.read_table(path).replace_schema_metadata(None), path)


# What happens to a file, and what is said of it.
DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-20]), "not a readable Parquet file ("),
    "random": (lambda path: path.write_bytes(os.urandom(5000)), "not a readable Parquet file ("),
    "empty": (lambda path: path.write_bytes(b""), "not a readable Parquet file ("),
    "flipped": (flip, "not a readable Parquet file ("),
    "foreign": (foreign, "the schema metadata lacks the key 'cutpoint'"),
    "version": (of_another_version, "written for contract 1, not "),
}

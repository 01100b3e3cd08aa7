"""Run the workflow as a user does: by subprocess, from a copy of the repository, in folders of its own."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.show import WRITERS, images

ROOT = Path(__file__).parents[1]
PARTS = ("config", "data", "envs", "profiles", "scripts", "src", "workflow")
RULE = re.compile(r"^ *(?:local)?rule (\S+):$", re.MULTILINE)
SIMULATED = "results/fu2005/simulated/all"


@dataclass
class Done:
    """A finished call: its exit code and everything that it said."""

    code: int
    text: str

    @property
    def jobs(self) -> list[str]:
        """The rules that ran or would run, one for each job; Snakemake lists them with --printshellcmds."""
        return sorted(RULE.findall(self.text))


@dataclass
class Workflow:
    """A copy of the repository and how it is run.

    Attributes:
        clone: the copy; its config and code may be edited for a while.
        mirror: an empty folder, so that no data set is looked for in the network.
    """

    clone: Path
    mirror: Path
    cores: int = 2
    settings: dict = field(default_factory=lambda: {"scale": "tiny", "study": "fu2005"})

    @classmethod
    def make(cls, base: Path) -> "Workflow":
        """Copy the repository into a folder."""
        for name in ("clone", "mirror"):
            (base / name).mkdir(parents=True)
        return cls(copy_repository(base / "clone"), base / "mirror")

    def start(
        self, folder: Path, *arguments, door="Snakefile", cores=None, here=None, output=subprocess.PIPE, **settings
    ) -> subprocess.Popen:
        """Start a run in a folder; settings are those of config.yaml, None leaves one out; 0 cores are not named."""
        keys = {"mirror": self.mirror, **self.settings, **settings}
        config = [f"{key}={value}" for key, value in keys.items() if value is not None]
        cores = self.cores if cores is None else cores
        command = [sys.executable, "-m", "snakemake", *map(str, arguments), *(["--cores", str(cores)] * bool(cores))]
        command += ["--snakefile", str(self.clone / door)] if door else []
        command += ["--directory", str(folder)] if here is None else []
        here = Path(here or folder.parent)
        return subprocess.Popen(
            [*command, *(["--config", *config] if config else [])],
            cwd=here,
            env={**os.environ, "PWD": str(here)},
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, folder: Path, *arguments, **options) -> Done:
        """Run to the end."""
        process = self.start(folder, *arguments, **options)
        text, _ = process.communicate(timeout=900)
        return Done(process.returncode, text)

    def listed(self, folder: Path, *arguments, **options) -> Done:
        """Run to the end, and say every job; see `Done.jobs`."""
        return self.run(folder, *arguments, "--printshellcmds", **options)

    def plan(self, folder: Path, *arguments, **options) -> Done:
        """Return what would run, job by job."""
        return self.listed(folder, "--dry-run", *arguments, **options)

    def folder(self, path: Path) -> Path:
        """Make a run folder."""
        path.mkdir(parents=True, exist_ok=True)
        return path

    @contextmanager
    def edited(self, name: str, change):
        """Change the text of a file of the copy for a while."""
        path = self.clone / name
        before = path.read_text()
        path.write_text(change(before))
        try:
            yield path
        finally:
            path.write_text(before)

    def edited_yaml(self, name: str, change):
        """Change the content of a YAML file of the copy for a while."""
        return self.edited(name, lambda text: yaml.safe_dump(change(yaml.safe_load(text)), sort_keys=False))

    @contextmanager
    def cut(self, *names: str, block: int):
        """Cut studies of the copy, given by file, into batches of so many replicates for a while."""

        def change(study):
            scales = {name: scale | {"together": False} for name, scale in study["scales"].items()}
            return study | {"scales": scales, "block": block}

        with ExitStack() as stack:
            for name in names:
                stack.enter_context(self.edited_yaml(name, change))
            yield


def only(study: dict, grid: dict, **scale) -> dict:
    """Return a study that runs one grid at one scale; of the others, which its tables name, no method is left."""
    others = {name: each | {"methods": ["steck2"]} for name, each in study["grids"].items()}
    scale |= {"without": ["steck2"], "experiments": study["scales"]["tiny"]["experiments"]}
    return study | {"scales": {"tiny": scale}, "grids": others | {"simulated": grid}}


def copy_repository(folder: Path) -> Path:
    """Copy what a user clones, as it stands now."""
    ignore = shutil.ignore_patterns("__pycache__")
    for part in (*PARTS, *(["methods"] if (ROOT / "methods").is_dir() else [])):  # one's own, see docs/add.md
        shutil.copytree(ROOT / part, folder / part, ignore=ignore)
    shutil.copy(ROOT / "Snakefile", folder)
    return folder


def write_yaml(path: Path, change) -> None:
    """Change the content of a YAML file for good."""
    path.write_text(yaml.safe_dump(change(yaml.safe_load(path.read_text())), sort_keys=False))


def artefacts(folder: Path) -> set[str]:
    """Return the tables and figures in the folder of a study."""
    files = [path for kind in ("tables", "figures") for path in (folder / kind).iterdir()]
    files = [path for path in files if not path.name.startswith(".")]  # Snakemake's time stamp
    return {f"{path.parent.name}/{path.name}" for path in files}


def expected(study: str) -> set[str]:
    """Return the tables and figures that a study declares."""
    names = declared(study)
    tables = {f"tables/{name}.{kind}" for name in names.tables for kind in WRITERS}
    return tables | {f"figures/{name}.{kind}" for name in names.figures for kind in (*images("tiny"), "txt")}


def records(path: Path, schema, keep=lambda row: True) -> list[tuple]:
    """Return the rows of a file without what is measured, in an order of their own."""
    rows, _ = parquet.read_records(path, schema)
    kept = [tuple((k, v) for k, v in row.items() if k not in schemas.MEASURED) for row in rows if keep(row)]
    return sorted(kept, key=repr)

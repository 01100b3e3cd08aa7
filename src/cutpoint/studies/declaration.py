"""What studies declare of their tables, figures and claims; light to import, since the Snakefile reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from cutpoint import studies
from cutpoint.base.checking import read_yaml

CONFIG = Path(__file__).parents[3] / "config" / "studies"  # of the studies that are Python still


@dataclass(frozen=True)
class Artefacts:
    """The tables and figures of a study, in the order of the report.

    Attributes:
        tables: title of each by its name, such as "table_V-4"; "" where only the finished table knows it.
        figures: what to look at in each, by its name.
    """

    tables: Mapping[str, str]
    figures: Mapping[str, str]


def folder_of(study: str) -> Path:
    """Return the folder of a study."""
    folders = [Path(root) / study for root in studies.__path__]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


def study_file(study: str) -> Path:
    """Return the file that declares a study."""
    file = folder_of(study) / "study.yaml"
    return file if file.exists() else CONFIG / f"{study}.yaml"


def study_names() -> list[str]:
    """Return the names of all studies, sorted."""
    there = {path.parent.name for root in studies.__path__ for path in Path(root).glob("*/study.yaml")}
    return sorted(there | {path.stem for path in CONFIG.glob("*.yaml")})


def printed_files(study: str) -> list[Path]:
    """Return the printed tables of a study, sorted."""
    files = sorted(folder_of(study).glob("printed/*.csv"))
    return files or sorted((CONFIG.parents[1] / "data" / "published").glob(f"{study}_*.csv"))


def artefacts_of(study: str) -> Artefacts:
    """Return the tables and figures of a study.

    Raises:
        InputError: its file is not what it should be.
    """
    listed = read_yaml(study_file(study))
    captions = import_module(f"cutpoint.studies.{study}.captions").CAPTIONS
    return Artefacts(dict.fromkeys(listed["tables"], ""), {name: captions[name] for name in listed["figures"]})

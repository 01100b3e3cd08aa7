"""The functions of the scripts of the workflow, for tests."""

import importlib.util
from pathlib import Path

from synthetic import METHODS

from cutpoint.bench.engine.declaration import printed_files
from cutpoint.bench.engine.reading import read_inputs

ROOT = Path(__file__).parents[1]


def script(name):
    spec = importlib.util.spec_from_file_location(f"script_{name}", ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(folder, **more):
    options = {
        "metrics": folder / "metrics.parquet",
        "networks": sorted((ROOT / "data" / "networks").glob("*.bif")),
        "datasets": [folder / "cars1.parquet", folder / "hartemink.parquet"],
        "published": printed_files("fu2005"),
        "methods": [{"name": m.name, "label": m.label, "category": m.category, "reference": "x"} for m in METHODS],
        "built_in_jobs": [],
        "scale": "quick",
        "seed": 1,
    }
    return read_inputs("fu2005", **(options | more))

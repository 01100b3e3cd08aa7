"""The functions of the scripts of the workflow, for tests."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[1]


def script(name):
    spec = importlib.util.spec_from_file_location(f"script_{name}", ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

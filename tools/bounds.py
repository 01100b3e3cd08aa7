"""Try the wheel outside the clone with the lowest and with the newest versions that it asks for.

    uv run tools/bounds.py [lowest] [newest]

In an environment of its own, whose versions no pin of the clone decides: `cutpoint learn` and `cutpoint report` on a
small file, and tests of the public functions. It downloads the packages and compiles kernels, some minutes each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
TESTS = ["tests/front/test_api.py", "tests/front/test_cli.py", "tests/data/test_user_table.py"]
SHOWN = (
    *("numpy", "scipy", "numba", "pyarrow", "matplotlib", "narwhals", "pydantic", "pyagrum"),
    *("snakemake", "scikit-learn"),
)


def main(names: list[str]) -> None:
    """Try the versions that are named, both without a name."""
    with tempfile.TemporaryDirectory() as folder:
        run("uv", "build", "--quiet", "--wheel", "--out-dir", folder, str(ROOT))
        (wheel,) = Path(folder).glob("*.whl")
        for name in names or RESOLUTIONS:
            place = Path(folder, name)
            place.mkdir()
            try_versions(wheel, place, RESOLUTIONS[name])
            print(f"{name}: well", flush=True)


def try_versions(wheel: Path, place: Path, resolution: str) -> None:
    """Install the wheel into a new environment in a folder and use it from there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["project"]["optional-dependencies"]
    dependencies = [*project["project"]["dependencies"], *groups["workflow"], *groups["sklearn"]]
    tests = [each for each in project["dependency-groups"]["test"] if each.startswith(("pytest", "hypothesis"))]
    python = "{}.{}".format(*sys.version_info)
    run("uv", "venv", "--quiet", "--no-config", "--python", python, "env", at=place)
    install = ["uv", "pip", "install", "--quiet", "--no-config", "--python", "env", "--resolution", resolution]
    run(*install, *dependencies, *tests, str(wheel), at=place)
    listed = subprocess.check_output(["uv", "pip", "freeze", "--python", "env"], cwd=place, text=True)
    print(" ".join(line for line in listed.splitlines() if line.startswith(SHOWN)), flush=True)
    programs = place / "env" / "bin"
    write_table(place / "my.csv")
    run(str(programs / "cutpoint"), "learn", "my.csv", "--method", "eqfreq3", "-o", "my.bif", at=place)
    settings = ["methods=[eqfreq3,gaussian_bic]"]
    run(str(programs / "cutpoint"), "report", "my.csv", *settings, "--scale", "tiny", "--cores", "2", at=place)
    files = [str(ROOT / test) for test in TESTS]
    clean = ["-q", "-p", "no:cacheprovider", "-m", "not slow", "--rootdir", str(ROOT), "-c", os.devnull]
    run(str(programs / "python"), "-m", "pytest", *clean, "-o", f"pythonpath={ROOT / 'tests'}", *files, at=place)


def write_table(path: Path) -> None:
    """Write a table of three dependent columns and one beside them."""
    rows = [f"{k % 17},{(k % 17) ** 2 + k % 5},{'ab'[k % 17 > 8]},{(k * 7919) % 101 / 10}" for k in range(200)]
    path.write_text("\n".join(["x,y,kind,z", *rows]) + "\n")


def run(*command: str, at: Path = ROOT) -> None:
    """Run a program, whose failure ends this one."""
    subprocess.run(command, cwd=at, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])

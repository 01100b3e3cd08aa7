"""Measure what a study of many runs costs beside its methods: the plan, the files, and what is made from them.

    uv run python benchmarks/scale.py --runs 100000 --block 250
    uv run python benchmarks/scale.py --runs 10000 --block 250 --run

A copy of the repository gets a study of Asia with 100 and some records and four binning methods. `--run` runs it;
without it the metrics of all batches are made up, and the rest is made from them by the workflow's own scripts. Times
are CPU seconds, memory is the largest resident size of the process, imports included.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import yaml

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.settings import Study

ROOT = Path(__file__).parents[1]
PARTS = ("config", "data", "envs", "profiles", "scripts", "src", "workflow", "Snakefile")
STUDY, GRID = "maua2018", "searches"  # a study whose tables compare whatever methods there are
METHODS = ["eqfreq2", "eqfreq3", "eqwidth2", "eqwidth3"]
CELLS = 25
COLLECT = (
    "import collect; from cutpoint.bench.data import schemas; collect.collect({paths!r}, {output!r}, schemas.METRICS)"
)
READ = """
from cutpoint.bench.engine.inputs import read_inputs
methods = [{{"name": name, "label": name, "category": "prediscretization"}} for name in {methods!r}]
about = {{"networks": [], "built_in_jobs": [], "methods": methods, "scale": "published", "seed": 1}}
inputs = read_inputs("{study}", metrics={metrics!r}, **about)
"""
TABLE = READ + 'from cutpoint.bench.engine.show import tables_of; tables_of("{study}")["{name}"](inputs)'


def copy(tree, folder, runs, block):
    """Return a copy of a clone whose study has so many runs, in blocks of so many replicates."""
    for part in PARTS:
        place, ignore = tree / part, shutil.ignore_patterns("__pycache__")
        shutil.copytree(place, folder / part, ignore=ignore) if place.is_dir() else shutil.copy(place, folder)
    path = folder / "workflow" / "studies" / STUDY / "study.yaml"
    study = yaml.safe_load(path.read_text())
    study["scales"] = {"published": {"replicates": runs // (CELLS * len(METHODS))}}
    study["block"] = block
    study["grids"][GRID] |= {"networks": ["asia"], "n": list(range(100, 100 + CELLS)), "methods": METHODS}
    path.write_text(yaml.safe_dump(study, sort_keys=False))
    return Study.model_validate(study)


def spent(name, command, code="", **options):
    """Run a command on some code, print its CPU seconds and memory, and return what it says."""
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as given:
        given.write(code)
        given.seek(0)
        process = subprocess.Popen(command, stdin=given, stdout=said, stderr=subprocess.STDOUT, **options)
        _, code, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
        said.seek(0)
        text = said.read()
    if process.returncode:
        sys.exit(f"{name}: exit code {process.returncode}\n{text[-2000:]}")
    print(f"{name:24s}{used.ru_utime + used.ru_stime:10.1f} CPU s{used.ru_maxrss / 1024:10.0f} MB")
    return text


def run(name, tree, code):
    """Run code with the package and the scripts of a clone."""
    paths = [str(tree / "src"), str(tree / "scripts")]
    spent(name, [sys.executable, "-"], f"import sys; sys.path[:0] = {paths!r}\n{code}")


def made_up(study):
    """Yield the path of every batch and rows of metrics for it."""
    rng = np.random.default_rng(1)
    for batch in plan.batches_of(study, "published", {GRID: tuple(METHODS)}).values():
        identity = {
            "study": STUDY,
            "grid": GRID,
            "network": "asia",
            "noise": "sigma0.35",
            "status": "ok",
            "kind": "dag",
        }
        floats = [field.name for field in schemas.METRICS if field.type == parquet.pa.float64()]
        rows = [
            identity
            | {name: float(rng.random()) for name in floats}
            | {"cell": cell.name, "n": cell.n, "replicate": r, "method": method, "sigma": 0.35}
            | {name: int(rng.poisson(5)) for name in ("shd_fu2005", "shd_standard", "extra", "missing", "score_calls")}
            for cell, (first, last) in batch.data.items()
            for r in range(first, last + 1)
            for method in METHODS
        ]
        yield batch.path, rows


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--block", type=int, default=250, help="replicates of a batch; default %(default)s")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the clone to measure; default this one")
    parser.add_argument("--run", action="store_true", help="run the study; otherwise its metrics are made up")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scale-") as made:
        clone, here = Path(made, "clone"), Path(made, "here")
        clone.mkdir(), here.mkdir()
        study = copy(given.tree, clone, given.runs, given.block)
        command = [sys.executable, "-m", "snakemake", "-s", str(clone / "Snakefile"), "--directory", str(here)]
        command += ["--cores", "1", "--config", f"study={STUDY}"]
        said = spent("plan", [*command, "--dry-run", "--quiet", "rules"], cwd=made)
        print(*re.findall(r"^total +\d+$|.*scale published: .*", said, re.MULTILINE), sep="\n")
        folder = here / "results" / STUDY
        if given.run:
            spent("the whole run", command, cwd=made)
        else:
            for path, rows in made_up(study):
                parquet.write_records(folder / path / "metrics.parquet", rows, schemas.METRICS)
        after(clone, folder)


def after(clone, folder):
    """Measure what comes after the runs."""
    paths = [str(path) for path in sorted(folder.glob("*/*/metrics.parquet"))]
    output = folder / "again.parquet"
    run("collect", clone, COLLECT.format(paths=paths, output=str(output)))
    about = {"study": STUDY, "methods": METHODS, "metrics": str(output)}
    run("read", clone, READ.format(**about))
    names = ("table_searches", "table_effects")
    for name in names:
        run(name, clone, TABLE.format(**about, name=name))
    parts = sum(os.path.getsize(path) for path in paths)
    print(f"metrics {output.stat().st_size / 1e6:.1f} MB, those of {len(paths)} batches {parts / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

"""Run scripts of jobs in one process, kernels as plain Python, and say which functions of the package each of them ran.

`python executed.py FOLDER` runs a small study in a folder and prints {job: [[file, name at its top level], ...]}.
"""

import importlib
import json
import os
import pkgutil
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[1]
ROWS = ("hartemink", "friedman2", "monti2", "steck2", "bach", "pc_fisherz", "mgcd", "ruichu", "steck_levels2", "pc_g2")


class Named(list):
    """Files of a job, by position and by name."""

    def __getattr__(self, name):
        return self.names[name]

    def __getitem__(self, key):
        return self.names[key] if isinstance(key, str) else super().__getitem__(key)

    def keys(self):
        return self.names.keys()


def files(**names):
    paths = Named(path for value in names.values() for path in (value if isinstance(value, list) else [value]))
    paths.names = names
    return paths


def main(folder):
    import cutpoint
    from cutpoint.base.checking import read_yaml
    from cutpoint.bench.data.params import DiscretizeJob, LearnJob, NoiseJob, Runs, SampleJob
    from cutpoint.bench.runs import runner, supervise
    from cutpoint.method.rows import parse

    for module in pkgutil.walk_packages(cutpoint.__path__, "cutpoint."):  # what importing calls no job computes
        if module.name not in ("cutpoint.__main__", "cutpoint.estimators"):
            importlib.import_module(module.name)

    def calls(functions, **limits):
        for call in functions:  # what warms runs more than a job needs
            is_run = getattr(call, "__name__", "") != "warm"
            yield supervise.Run("ok", call() if is_run else None, "", 0.0, 0.0, 0.0)

    supervise.calls = calls
    runner.warm_all = lambda *args: None
    os.chdir(folder)
    executed = {}

    def run(job, script, input, output, params, config=None, **wildcards):
        seen = set()

        def note(frame, event, arg):
            code = frame.f_code
            if event == "call" and not code.co_name.startswith("<module"):
                seen.add((code.co_filename, code.co_qualname.partition(".")[0]))

        about = {
            "input": input,
            "output": output,
            "params": SimpleNamespace(**params),
            "config": config,
            "wildcards": SimpleNamespace(**wildcards),
            "log": ["log"],
        }
        sys.setprofile(note)
        try:
            runpy.run_path(str(ROOT / "scripts" / script), {"snakemake": SimpleNamespace(**about)}, run_name="__main__")
        finally:
            sys.setprofile(None)
        inside = (str(ROOT / "src"), str(ROOT / "scripts"))
        executed[job] = sorted(pair for pair in seen if pair[0].startswith(inside))

    network = str(ROOT / "data" / "networks" / "asia.bif")
    sample = SampleJob("s", "asia", 60, range(1), 1)
    run("sample", "sample.py", files(networks=[network]), ["codes"], {"samples": [sample]})
    same = {"columns": "shuffled"}
    kinds = {
        "gaussian": {"kind": "gaussian", "sigma": 0.3} | same,
        "uniform": {"kind": "uniform", "lengths": (0.5, 2.0), "targets": 1, "test": 0.1} | same,
        "additive": {"kind": "additive_sem", "weights": (0.5, 2.0), "length": 1.0} | same,
    }
    for kind, options in kinds.items():
        input = files(codes="codes", networks=[network])
        run(f"noise {kind}", "noise.py", input, [kind], {"noises": [NoiseJob(sample, kind, options)]})
    rows = read_yaml(ROOT / "config" / "methods.yaml")
    methods = {name: parse(rows[name]) for name in ROWS}
    cell, limits = "asia-n60-gaussian", {"time_limit": 100.0, "memory_limit": 1000.0}
    for name, method in methods.items():
        output = files(**{kind: f"{name}.{kind}" for kind in ("edges", "thresholds", "runs")})
        input = files(data="gaussian", discretized=[])
        if method.discretizer:
            own = method.discretizer.name
            todo = DiscretizeJob({own: method.discretizer}, [(cell, 0, 0, [own])], "")
            run(f"discretize {name}", "discretize.py", files(data="gaussian"), [f"{name}.discretized"],
                {"todo": todo, "code": {own: "c"}}, limits)  # fmt: skip
            input.discretized = [f"{name}.discretized"]
        todo = LearnJob({name: method}, [(cell, 0, 0, [name])], "")
        run(f"learn {name}", "learn.py", input, output, {"todo": todo, "code": {name: "c"}}, limits)
    results = {kind: [f"{name}.{kind}" for name in methods] for kind in ("edges", "thresholds", "runs")}
    runs = Runs("s", "g", cell, range(1), tuple(methods))
    run("evaluate", "evaluate.py",
        files(data="gaussian", networks=[network], test=["gaussian"], **results), files(a="metrics"),
        {"runs": [runs], "built_in_jobs": [], "metrics": {}}, study="s")  # fmt: skip
    run("collect", "collect.py", files(a="metrics"), files(a="all"),
        {"schema": "METRICS",
         "about": {"study": "s", "scale": "x", "methods": rows, "jobs": {}, "metrics": {}}})  # fmt: skip
    print(json.dumps(executed))


if __name__ == "__main__":
    main(sys.argv[1])

# Everything that is Python in the workflow: the checked config and what rules look up in it.

import os
import sys

from snakemake.logging import logger

sys.path.insert(0, str(ROOT / "src"))

from cutpoint import config as configs
from cutpoint import assembly, datasets, plan, registry
from cutpoint.errors import InputError
from cutpoint.fingerprint import closure, fingerprint

SCRIPTS = ROOT / "scripts"


def shipped(path):
    """Return a file of the repository: relative when run from its root, else absolute, which takes no module prefix."""
    return str(path if ROOT == Path.cwd() else ROOT / path)


def user_path(path):
    """Return a path that the user gave as an absolute one; --directory has moved us from where the user stands."""
    here = os.getcwd() if workflow.overwrite_workdir is None else os.environ.get("PWD", os.getcwd())
    return os.path.join(here, path)


def network_file(network):
    """Return the file of a network: a shipped one, or the user's own."""
    return user_path(network) if network.endswith(".bif") else shipped(f"data/networks/{network}.bif")


def load():
    """Return settings, method rows, data-set entries, studies and their batches."""
    settings = configs.check(configs.Settings, config, "config")
    rows = configs.load_methods(ROOT / "config" / "methods.yaml")
    registry_file = ROOT / "config" / "datasets.yaml"
    datasets.load_registry(registry_file)
    entries = configs.read_yaml(registry_file)
    if unknown := set(settings.files) - set(entries):
        raise InputError(f"config: files.{min(unknown)}: unknown data set{registry.suggest(min(unknown), entries)}")
    for name, path in settings.files.items():
        if not os.path.isfile(user_path(path)):
            raise InputError(f"config: files.{name}: no such file: {path}")
    if settings.mirror and not os.path.isdir(user_path(settings.mirror)):
        raise InputError(f"config: mirror: no such folder: {settings.mirror}")
    studies = {name: configs.load_study(ROOT / "config" / "studies", name, rows, entries) for name in settings.selected}
    for name in studies:
        if not (ROOT / "src" / "cutpoint" / "studies" / name).is_dir():
            raise InputError(
                f"config/studies/{name}.yaml: its tables and figures are missing: no cutpoint.studies.{name}"
            )
    batches = {
        name: {b.name: b for b in plan.batches_of(study, settings.scale, settings.batch, rows, name)}
        for name, study in studies.items()
    }
    for network in plan.networks_of(batches):
        if not os.path.isfile(network_file(network)):
            raise InputError(f"config: studies: networks: no such file: {network}")
    return settings, rows, entries, studies, batches


try:
    SETTINGS, METHODS, DATASETS, STUDIES, BATCHES = load()
except InputError as problem:
    sys.exit(f"cutpoint: {problem}")  # one line, where a WorkflowError would add a traceback


def announce():
    """Say how many runs there will be: Snakemake itself counts jobs only."""
    for study, batches in BATCHES.items():
        sets = sum(b.datasets for b in {(b.cells, b.first): b for b in batches.values()}.values())
        runs = sum(b.datasets * len(b.methods) for b in batches.values())
        text = f"{study}, scale {SETTINGS.scale}: {runs} runs on {sets} data sets in {len(batches)} batches"
        logger.info(text)


INTERNAL = [name for name, row in METHODS.items() if row["category"] != "external"]
JOB = {name: row.get("job") or name for name, row in METHODS.items()}
INTERNAL_JOBS = sorted({JOB[name] for name in INTERNAL})
# Methods with the same discretization share it, under the name of the first of them.
DISCRETIZERS = {}
DISCRETIZER_OF = {}
for name in INTERNAL:
    if METHODS[name]["category"] == "prediscretization":
        part = assembly.discretizer_of(METHODS[name])
        DISCRETIZER_OF[name] = next((known for known, other in DISCRETIZERS.items() if other == part), name)
        DISCRETIZERS.setdefault(DISCRETIZER_OF[name], part)

KERNELS = fingerprint(*sorted((ROOT / "src" / "cutpoint" / "kernels").glob("*.py")))
# Threads are one before the first import; compiled kernels stay with the run, also from a read-only clone.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")])),
    NUMBA_NUM_THREADS="1",
    NUMBA_CACHE_DIR=str(Path(".snakemake", "numba", KERNELS).resolve()),
)


wildcard_constraints:
    study="[A-Za-z][A-Za-z0-9_.]*",
    batch="[^/]+-[0-9]+-[0-9]+",
    network="[^/]+",
    n="[0-9]+",
    replicates="[0-9]+-[0-9]+",
    noise="[A-Za-z][A-Za-z0-9_.]*",
    dataset="[A-Za-z][A-Za-z0-9_]*",
    job="[A-Za-z][A-Za-z0-9_.]*",


def code_of(script, *functions):
    """Fingerprint a script and the functions it looks up, so that a change in them reruns its jobs."""
    return fingerprint(SCRIPTS / script, *functions)


def code_of_method(name):
    """Fingerprint what one method is made of."""
    return code_of("learn.py", *assembly.functions_of(METHODS[name]).values())


SCIENCE = {name: assembly.science_of(METHODS[name]) for name in METHODS}
CODE = {name: code_of_method(name) for name in INTERNAL}
NETWORKS = {plan.stem(network): network_file(network) for network in plan.networks_of(BATCHES)}


def noise_of(wildcards):
    """Return the options of a noise."""
    return STUDIES[wildcards.study].noises[wildcards.noise].model_dump()


def own_file(wildcards):
    """Return the user's own file for a data set, if there is one."""
    path = SETTINGS.files.get(wildcards.dataset)
    return user_path(path) if path else []


def batch_of(wildcards):
    """Return the batch of a job."""
    return BATCHES[wildcards.study][wildcards.batch]


def methods_of_batch(wildcards):
    """Return the methods that run on a batch."""
    return batch_of(wildcards).methods


def grid_of_batch(wildcards):
    """Return the grid that a batch is a part of."""
    return batch_of(wildcards).grid


def data_of_batch(wildcards):
    """Return the data files of a batch, in the order of its cells."""
    batch = batch_of(wildcards)
    folder = f"results/{wildcards.study}/data"
    return [
        (
            f"results/datasets/{cell.dataset}.parquet"
            if cell.dataset
            else f"{folder}/{plan.stem(cell.network)}/n{cell.n}/{batch.replicates}/{cell.noise}/continuous.parquet"
        )
        for cell in batch.cells
    ]


def networks_of_batch(wildcards):
    """Return the files of the true networks of a batch."""
    return sorted({NETWORKS[plan.stem(c.network)] for c in batch_of(wildcards).cells if c.network})


def methods_of_job(wildcards):
    """Return the rows of the methods of a job that run on its batch."""
    return {name: SCIENCE[name] for name in batch_of(wildcards).methods if JOB[name] == wildcards.job}


def discretizer_names_of_job(wildcards):
    """Return the discretization that each method of a job learns from, by method."""
    return {name: DISCRETIZER_OF[name] for name in methods_of_job(wildcards) if name in DISCRETIZER_OF}


def discretizers_of_job(wildcards):
    """Return the discretizations that a job finds for the methods of its batch, its own and other jobs'."""
    needed = {DISCRETIZER_OF[name] for name in batch_of(wildcards).methods if name in DISCRETIZER_OF}
    return {name: part for name, part in DISCRETIZERS.items() if name in needed and JOB[name] == wildcards.job}


def code_of_job(wildcards):
    """Return the fingerprints of the methods of a job."""
    return {name: CODE[name] for name in INTERNAL if JOB[name] == wildcards.job}


def policies_of_job(kind):
    """Return a function that lists one kind of file of the discretizations that a job learns from."""

    def files(wildcards):
        folder = f"results/{wildcards.study}/batches/{wildcards.batch}/discretizers"
        jobs = dict.fromkeys(JOB[name] for name in discretizer_names_of_job(wildcards).values())
        return [f"{folder}/{job}/{kind}.parquet" for job in jobs]

    return files


def results_of_batch(kind):
    """Return a function that lists one kind of file over the jobs of a batch."""

    def files(wildcards):
        folder = f"results/{wildcards.study}/batches/{wildcards.batch}/methods"
        jobs = dict.fromkeys(JOB[name] for name in batch_of(wildcards).methods)
        return [f"{folder}/{job}/{kind}.parquet" for job in jobs]

    return files


def metrics_of_study(wildcards):
    """Return the metrics of all batches of a study."""
    return [f"results/{wildcards.study}/batches/{batch}/metrics.parquet" for batch in BATCHES[wildcards.study]]


def minutes(wildcards, input):
    """Return a generous run time of a batch job for a scheduler: every run at its limit is rare."""
    return max(10, int(SETTINGS.time_limit / 60) * 2)


def methods_of_study(study):
    """Return the names of all methods that run in a study, in the order of the tables."""
    return list(dict.fromkeys(name for batch in BATCHES[study].values() for name in batch.methods))


def artefact_inputs(study):
    """Return the files that tables, figures and claims of a study are made from."""
    networks = {plan.stem(c.network) for b in BATCHES[study].values() for c in b.cells if c.network}
    sets = dict.fromkeys(c.dataset for b in BATCHES[study].values() for c in b.cells if c.dataset)
    return {
        "metrics": f"results/{study}/metrics.parquet",
        "networks": sorted(NETWORKS[name] for name in networks),
        "datasets": [f"results/datasets/{name}.parquet" for name in sets],
        "published": [
            shipped(path.relative_to(ROOT)) for path in sorted((ROOT / "data" / "published").glob(f"{study}_*.csv"))
        ],
    }


def artefact_params(study):
    """Return what artefacts need to know beside their files."""
    rows = [
        {"name": name, "label": METHODS[name]["label"], "category": METHODS[name]["category"]}
        for name in methods_of_study(study)
    ]
    return {"study": study, "methods": rows, "scale": SETTINGS.scale, "seed": SETTINGS.seed}


def report_params(study):
    """Return what the report says of a study beside its artefacts."""
    rows = [
        {
            "label": METHODS[name]["label"],
            "category": METHODS[name]["category"],
            "settings": ", ".join(f"{k}: {v}" for k, v in SCIENCE[name].items() if k != "category"),
            "note": METHODS[name].get("note", ""),
        }
        for name in methods_of_study(study)
    ]
    about = STUDIES[study]
    shown = {key: getattr(about, key) for key in ("title", "citation", "tables", "figures")}
    return {"name": study, "scale": SETTINGS.scale, "seed": SETTINGS.seed, "methods": rows, **shown}


def everything():
    """Return all results of runs: under an up-to-date report Snakemake does not remake what a failed job left out."""
    found = []
    for study, batches in BATCHES.items():
        for name, batch in batches.items():
            folder = f"results/{study}/batches/{name}"
            found += [f"{folder}/methods/{job}/runs.parquet" for job in dict.fromkeys(JOB[m] for m in batch.methods)]
            found += [f"{folder}/metrics.parquet"]
            found += [f"results/datasets/{cell.dataset}.parquet" for cell in batch.cells if cell.dataset]
    return list(dict.fromkeys(found))


def check_external(rules):
    """End where an external row has no rule of its own name."""
    for name, row in METHODS.items():
        if row["category"] == "external" and not (row["rule"] == name and any(r.endswith(name) for r in rules)):
            sys.exit(
                f"cutpoint: methods.yaml: {name}: rule: no rule {name!r} in workflow/rules/methods; name it as the row"
            )

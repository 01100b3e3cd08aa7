# Everything that is Python in the workflow: the checked config and what rules look up in it.

import json
import os
import shlex
import sys
from dataclasses import asdict
from functools import cache
from importlib import import_module
from types import MappingProxyType

from snakemake.logging import logger

sys.path.insert(0, str(ROOT / "src"))

from cutpoint.base.names import OWN
from cutpoint.base.text import suggest
from cutpoint.data import user_table
from cutpoint.data.registry import load_registry
from cutpoint.method import parsing, rows_file
from cutpoint.method.functions import resolve
from cutpoint.runs import programs
from cutpoint.workflow import config as configs
from cutpoint.workflow import ending, forecast, own_config, plan
from cutpoint.base.errors import WRITABLE, InputError
from cutpoint.workflow.fingerprint import fingerprint
from cutpoint.networks.network import read_network
from cutpoint.studies.declaration import artefacts_of, digest, is_declared, modules_of, printed_files, study_file
from cutpoint.studies.declaration import study_names
from cutpoint.workflow.settings import Settings

SCRIPTS = ROOT / "scripts"
EXTERNAL_CODE = SCRIPTS / "methods"


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
    """Return settings, method rows, data-set entries, studies, their batches and the files of their networks."""
    settings = configs.check(Settings, config, "config")
    own_config.check_settings(settings)
    rows = rows_file.load_methods(ROOT / "config" / "methods.yaml")
    checked = load_registry(ROOT / "config" / "datasets.yaml")
    entries = {name: entry.model_dump(exclude_unset=True) for name, entry in checked.items()}
    if unknown := set(settings.files) - set(entries):
        raise InputError(f"config: files.{min(unknown)}: unknown data set{suggest(min(unknown), entries)}")
    for name, path in settings.files.items():
        if not os.path.isfile(user_path(path)):
            raise InputError(f"config: files.{name}: no such file: {path}")
    if settings.mirror and not os.path.isdir(user_path(settings.mirror)):
        raise InputError(f"config: mirror: no such folder: {settings.mirror}")
    folder = ROOT / "config" / "studies"
    studies = {name: configs.load_study(folder / f"{name}.yaml", rows, entries) for name in settings.selected}
    if settings.data is not None:
        studies[OWN] = own_config.with_settings(studies[OWN], settings, rows)
    for name in studies:
        if not (ROOT / "src" / "cutpoint" / "studies" / name).is_dir():
            raise InputError(f"{study_file(name)}: its tables and figures are missing: no cutpoint.studies.{name}")
    extra = rows_file.members_of(settings.extra_methods, rows)
    for name in extra:
        if name not in rows:
            raise InputError(f"config: extra_methods: unknown {name!r}{suggest(name, rows)}")
    for name, study in studies.items():
        if study.experiments:
            configs.check_experiments(study, configs.experiments_of(name), rows, f"config/studies/{name}.yaml")
        if workflow.is_main_process and not is_declared(name):  # it takes a second, which the jobs need not wait for
            made = [resolve(f"cutpoint.studies.{name}.{kind}:{kind.upper()}") for kind in ("tables", "figures")]
            configs.check_artefacts(study, *made, f"config/studies/{name}.yaml")
    batches, printed = {}, configs.printed_methods([study_file(name) for name in study_names() if name != OWN], rows)
    for name, study in studies.items():
        joining = rows if settings.methods is None else {method: rows[method] for method in extra}
        methods = plan.methods_of(study, name, joining, printed, extra)
        batches[name] = {b.name: b for b in plan.batches_of(study, settings.scale, settings.batch, methods)}
    families = {family for study in studies.values() for family in study.random_networks}
    networks = [network for network in plan.networks_of(batches) if network not in families]
    for network in networks:
        if not os.path.isfile(network_file(network)):
            raise InputError(f"config: studies: networks: no such file: {network}")
    networks += [settings.truth] if settings.truth else []
    return (
        settings,
        rows,
        entries,
        studies,
        batches,
        {plan.stem(network): network_file(network) for network in networks},
    )


def own_roles():
    """Return what the user says of the columns of the own data."""
    return {key: getattr(SETTINGS, key) for key in ("discrete", "continuous", "drop", "missing")}


def read_own():
    """Return the user's own data, read before anything runs, so that what is wrong with them is said at once."""
    if SETTINGS.data is None or not workflow.is_main_process:
        return None
    for key in ("data", "truth"):
        path = getattr(SETTINGS, key)
        if path and (key == "data" or path.endswith(".bif")) and not os.path.isfile(user_path(path)):
            raise InputError(f"config: {key}: no such file: {path}")
    found = user_table.read(user_path(SETTINGS.data), user_table.Roles(**own_roles()))
    if SETTINGS.truth:
        user_table.check_truth(found, read_network(network_file(SETTINGS.truth)).variables, SETTINGS.truth)
    return found


def check_folder():
    """Refuse a run folder of another user, for which Snakemake has a traceback."""
    for name in (".", ".snakemake", "results", "logs"):
        if os.path.exists(name) and not os.access(name, os.W_OK):
            raise InputError(f"{os.path.abspath(name)}: not writable; {WRITABLE}")


try:
    check_folder()
    SETTINGS, METHODS, DATASETS, STUDIES, BATCHES, NETWORKS = load()
    OWN_DATA = read_own()
except InputError as problem:
    sys.exit(f"cutpoint: {problem}")  # one line, where a WorkflowError would add a traceback


def announce():
    """Say how many runs there will be: Snakemake itself counts jobs only; and what the columns of own data are."""
    for line in OWN_DATA.announcement if OWN_DATA else ():
        logger.info(line)
    for study, batches in BATCHES.items():
        sets = sum(b.datasets for b in {(b.cells, b.first): b for b in batches.values()}.values())
        runs = sum(b.datasets * len(b.methods) for b in batches.values())
        text = f"{study}, scale {SETTINGS.scale}: {runs} runs on {sets} data sets in {len(batches)} batches"
        logger.info(text)


def show_ending(logs):
    """Say at the end of a run, where it is not scrolled away, which jobs and runs failed and where the report is."""
    for log in logs:
        with open(log, encoding="utf-8", errors="replace") as lines:
            run = ending.read(lines)
        said = ending.failures(run, Path())
        if run.rules - {"all", "cost", "warm"}:
            said += ending.results(STUDIES, Path.cwd())
        for line in said:
            print(line, file=sys.stderr)


INTERNAL = [name for name, row in METHODS.items() if row["category"] != "external"]
EXTERNAL = [name for name in METHODS if name not in INTERNAL]
PARSED = {name: parsing.parse(row) for name, row in METHODS.items()}
JOB = {name: rows_file.job_of(name, row) for name, row in METHODS.items()}
INTERNAL_JOBS = sorted({JOB[name] for name in INTERNAL})
# Methods with the same discretization share it, under the name of the first of them.
DISCRETIZERS = {}
DISCRETIZER_OF = {}
for name in INTERNAL + EXTERNAL:
    if part := PARSED[name].discretizer:
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
    resample="[A-Za-z][A-Za-z0-9_.]*",
    job="[A-Za-z][A-Za-z0-9_.]*",
    experiment="[A-Za-z][A-Za-z0-9_.]*",

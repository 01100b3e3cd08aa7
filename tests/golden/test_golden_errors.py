"""What is said to wrong input stays as it is, word by word: configs, networks, data, commands."""

import io
from contextlib import chdir, redirect_stderr
from contextvars import Context
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import yaml
from fifth_paper import edit, fifth_paper
from toy_entry import KEYS, toy
from user_tables import FAULTS, cars, spoiled, table, text, write
from workflow_tools import ROOT

from cutpoint import cli
from cutpoint.base.checking import check_options, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.declaration import Declaration, study_file
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.runs import programs
from cutpoint.bench.runs.runner import About
from cutpoint.bench.workflow import config, names, plan
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.settings import Settings
from cutpoint.data import registry, user_table
from cutpoint.knowledge.knowledge import knowledge_of
from cutpoint.method.functions import parameters_of
from cutpoint.method.rows import load_methods
from cutpoint.networks import network
from cutpoint.networks.random_networks import random_network

CONFIG = ROOT / "config"
ERRORS = Path(__file__).parent / "errors"
CASES = read_yaml(ERRORS / "cases.yaml")
METHODS = read_yaml(CONFIG / "methods.yaml")
SETTINGS = read_yaml(CONFIG / "config.yaml")
DATASETS = read_yaml(CONFIG / "datasets.yaml")
LEFT = {  # by an external program
    "runs": {"status": "ok", "message": "", "kind": "dag"},
    "edges": {"source": "a", "target": "b", "directed": True},
    "thresholds": {"variable": "a", "position": 0, "threshold": 0.5},
}


def merged(before, change):
    """A mapping with a change, their mappings merged and everything else replaced."""
    if not isinstance(before, dict) or not isinstance(change, dict):
        return change
    return before | {key: merged(before.get(key), value) for key, value in change.items()}


def written(name, content):
    path = Path(name)
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False))
    return path


@cache
def shipped_rows():
    return load_methods(CONFIG / "methods.yaml")


def check_settings(change):
    settings = config.check(Settings, SETTINGS | change, "config")
    config.check_settings(settings)
    names.check_metrics(settings.metrics)
    rows = shipped_rows()
    paths = {name: study_file(name) for name in settings.selected}
    studies = {name: config.load_study(path, rows, DATASETS, metrics=settings.metrics) for name, path in paths.items()}
    studies = {name: config.with_settings(study, settings, rows) for name, study in studies.items()}
    plan_of(studies, settings, rows)


def plan_of(studies, settings, rows):
    batches = {}
    for name, study in studies.items():
        methods = plan.methods_of(study, name, rows)
        batches[name] = plan.batches_of(study, settings.scale, methods)
    plan.networks_of(batches)


def check_row(case):
    row = {key: value for key, value in METHODS[case["of"]].items() if key not in case.get("drop", ())}
    beside = {name: merged(METHODS[name], change) for name, change in case.get("beside", {}).items()}
    Path("own.py").write_text("1 / 0")
    load_methods(written("methods.yaml", beside | {case.get("name", "mine"): merged(row, case.get("change", {}))}))


def design(name):
    """What a study runs, without what it shows, which is of its own folder."""
    content = read_yaml(study_file(name))
    return {key: part for key, part in content.items() if key not in Declaration.model_fields}


def check_study(case):
    name = case["of"]
    shipped = study_file(name)
    path = shipped
    if "change" in case:
        path = written(f"{name}.yaml", merged(design(name), case["change"]))
    rows = shipped_rows()
    study = config.load_study(path, rows, DATASETS)
    if study.experiments:
        experiments = import_module(f"cutpoint.bench.studies.{name}.experiments").EXPERIMENTS
        names.check_experiments(study, experiments, rows, DATASETS, path.name)
    scale = next(iter(study.scales))
    plan_of({name: study}, Settings(**SETTINGS | {"scale": scale}), rows)


def check_declaration(case):
    with fifth_paper(Path.cwd()) as home:
        edit(home, *case["key"], value=case["value"])
        config.load_study(study_file("lee2020"), shipped_rows(), {})


def check_experiment(case):
    study, name = case["of"]
    experiments = import_module(f"cutpoint.bench.studies.{study}.experiments").EXPERIMENTS
    check_options(parameters_of(experiments[name]), case["options"], "x")


def check_registry(change):
    registry.load_registry(written("sets.yaml", {"toy": KEYS | change}))


def check_content(case):
    registry.parse(toy(**case.get("change", {})), {"toy.data": case["text"].encode()})


def check_network(case):
    before = ERRORS / f"{case['of']}.bif" if "of" in case else ROOT / "data" / "networks" / "asia.bif"
    content = case.get("text", before.read_text().replace(case.get("old", ""), case.get("new", "")))
    network.read_network("none.bif" if "missing" in case else written("asia.bif", content))


def own_table(name):
    columns = cars()
    if name == "gaps":
        columns["mpg"][:55] = ["NA"] * 55
    return text(spoiled(), "\t") if name == "spoiled" else text(columns)


def check_own(case):
    path = Path("none.csv") if "file" in case else write(Path(), own_table(case["table"]))
    user_table.read(path, user_table.Roles(**case.get("roles", {})))


def check_fault(case):
    content, roles = case
    user_table.read(write(Path(), content), user_table.Roles(**roles))


def check_command(arguments):
    err = io.StringIO()
    with redirect_stderr(err):
        try:
            code = cli.main(arguments)
        except SystemExit as problem:
            code = problem.code
    if code:
        raise InputError(f"exit code {code}: {err.getvalue().rstrip()}" if code > 1 else err.getvalue()[10:].rstrip())


def check_program(case):
    """Start a program of which nothing is asked but files, beside a user's text in a shell."""
    command = case if isinstance(case, list) else ["sh", "-c", case]
    if isinstance(case, dict):
        files = {"edges.csv": "\n".join(["source,target,directed", *case["edges"], ""])} | case.get("beside", {})
        command = ["sh", "-c", "; ".join(f"printf '%s' '{content}' > {name}" for name, content in files.items())]
    names = ["a b", "c,d", 'e"f', "g"]
    about = About({"method": "m", "cell": "c", "replicate": 3}, names, names, {})
    values, discrete = np.zeros((2, 4)), np.arange(4) == 3
    programs.learn(values, discrete, None, about=about, command=command, options={}, folder=str(Path("data").resolve()))


def check_result(case):
    """Read what another program left of one run, with other rows in one of its files."""
    key, files = {"method": "mine", "cell": "x", "replicate": 0}, []
    for name, row in LEFT.items():
        files.append(Path(f"{name}.parquet"))
        rows = [key | row | change for change in case.get(name, [{}])]
        parquet.write_records(files[-1], rows, getattr(schemas, name.upper()))
    results, run = Results(*([file] for file in files), ()), tuple(key.values())
    if results.run(run)["status"] == "error":
        raise InputError(results.run(run)["message"])
    results.graph(run, list("abc"))
    results.thresholds(run, list("abc"))


def check_started(case):
    values = {key: yaml.safe_load(value) if isinstance(value, str) else value for key, value in case.items()}
    written("cars.csv", text(table()))
    load(SETTINGS | {"scale": "tiny", "study": "fu2005"} | values, ROOT, Path.cwd())


CHECKS = {
    "settings": check_settings, "rows": check_row, "studies": check_study, "registry": check_registry,
    "contents": check_content, "networks": check_network, "own": check_own, "commands": check_command,
    "started": check_started, "declarations": check_declaration, "experiments": check_experiment,
    "programs": check_program, "results": check_result,
    "random_networks": lambda case: random_network(0, **case),
    "knowledge": lambda content: knowledge_of(written("known.yaml", content)),
    "yaml": lambda content: config.read_yaml(written("file.yaml", content)),
}  # fmt: skip


def message_of(check, case, folder):
    """The line that a wrong input leads to, folders of this machine left out."""
    folder.mkdir()
    with chdir(folder):
        try:
            Context().run(check, case)  # a command says how settings are typed
        except InputError as problem:
            return plain(f"cutpoint: {problem}", folder)
        except SystemExit as problem:
            return f"usage, exit code {problem.code}"
    return "nothing"


def plain(line, *folders):
    for folder in (*folders, ROOT):
        line = line.replace(f"{folder}/", "").replace(str(folder), ".")
    return line


def rows(kind, lines):
    for number, (case, line) in enumerate(zip(CASES[kind], lines, strict=True), 1):
        yield {"kind": kind, "case": number, "given": repr(case), "line": line.replace("\n", "\\n")}


@pytest.mark.parametrize("kind", CHECKS)
def test_lines_that_are_said_to_wrong_input(golden, tmp_path, kind):
    lines = []
    for number, case in enumerate(CASES[kind]):
        lines.append(message_of(CHECKS[kind], case, tmp_path / str(number)))
    kept = golden("errors")
    kept.rows(f"{kind}.csv", list(rows(kind, lines)))
    kept.check(f"{kind}.csv")
    assert "nothing" not in lines


def test_lines_that_are_said_to_wrong_files_of_ones_own(golden, tmp_path):
    lines = [message_of(check_fault, case, tmp_path / str(k)) for k, case in enumerate(FAULTS)]
    kept = golden("errors")
    messages = [{"case": k, "line": line} for k, line in enumerate(lines, 1)]
    kept.rows("own_files.csv", messages)
    kept.check("own_files.csv")
    assert "nothing" not in lines

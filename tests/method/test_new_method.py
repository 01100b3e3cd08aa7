"""`cutpoint new-method`: every skeleton runs as it is, and nothing is left half-written."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from cutpoint import cli
from cutpoint.base import user_code
from cutpoint.bench.commands.new_method import LANGUAGES, ROWS
from cutpoint.discretization.encoding import discrete_thresholds
from cutpoint.graphs.dags import is_dag
from cutpoint.method.rows import load_methods, parse

ROOT = Path(__file__).parents[2]
INTERNAL = [kind for kind in ROWS if kind != "external"]


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A folder with as much of a clone as the command needs, which is also the working directory."""
    (tmp_path / "config").mkdir()
    shutil.copy(ROOT / "config" / "methods.yaml", tmp_path / "config")
    shutil.copytree(ROOT / "workflow", tmp_path / "workflow")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def chain(rng, records=400):
    """Return values [N, 4], each of the first three columns after the one before it, and a column of codes."""
    values = np.empty((records, 4), order="F")
    values[:, 0] = rng.standard_normal(records)
    for i in (1, 2):
        values[:, i] = values[:, i - 1] + 0.4 * rng.standard_normal(records)
    values[:, 3] = rng.integers(0, 3, records)
    return values, np.arange(4) == 3


@pytest.mark.parametrize("kind", INTERNAL)
def test_every_kind_runs_as_it_is_written(clone, capsys, rng, kind):
    assert cli.main(["new-method", f"my_{kind}", "--kind", kind]) == 0
    output = capsys.readouterr().out
    assert f"wrote methods/my_{kind}.py\n" in output
    assert "snakemake --cores all --config study=fu2005 scale=tiny\n" in output
    row = load_methods(f"methods/my_{kind}.yaml")[f"my_{kind}"]
    values, discrete = chain(rng)
    learned = parse(row).learn(values, discrete)
    joined = learned.cpdag | learned.cpdag.T
    assert joined[0, 1]
    assert joined[1, 2]
    assert not joined[3].any()
    assert learned.dag is None or is_dag(learned.dag)
    assert (learned.thresholds is None) == (kind == "direct")
    if learned.thresholds is not None:
        assert np.array_equal(learned.thresholds[3], discrete_thresholds(values[:, 3]))


@pytest.mark.parametrize(("kind", "twin"), [("learner", {"learner": "hill_climbing"}), ("score", {"score": "aic"})])
def test_the_search_and_the_score_of_skeletons_find_what_ours_find(clone, rng, kind, twin):
    cli.main(["new-method", "mine", "--kind", kind])
    row = load_methods("methods/mine.yaml")["mine"]
    values, discrete = chain(rng)
    shipped = {key: value for key, value in row.items() if key != "penalty"} | twin  # of AIC it is one nat a parameter
    ours, theirs = parse(row).learn(values, discrete), parse(shipped).learn(values, discrete)
    assert np.array_equal(ours.cpdag, theirs.cpdag)
    assert ours.score == pytest.approx(theirs.score)


PAGE = (ROOT / "docs" / "add.md").read_text()


def test_the_commands_of_the_page_give_its_row_and_its_result(clone, monkeypatch):
    commands = re.findall(r"(?m)^uv run cutpoint (new-method .*)$", PAGE)
    assert len(commands) == 2
    for command in commands:
        assert cli.main(command.split()) == 0, command
    (row,) = re.findall(r"(?m)^thirds: \{.*$", PAGE)
    assert Path("methods/thirds.yaml").read_text() == f"{row}\n"
    assert all(f"| `{kind}`" in PAGE for kind in ROWS)
    (clone / "data").symlink_to(ROOT / "data")
    monkeypatch.setattr(user_code, "ROOT", clone)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    names = {}
    exec(code, names)
    assert names["learned"].dag.shape == (8, 8)
    assert len(names["learned"].thresholds) == 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_program_finds_the_correlated_columns(clone, capsys, rng, language):
    if not shutil.which({"python": "python", "r": "Rscript", "shell": "awk"}[language]):
        pytest.skip("not installed")
    assert cli.main(["new-method", "mine", "--kind", "external", "--language", language]) == 0
    assert "wrote workflow/rules/methods/mine.smk\n" in capsys.readouterr().out
    assert load_methods("methods/mine.yaml")["mine"]["rule"] == "mine"
    end, start = LANGUAGES[language]
    values, _ = chain(rng)
    columns = [*values.T, np.full(len(values), 1.5)]
    folder = clone / "data"
    folder.mkdir()
    with open(folder / "data.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["a", "b", "c", "d", "e"], *zip(*columns, strict=True)])
    program = [word.strip('", ') for word in start.split()] + [str(clone / "scripts" / "methods" / f"mine.{end}")]
    for least in (0.5, 0.99):
        done = subprocess.run([*program, "--least", str(least)], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with open(folder / "edges.csv", newline="") as file:
            header, *edges = csv.reader(file)
        assert header == ["source", "target", "directed"]
        adjacent = np.triu(np.abs(np.corrcoef(values.T)) > least, 1)
        expected = [["abcd"[i], "abcd"[j], "false"] for i, j in np.argwhere(adjacent)]
        assert sorted(edges) == sorted(expected)
        assert len(expected) == (3 if least == 0.5 else 0)


@pytest.mark.parametrize("kind", ROWS)
def test_a_new_method_changes_no_file_of_the_clone(clone, kind):
    before = everything(clone)
    cli.main(["new-method", "mine", "--kind", kind])
    after = everything(clone)
    assert before.items() <= after.items()
    new = {path.relative_to(clone).as_posix() for path in after.keys() - before.keys() if path.is_file()}
    external = {"scripts/methods/mine.py", "workflow/rules/methods/mine.smk"}
    assert new == {"methods/mine.yaml", *(external if kind == "external" else ["methods/mine.py"])}


def test_the_file_of_a_function_may_be_elsewhere(clone):
    cli.main(["new-method", "mine", "--folder", "a/b"])
    assert load_methods("methods/mine.yaml")["mine"]["discretizer"] == "a/b/mine.py:mine"


def everything(folder):
    """Return the text of all files of a folder by path, caches left out."""
    paths = [path for path in folder.rglob("*") if "__pycache__" not in path.parts]
    return {path: path.read_text() if path.is_file() else None for path in paths}


REFUSED = [
    (["lambda"], "'lambda' is not a valid method name"),
    (["bach"], "config/methods.yaml has a method of this name"),
    (["evaluate", "--kind", "external"], "there is a rule 'evaluate'"),
    (["taken"], "methods/taken.py: already exists"),
    (["mine", "--folder", "taken_folder/x"], "taken_folder"),
]


@pytest.mark.parametrize(("words", "text"), REFUSED)
def test_what_cannot_be_written_is_one_line_and_leaves_nothing(clone, capsys, words, text):
    (clone / "methods").mkdir()
    (clone / "methods" / "taken.py").write_text("mine = 1\n")
    (clone / "taken_folder").write_text("a file\n")
    before = everything(clone)
    assert cli.main(["new-method", *words]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("cutpoint: ")
    assert text in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert everything(clone) == before


def test_a_row_that_does_not_load_is_taken_back(clone, capsys):
    path = clone / "config" / "methods.yaml"
    path.write_text(path.read_text() + "broken: {label: B, category: direct, learner: no/file.py:f}\n")
    before = everything(clone)
    assert cli.main(["new-method", "mine"]) == 1
    assert "broken: no/file.py:f: cannot be imported" in capsys.readouterr().err
    assert everything(clone) == before

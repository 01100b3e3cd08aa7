"""Studies as declarations, in documentation and code; tests/golden/errors has wrong ones."""

import csv
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from fifth_paper import EXAMPLE, edit, fifth_paper
from pydantic import BaseModel
from synthetic import Maker

from cutpoint.base.checking import check, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.engine import declaration
from cutpoint.bench.engine.declaration import (
    DeclaredStudy,
    FigureSpec,
    declared,
    printed_files,
    ready_made,
    study_file,
    study_names,
)
from cutpoint.bench.engine.inequalities import Margin, below, inequalities
from cutpoint.bench.engine.inputs import Inputs, MethodLabel, once
from cutpoint.bench.engine.show import show
from cutpoint.bench.engine.tables import heading, make_table
from cutpoint.bench.evaluation.own_metrics import directed, undefined
from cutpoint.bench.statistics.estimates import Statistic
from cutpoint.bench.statistics.verdicts import CONTRADICTED, INCONCLUSIVE, NO_DATA, SUPPORTED, decide_all
from cutpoint.bench.workflow import config, settings
from cutpoint.bench.workflow.names import leaves
from cutpoint.bench.workflow.settings import MetricRow, Settings, Study
from cutpoint.method.rows import read_rows

ROOT = Path(__file__).parents[2]
METHODS = [MethodLabel(name, name.capitalize(), "direct") for name in ("eqfreq3", "steck3", "bach")]


@pytest.fixture
def folder(tmp_path):
    """The folder of a fifth paper, which is the example of the documentation."""
    with fifth_paper(tmp_path) as home:
        yield home


def example(replicates=3):
    maker = Maker(1, 0.1).simulated(replicates=replicates, sizes=(500, 1000), networks={"alarm": 46})
    published = {path.stem: list(csv.DictReader(path.open())) for path in printed_files("lee2020")}
    scale = RunScale("published", 1, replicates)
    return Inputs(declared("lee2020"), maker.metrics(), {}, {}, published, METHODS, scale)


def test_a_fifth_paper_is_one_folder(folder, tmp_path):
    assert "lee2020" in study_names()
    names = declared("lee2020")
    assert names.tables["table_1"].title == "Table 1: normalised SHD"
    assert names.figures["figure_1"].look.startswith("Time against structural error")
    rows = read_rows(ROOT / "config" / "methods.yaml")[0]
    study = config.load_study(study_file("lee2020"), rows, {})
    assert list(study.tables) == list(names.tables)
    show(example(), tmp_path / "out")
    for kind, listed, endings in (
        ("tables", names.tables, ("csv", "float.tex", "html", "json", "md", "tex")),
        ("figures", names.figures, ("pdf", "png", "svg", "txt")),
    ):
        expected = sorted(f"{name}.{ending}" for name in listed for ending in endings)
        assert sorted(path.name for path in (tmp_path / "out" / kind).iterdir()) == expected
    assert "[0." in (tmp_path / "out" / "tables" / "table_1.md").read_text()
    assert "(printed 0.90)" in (tmp_path / "out" / "tables" / "table_1.md").read_text()
    claims = list(csv.DictReader((tmp_path / "out" / "claims.csv").open()))
    assert [(row["claim"], row["part"]) for row in claims] == [("L1", ""), ("L1", "1"), ("L1", "2")]


WORDS = {"title", "citation", "caption", "decides", "head", "mean", "says", "label", "printed", "look"}  # name nothing
WORDS |= {"xlabel", "ylabel"}


def names_in(part, *keys):
    """The places of all names in what a study declares."""
    if isinstance(part, str):
        yield keys, part
    for key, value in part.items() if isinstance(part, dict) else enumerate(part if isinstance(part, list) else ()):
        yield from names_in(value, *keys, key) if key not in WORDS else ()


@pytest.mark.parametrize(("keys", "name"), [*names_in(yaml.safe_load(EXAMPLE))])
def test_a_misspelt_name_is_told_before_the_first_run(folder, keys, name):
    edit(folder, *keys, value=f"x{name}")
    with pytest.raises(InputError, match=r"study.yaml: \w+.* 'x.*(\(known: |stand above)"):
        config.load_study(study_file("lee2020"), read_rows(ROOT / "config" / "methods.yaml")[0], {})


def test_functions_of_a_study_are_its_own(folder, tmp_path):
    (folder / "study.py").write_text(
        "from cutpoint.bench.artefacts.table import Cell, Row\n"
        "from cutpoint.bench.engine.tables import Absent\n"
        "from cutpoint.bench.engine.tables import Content\n\n\n"
        "def sizes(inputs, *, first: int):\n"
        '    """Return a table."""\n'
        '    return Content("what", ["Value"], [Row("a", "A", "", (Cell(first),))], notes=["Made."])\n\n\n'
        "def nothing(inputs, title, scale):\n"
        '    """Raise."""\n'
        '    raise Absent("it rains")\n'
    )
    seven = {"make": "sizes", "options": {"first": 7}, "title": "Seven", "decides": "None."}
    edit(folder, "tables", "table_2", value=seven)
    axes = {"x": "time[500]", "xlabel": "time", "y": "shd[500]", "ylabel": "shd"}
    unpublished = {"make": "tradeoff_figure", "title": "Time", "look": "The lower left.", "options": axes}
    rain = {"make": "nothing", "title": "Rain", "look": "Nothing."}
    edit(folder, "figures", value={"figure_1": unpublished, "figure_2": rain})
    show(example(), tmp_path / "out")
    text = (tmp_path / "out" / "tables" / "table_2.md").read_text()
    assert text.startswith("# Seven")
    assert "| A | 7 |" in text
    assert "Made." in text
    drawn = (tmp_path / "out" / "figures" / "figure_1.svg").read_text()
    assert ">shd<" in drawn
    assert "printed" not in drawn
    assert "not available: it rains" in (tmp_path / "out" / "figures" / "figure_2.svg").read_text()


SEARCHES = {
    "experiment": "searches", "of": "searches", "key": "values",
    "rows": ["m"], "label": "{} values", "category": "said", "across": "n",
    "columns": {"Mean": {"mean": "steps"}, "N = {:,}": {"share": "right"}, "Most": {"largest": "steps"}},
}  # fmt: skip


def test_a_table_of_an_experiment_reduces_its_rows(folder):
    (folder / "study.py").write_text(
        "from cutpoint.bench.engine.samples import rows_of\n"
        "def searches(inputs):\n"
        '    """Return the rows with what is said of them."""\n'
        '    rows = rows_of(inputs, "searches")\n'
        '    return rows if rows.empty else rows.assign(said=rows["m"].map(lambda m: "few" if m < 5 else "many"))\n'
    )
    edit(folder, "experiments", value=["searches"])
    table = {"make": "experiment_table", "title": "Searches", "decides": "This.", "options": SEARCHES}
    edit(folder, "tables", value={"table_1": table})
    edit(folder, "figures", value={})
    edit(folder, "claims", value={})
    rows = [
        {"m": m, "n": n, "sample": k, "steps": m + n * k, "right": k > 0}
        for m in (4, 8) for n in (1000, 10) for k in range(4)
    ]  # fmt: skip
    table = make_table(replace(example(), experiments={"searches": rows}), "table_1")
    assert table.columns == ("Mean", "N = 10", "N = 1,000", "Most")
    assert [(row.key, row.label, row.category) for row in table.rows] == [
        ("4", "4 values", "few"), ("8", "8 values", "many"),
    ]  # fmt: skip
    mean, few, _, most = table.rows[0].cells
    assert mean.reproduced == pytest.approx(4 + 1010 * 1.5 / 2)
    assert mean.low < mean.reproduced < mean.high
    assert (few.reproduced, most.reproduced) == (0.75, 3004)
    assert few.low < 0.75 < few.high
    assert table.scale.replicates == 4
    assert make_table(example(), "table_1").missing == "no results of the experiment searches"


MADE = '"""A study."""\n\n\ndef made(inputs, *, example: str, of: MeasureName = "", **more):\n    """Make."""\n'
PLACES = {  # in which a function is named with options
    "tables.table_1": {"title": "One", "decides": "None."},
    "figures.figure_1": {"title": "One"},
    "claims.L1": {"says": "One.", "look": "table_1"},
    "measures.time": {"grid": "simulated"},
    "tables.table_1.notes.0": {},
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"exmple": "a"}, "unknown option 'exmple'; did you mean 'example'? (known: example, of)"),
        ({"example": 3}, "example: Input should be a valid string, got 3"),
        ({"example": "a", "of": "tmie"}, "of: unknown measure 'tmie'; did you mean 'time'? (known: shd, time)"),
        ({"of": "time"}, "options: missing example, without which made cannot be called"),
        ({"example": "a", "of": "time[500]"}, ""),
    ],
)
def test_options_of_functions_are_checked_wherever_one_is_named(folder, place, options, line):
    (folder / "study.py").write_text(MADE)
    kind, name, *note = place.split(".")
    value = {**PLACES[place], "make": "made", "options": options}
    edit(folder, *(kind, name, "notes") if note else (kind, name), value=[value] if note else value)
    rows = read_rows(ROOT / "config" / "methods.yaml")[0]
    if not line:
        assert config.load_study(study_file("lee2020"), rows, {})
        return
    with pytest.raises(InputError) as raised:
        config.load_study(study_file("lee2020"), rows, {})
    assert str(raised.value) == f"{study_file('lee2020')}: {place}: {line}"


def test_every_key_of_a_declaration_is_documented():
    text = (ROOT / "docs" / "add.md").read_text()
    models = [part for part in vars(declaration).values() if isinstance(part, type) and issubclass(part, BaseModel)]
    keys = {key for model in models for key in model.model_fields}
    assert [key for key in sorted(keys) if f"`{key}`" not in text and f"{key}:" not in text] == []


def test_the_small_study_of_the_page_takes_the_metric_of_the_page(tmp_path):
    blocks = re.findall(r"(?s)```yaml\n(.*?)```", (ROOT / "docs" / "add.md").read_text())
    study, metrics = (next(text for text in blocks if text.startswith(start)) for start in ("title: Two", "metrics:"))
    settings = Settings.model_validate(read_yaml(ROOT / "config" / "config.yaml") | yaml.safe_load(metrics))
    (tmp_path / "study.yaml").write_text(study.replace("shd_standard", "hub_error"))
    rows = read_rows(ROOT / "config" / "methods.yaml")[0]
    loaded = config.load_study(tmp_path / "study.yaml", rows, {}, metrics=settings.metrics)
    assert loaded.measures["shd"].metric == "hub_error"
    about = {name: row.model_dump() | {"better": "higher"} for name, row in settings.metrics.items()}
    assert directed(loaded, about).measures["shd"].better == "higher"
    sentence = "hub_error, in neighbours, has no value for a graph without edges."
    assert undefined(about, ["seconds", "hub_error", "hub_error"]) == [sentence]


SAYS = {
    "eqfreq3, bach <= steck3": ("", [CONTRADICTED]),
    "steck3 < bach": ("", [SUPPORTED]),
    "bach < bach": ("", [INCONCLUSIVE]),
    "bach <= bach": ("", [SUPPORTED]),
    "bach > steck3": ("", [SUPPORTED]),
    "bach >= each of steck3, eqfreq3": ("{name}", [SUPPORTED, CONTRADICTED]),
    "each of steck3, eqfreq3 < bach": ("{label}", [SUPPORTED, CONTRADICTED]),
    "eqwidth3 < bach": ("", [INCONCLUSIVE]),  # a tie
    "eqwidth3 <= bach": ("", [SUPPORTED]),
    "each of all <= 1.0": ("{name}", [CONTRADICTED, SUPPORTED, INCONCLUSIVE, CONTRADICTED]),
    "steck3 from 0.8 to 0.95": ("", [SUPPORTED]),
    "bach from 0.8 to 0.95": ("", [CONTRADICTED]),
    "lowest of all is steck3": ("", [SUPPORTED]),
    "lowest of all is bach, eqfreq3": ("", [CONTRADICTED]),
    "lowest of bach, eqwidth3 is eqwidth3": ("", [SUPPORTED]),
    "others of all >= steck3": ("", [SUPPORTED]),
    "gone < bach": ("", [NO_DATA]),
}


@pytest.mark.parametrize("statement", SAYS)
def test_inequalities_are_what_they_say(folder, statement):
    """Without noise the numbers 1.40, 0.90, 1.00 and 1.02 come back, and 20 replicates that agree are sure."""
    edit(folder, "groups", value={"all": ["eqfreq3", "steck3", "bach", "eqwidth3"]})
    maker = Maker().simulated(replicates=20, sizes=(500,), networks={"alarm": 46})
    for row in maker.rows:
        row["shd_standard"] = {"eqfreq3": 14.0, "steck3": 9.0, "eqwidth3": 10.2}.get(row["method"], 10.0)
    methods = [*METHODS, MethodLabel("eqwidth3", "Eqwidth3", "prediscretization")]
    inputs = Inputs(declared("lee2020"), maker.metrics(), {}, {}, {}, methods, RunScale("published", 1, 20))
    text, verdicts = SAYS[statement]
    tests = inequalities(inputs, {text: f"{statement} in shd[500]"})
    assert decide_all([part.test for part in tests]) == verdicts
    assert all("{" not in part.text for part in tests)


@pytest.mark.parametrize(
    ("margin", "verdict"), [("2.5 %", INCONCLUSIVE), ("1%", CONTRADICTED), (0.03, INCONCLUSIVE), (0, CONTRADICTED)]
)
def test_a_margin_is_a_share_or_a_number(margin, verdict):
    units = tuple(("cell", k) for k in range(20))
    left, right = (Statistic(np.full(21, value), units) for value in (1.02, 1.0))
    assert decide_all([below(left, right, Margin.read(margin))]) == [verdict]


def test_headings_use_the_parts_of_a_name():
    assert heading("N = {}", 500.0) == "N = 500"
    assert heading("{!c}, N = {}", ("child", 2000.0)) == "Child, N = 2000"
    assert heading("{:.2f}", 0.3) == "0.30"


def test_what_is_kept_is_made_once_by_inputs_and_arguments():
    calls = []

    @once
    def keep(inputs, *arguments, **options):
        calls.append((arguments, options))
        return len(calls)

    first, second = (Inputs(declared("fu2005"), {}, {}, {}, {}, METHODS, RunScale("published", 1, 2)) for _ in range(2))
    assert [keep(first, 1), keep(first, 1), keep(first, 2), keep(first, 1, by=2), keep(second, 1)] == [1, 1, 2, 3, 4]


def test_the_names_of_artefacts_need_no_science():
    code = "import sys\nfrom cutpoint.bench.engine.declaration import declared, study_names\n"
    code += "assert all(declared(name).tables for name in study_names())\n"
    code += "print([m for m in ('numpy', 'scipy', 'matplotlib', 'numba', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


EXCEPTIONS = {
    "held_out", "predict",  # for studies of users, see config/README.md; rules depend on them
    "variants", "thin",  # counts of jobs, known wherever the Snakefile is parsed, which imports no study
    "graphs",  # for the page of a user's own data, whose grids the package makes
    "explored",  # the explorer of the report, for any study of many data sets
    "apart", "category",  # contests and tables of methods
}  # fmt: skip


def keys_of(model):
    for key in model.model_fields_set:
        yield key
        for _, part in leaves(getattr(model, key), key):
            if isinstance(part, BaseModel):
                yield from keys_of(part)


def test_a_key_of_a_study_needs_two_studies():
    studies = defaultdict(set)
    for name in study_names():
        for key in keys_of(check(Study, read_yaml(study_file(name)), name)):
            studies[key].add(name)
    parts = [part for module in (settings, declaration) for part in vars(module).values() if isinstance(part, type)]
    models = {part for part in parts if issubclass(part, BaseModel)} - {Settings, MetricRow, DeclaredStudy}
    assert {key for model in models for key in model.model_fields if len(studies[key]) < 2} == EXCEPTIONS


ENTRY = re.compile(r"^\| `(\w+_(?:table|figure))` \| (.+) \|$", re.MULTILINE)
PLAIN = {"{}", "mean", "share", "largest"}  # that are no options
PAGE = (ROOT / "docs" / "add.md").read_text(encoding="utf-8")


def test_every_option_of_a_ready_made_function_is_documented_and_exists():
    documented = dict(ENTRY.findall(PAGE))
    assert {*documented} == {*ready_made()}
    for name, text in documented.items():
        options = {*ready_made()[name]} - FigureSpec.handed
        named = {word.split(":")[0] for word in re.findall(r"`([^`]+)`", text)}
        assert options <= named <= options | PLAIN, name

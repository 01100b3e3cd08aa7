"""The subcommands on a user's file and the lists of methods and networks: what is started, and what is wrong."""

import ast
import gzip
import hashlib
import inspect
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import cutpoint as cp
from cutpoint import cli
from cutpoint.base.text import MOST, suggest
from cutpoint.base.user_code import ROOT
from cutpoint.bench.commands import report
from cutpoint.bench.workflow.settings import Settings
from cutpoint.cli import main
from cutpoint.commands import networks
from cutpoint.commands.methods import ABOUT
from cutpoint.commands.settings import OPTIONS, parse
from cutpoint.data.registry import NetworkEntry, load_registry
from cutpoint.learners.learned import worth
from cutpoint.method import DEFAULT
from cutpoint.networks.network import network, network_folder, network_names, read_network, write_network


@pytest.fixture
def table(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    pairs = rng.multivariate_normal([10, 12], [[9, 8], [8, 9]], 120)
    rows = [f"{k};{x:.2f};{y:.2f};{'mf'[k % 2]}".replace(".", ",") for k, (x, y) in enumerate(pairs)]
    (tmp_path / "my.csv").write_text("\n".join(["id;x;y;sex", *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UV_RUN_RECURSION_DEPTH", raising=False)
    return tmp_path / "my.csv"


def test_settings_are_yaml():
    parsed = {"drop": ["id", "a b"], "decimal": "comma", "missing": "drop", "thousands": None}
    assert parse(["drop=[id, a b]", "decimal=comma", "missing=drop", "thousands="]) == parsed


def test_options_and_settings_of_one_key_join_or_are_refused(table, capsys):
    assert cli.main(["learn", "my.csv", "--decimal", "comma", "--drop", "id", "drop=[sex]", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["variables"] == ["x", "y"]
    assert cli.main(["learn", "my.csv", "--missing", "drop", "missing=impute"]) == 1
    assert capsys.readouterr().err == "cutpoint: missing: is both drop and impute; give it once\n"


def test_learning_from_a_file_writes_the_model(table, monkeypatch, capsys):
    words = ["learn", "my.csv", "--decimal", "comma", "--drop", "id", "--method", "eqfreq3", "-o", "my.bif"]
    assert cli.main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "my.csv: 120 rows, 3 columns (2 continuous, 1 discrete)"
    assert lines[1].startswith("eqfreq3: ")
    assert lines[-4:-1] == [
        "wrote my.bif",
        "next",
        "  cp.read_model('my.bif')                           # in Python: .query, .predict, .sample",
    ]
    assert lines[-1].startswith("  cutpoint report my.csv --drop id --decimal comma  # ")
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")  # in `uv run cutpoint ...`, which alone finds the command
    assert cli.main([*words[:-1], "my.json"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("  uv run cutpoint report my.csv")
    model = cp.read_model("my.bif")
    data = cp.read_data("my.csv", decimal=",", drop=["id"])
    np.testing.assert_array_equal(model.dag, cp.learn(data, "eqfreq3").fit(data).dag)
    assert model.dag[[*model.variables].index("x")].any() or model.dag[[*model.variables].index("y")].any()


def test_a_method_without_thresholds_shows_its_graph(table, capsys):
    words = ["learn", "my.csv", "decimal=comma", "drop=[id]", "--method", "bach"]
    assert cli.main(words) == 0
    learned = cp.learn(cp.read_data("my.csv", decimal=",", drop=["id"]), "bach")
    _, second, *lines = capsys.readouterr().out.splitlines()
    assert second.endswith(f"CPU seconds, score {learned.score:.6g}")
    assert lines[:4] == [
        "1 edge; -- stands where the data leave the direction open",
        *(f"  {e.source} {'->' if e.directed else '--'} {e.target}" for e in learned.edges()),
        "  without edges: sex",
        "no thresholds: the graph alone, as a fitted network needs levels",
    ]
    assert lines[5].startswith("  cutpoint learn my.csv --decimal comma --drop id --method bach -o my.dot  # ")
    assert cli.main([*words, "-o", "my.dot"]) == 0
    assert Path("my.dot").read_text() == learned.to_dot()


def test_what_cannot_be_written_is_said_before_anything_is_learned(table, monkeypatch, capsys):
    monkeypatch.setattr("cutpoint.api._warm", lambda method: pytest.fail("learned"))
    words = ["learn", "my.csv", "decimal=comma", "drop=[id]"]
    for more, message in (
        (["-o", "t.foo"], "t.foo: the ending names the format (known: bif, "),
        (["-o", "t.bif", "--method", "bach"], "t.bif: bach has no thresholds, and a fitted network needs levels; "),
        (["-o", "t.bif", "--method", "bnlearn_hc"], "bnlearn_hc: an external method"),
        (["--html", "t.bif"], "--html t.bif: the name of a page ends in .html"),
        (["--html", "t.html", "--method", "bach"], "t.html: bach has no thresholds"),
    ):
        assert cli.main([*words, *more]) == 1
        captured = capsys.readouterr()
        assert captured.err.startswith(f"cutpoint: {message}")
        assert captured.err.count("\n") == 1
        assert not captured.out
        assert not Path("t.bif").exists()


def test_a_report_is_the_workflow_on_the_file(table, monkeypatch, capsys):
    started = []
    monkeypatch.setattr(
        "subprocess.run", lambda command, check: started.append(command) or SimpleNamespace(returncode=0)
    )
    options = ["--cores", "2", "--mark", "-9", "--mark", "ö", "--missing", "drop", "--method", "bach"]
    assert cli.main(["report", "my.csv", "drop=[id]", *options, "decimal=comma"]) == 0
    (command,) = started
    assert command[:5] == [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    settings = ['methods=["bach"]', 'missing="drop"', 'marks=["-9", "ö"]', 'drop=["id"]', 'decimal="comma"']
    assert command[command.index("--config") + 1 :] == [f"data={table}", "scale=quick", *settings]
    assert command[command.index("--directory") + 1] == "my-report"
    assert (ROOT / "Snakefile").is_file()
    assert capsys.readouterr().out == f"report: {Path('my-report', 'results', 'report.html')}\n"
    assert cli.main(["report", "my.csv", "drop=[id]", "decimal=comma", "scale=tiny", "--posterior"]) == 0
    assert "posterior=true" in started[1]
    assert capsys.readouterr().out.endswith(f"posterior: {Path('my-report', 'results', 'posterior.html')}\n")


def test_a_report_without_snakemake_says_what_to_install(table, monkeypatch, capsys):
    monkeypatch.setattr(report, "find_spec", lambda name: None)
    assert cli.main(["report", "my.csv"]) == 1
    assert capsys.readouterr().err == "cutpoint: report needs Snakemake: pip install 'bn-cutpoint[workflow]'\n"
    assert cli.main(["report", "my.csv", "--cores", "-3"]) == 1
    assert capsys.readouterr().err == "cutpoint: --cores: a whole number from 1 is expected, got -3\n"


@pytest.mark.parametrize("command", ["learn", "report"])
def test_what_is_said_to_settings_are_options(table, capsys, command):
    assert cli.main([command, "my.csv", "decimal=point"]) == 1
    assert "--drop" in (message := capsys.readouterr().err)
    assert "drop=" not in message
    with pytest.raises(cp.InputError, match=r"drop=\['id'\]"):
        cp.read_data("my.csv", decimal="point")


def test_each_setting_of_a_file_has_an_option():
    settings = {*inspect.signature(cp.read_data).parameters, "knowledge"} - {"path"}
    assert {*OPTIONS} == settings <= {*Settings.model_fields}


@pytest.mark.parametrize("method", ["eqfreq3", "bach", "pc_fisherz", "consensus"])
def test_json_is_all_that_is_printed(table, capsys, method):
    assert cli.main(["learn", "my.csv", "--decimal", ",", "--drop", "id", "--json", "--method", method]) == 0
    captured = capsys.readouterr()
    document, data = json.loads(captured.out), cp.read_data("my.csv", decimal=",", drop=["id"])
    learned = cp.learn(data, method)
    cuts, kind = learned.thresholds, learned.thresholds and learned.fit(data).kind("y")
    shares, tested = {"confidence": None, "direction": None}, None
    if learned.uncertainty is not None:
        votes = learned.uncertainty.edges
        shares = {"confidence": votes.adjacent[1, 2], "direction": votes.directed[1, 2]}
        tested = {"of": "searches", "graphs": votes.graphs, "in_tests": worth(votes)}
    assert document.pop("seconds") >= 0
    assert document == {
        **{"file": "my.csv", "rows": 120, "variables": ["sex", "x", "y"], "states": {"sex": ["f", "m"]}},
        **{"method": method, "score": learned.score, "note": learned.note, "warnings": []},
        "edges": [e._asdict() | shares | {"kind": kind} for e in learned.edges()],
        **{"failed": None, "confidence": tested},
        "thresholds": cuts and {name: cuts[i].tolist() for i, name in ((1, "x"), (2, "y"))},
    }
    assert not captured.err


def test_a_page_is_a_format_of_the_model(table, monkeypatch, capsys):
    written = []
    monkeypatch.setattr(cp.Model, "write", lambda model, path: written.append(path))
    words = ["--method", "eqfreq3", "-o", "my.json", "--html", "my page.html"]
    assert cli.main(["learn", "my.csv", "--decimal", "comma", "--drop", "id", *words]) == 0
    assert written == ["my.json", "my page.html"]
    assert "\n  open 'my page.html' " in capsys.readouterr().out


def test_what_is_printed_fits_on_a_screen(table, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["cutpoint"])
    assert cli.main() == 0
    assert len(capsys.readouterr().out.splitlines()) <= 12
    for word, last in (("--help", cli.CODES), ("--version", f"cutpoint {cp.__version__}")):
        assert cli.main([word]) == 0
        assert capsys.readouterr().out.splitlines()[-1].strip() == last
    values = np.random.default_rng(0).standard_normal((500, 6)).cumsum(axis=1)
    np.savetxt("six.csv", values, delimiter=",", header="age,weight,length,pressure,dose,response", comments="")
    assert cli.main(["learn", "six.csv"]) == 0
    printed, learned = capsys.readouterr().out, cp.learn(values)
    drawn = learned.shown()
    assert len(printed.splitlines()) <= 24
    assert printed.count(" -> ") == (drawn & ~drawn.T).sum() < printed.count("/")
    assert worth(learned.uncertainty.edges) in " ".join(printed.split())
    assert cli.main(["learn", "--help"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == cli.CODES


def test_a_help_text_imports_no_more_than_it_needs():
    code = "import sys; from cutpoint import cli; cli.main([]); cli.main(['--help']); print([*sys.modules])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "yaml", "pydantic"} & {*ast.literal_eval(output.splitlines()[-1])}


def test_learning_with_gaps_and_knowledge(table, capsys):
    lines = table.read_text().splitlines()
    for k in (3, 50, 90):
        cells = lines[k].split(";")
        lines[k] = ";".join([cells[0], "", *cells[2:]])
    table.write_text("\n".join(lines) + "\n")
    Path("known.yaml").write_text("forbidden: [x -> y, y -> x]\nthresholds: {x: [10]}\n")
    words = ["learn", "my.csv", "decimal=comma", "drop=[id]", "--method", "eqfreq3", "-o", "my.json"]
    assert cli.main(words) == 1
    assert "--missing drop to leave these rows out, --missing impute" in capsys.readouterr().err
    for missing, records in (("drop", 117), ("impute", 120)):
        assert cli.main([*words, "--missing", missing, "--knowledge", "known.yaml"]) == 0
        model = cp.read_model("my.json")
        x, y = [*model.variables].index("x"), [*model.variables].index("y")
        assert model.records == records
        assert not model.dag[x, y]
        assert not model.dag[y, x]
        assert model.thresholds[x].tolist() == [10]


def test_categories_list_what_python_lists_and_words_narrow_it(capsys):
    names = []
    for category in ABOUT:
        assert main(["methods", category]) == 0
        names += [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert sorted(names) == sorted(cp.methods())
    assert main(["methods", "STECK3", "exact,", "None"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["steck_exact3_all"]


def test_an_overview_fits_on_a_screen_and_every_method_is_explained(capsys):
    assert main(["methods"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 22
    assert lines[0].split()[0] == DEFAULT
    assert {line.split()[0] for line in lines[:-1]} <= {*cp.methods()}
    assert max(map(len, lines)) <= 90
    assert main(["methods", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines if line.split(":")[0] not in ABOUT) == sorted(cp.methods())
    for name in cp.methods():
        assert main(["methods", name]) == 0
        assert capsys.readouterr().out.startswith(f"{name}: ")
    assert main(["methods", "steck3"]) == 0
    output = capsys.readouterr().out
    assert "\npolicy steck: Learn a structure and thresholds" in output
    assert "\n  ess=1.0, max_levels=60\n" in output


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("Steck3", "steck3"),
        ("hartemink / bic / tabu", "search.hartemink.bic.tabu"),
        ("Hartemink/bic/tabu", "search.hartemink.bic.tabu"),
        ("stek3", "steck3"),
    ],
)
def test_a_label_or_a_slip_is_answered_with_its_row_first_and_few_names(name, row):
    with pytest.raises(cp.InputError) as raised:
        cp.learn([[0.0]], name)
    message = str(raised.value)
    assert message.startswith(f"unknown method {name!r}; did you mean {row!r}? (known: ")
    assert message.endswith(f" and {len(cp.methods()) - MOST} more; cutpoint methods --all lists all)")
    assert len(message) < 300


def test_the_most_similar_name_does_not_hang_on_capitals():
    assert suggest("Grösse", ["Alter", "Größe in cm"]) == "; did you mean 'Größe in cm'? (known: Alter, Größe in cm)"
    assert suggest("x", [], lister="nowhere") == " (known: none)"
    assert suggest("q", ["a", "b"], lister="nowhere") == " (known: a, b)"


@pytest.fixture
def asia(tmp_path, monkeypatch):
    """A registry with one network, and the mirror that has it packed."""
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    write_network(network("asia"), tmp_path / "asia.bif")
    packed = gzip.compress((tmp_path / "asia.bif").read_bytes())
    (mirror / "asia.bif.gz").write_bytes(packed)
    entry = {"title": "Asia", "variables": 8, "arcs": 8, "licence": "none", "files": [{
        "name": "asia.bif.gz", "sha256": hashlib.sha256(packed).hexdigest(), "urls": ["https://127.0.0.1:9/asia.bif.gz"]
    }]}  # fmt: skip
    registry = {"asia": networks.NetworkEntry.model_validate({"name": "asia", **entry})}
    monkeypatch.setattr(networks, "load_registry", lambda *_: registry)
    monkeypatch.chdir(tmp_path)
    return registry, mirror


def test_the_list_names_twenty_networks_of_5_to_200_variables(capsys):
    assert main(["networks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "alarm: shipped, discrete, 37 variables, 46 arcs"
    assert "ecoli70: shipped, Gaussian, 46 variables, 70 arcs" in lines
    assert "water: to be fetched, 32 variables, 66 arcs" in lines
    sizes = [int(line.split(" variables")[0].split()[-1]) for line in lines]
    assert sum(5 <= size <= 200 for size in sizes) == 20


def test_a_network_of_a_mirror_is_written_as_a_file_that_can_be_read(asia, capsys):
    assert main(["networks", "asia", "--mirror", "mirror", "--to", "nets"]) == 0
    assert capsys.readouterr().out == "asia: nets/asia.bif, 8 variables, 8 arcs\n"
    assert (read_network("nets/asia.bif").dag == network("asia").dag).all()


def test_what_cannot_be_had_is_unavailable_with_its_reason(asia, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert main(["networks", "asia", "--mirror", "empty"]) == 1
    assert capsys.readouterr().out == "asia: unavailable: asia.bif.gz: not in mirror empty\n"
    assert not (tmp_path / "networks").exists()


def test_another_network_than_the_registry_says_is_refused(asia, monkeypatch, capsys):
    registry, _ = asia
    other = registry["asia"].model_copy(update={"arcs": 9})
    monkeypatch.setattr(networks, "load_registry", lambda *_: {"asia": other})
    assert main(["networks", "asia", "--mirror", "mirror"]) == 1
    said = "cutpoint: networks/asia.bif: has 8 variables and 8 arcs where 8 and 9 are expected\n"
    assert capsys.readouterr().err == said


def test_the_registry_is_sound():
    entries = load_registry(network_folder() / "fetched.yaml", NetworkEntry)
    assert not set(entries) & set(network_names())
    for name, entry in entries.items():
        (file,) = entry.files
        assert file.name == f"{name}.bif.gz"
        assert [address.url.split("/")[2] for address in file.urls] == ["raw.githubusercontent.com"]

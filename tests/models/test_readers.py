"""What other programs read from our files; docs/use-the-result.md has the table as it comes out."""

from dataclasses import replace
from pathlib import Path

import environments
import numpy as np
import pandas as pd
import pytest
from models import peer_reader, round_trips

import cutpoint as cp
from cutpoint.models import formats
from cutpoint.networks.bif import BifContent
from cutpoint.networks.network import content_of

ENVIRONMENTS = ("pgmpy", "bnlearn-port", "tetrad")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Networks by name, and the folder with a file of each in every format."""
    rng = np.random.default_rng(7)
    weight = rng.normal(3000, 500, 300)
    frame = pd.DataFrame(
        {
            "weight (lb)": weight,
            "débit": rng.normal(size=300) * 1e-3,
            "mpg": 60 - weight / 100 + rng.normal(0, 3, 300),
            "doors": rng.choice([2, 4], 300),
        }
    )
    fitted = cp.fit(frame, "eqwidth3")
    networks = {
        "hostile": round_trips.hostile(rng),
        "fitted": content_of(fitted.network),
        "asia": content_of(cp.network("asia")),
    }
    networks["fitted"].properties = {"mpg": {"thresholds": "1.5 2.5"}}
    folder = tmp_path_factory.mktemp("files")
    for name, content in networks.items():
        for ending in round_trips.SHOWN:
            (folder / f"{name}.{ending}").write_text(formats.render(content, ending), encoding="utf-8")
    return networks, folder


def check(reader, answers, networks):
    """Compare what was read with the row of the page."""
    cells = {}
    for ending in round_trips.READ[reader]:
        kinds = []
        for name, content in networks.items():
            truth = round_trips.expected(content, ending, reader)
            kinds.append(round_trips.verdict(answers[f"{name}.{ending}"], truth))
        cells[ending] = next(kind for kind in ("error", *round_trips.KINDS) if kind in kinds)
    line = round_trips.row(reader, cells)
    assert line in round_trips.DOCS.read_text(encoding="utf-8").splitlines(), (line, answers_that_are_errors(answers))


def answers_that_are_errors(answers):
    return {name: answer for name, answer in answers.items() if isinstance(answer, str)}


def files_of(reader, networks, folder):
    return [str(folder / f"{name}.{ending}") for name in networks for ending in round_trips.READ[reader]]


def ours(path, content):
    """Return what we read, names in the order of the network; a UAI file has none but numbers."""
    ending = Path(path).suffix[1:]
    read = formats.parse(Path(path).read_text(encoding="utf-8"), ending, path)
    if ending == "uai":
        back = dict(zip(read.states, map(str, range(len(read.states))), strict=True))
    else:
        back = {name: formats.FORMATS[ending].variables.escaped(name) for name in read.states}
        state = formats.FORMATS[ending].states.escaped
        assert (read.states, read.parents) == (content.states, content.parents)
        read = replace(read, states={name: [*map(state, levels)] for name, levels in read.states.items()})
    return {
        back[name]: [read.states[name], [back[one] for one in read.parents[name]], read.tables[name].tolist()]
        for name in read.states
    }


def test_our_reader(written):
    networks, folder = written
    answers = {
        f"{name}.{ending}": ours(str(folder / f"{name}.{ending}"), content)
        for name, content in networks.items()
        for ending in round_trips.SHOWN
    }
    check("cutpoint", answers, networks)


def test_pyagrum(written):
    networks, folder = written
    paths = files_of("pyagrum", networks, folder)
    check("pyagrum", {Path(path).name: peer_reader.attempt(peer_reader.pyagrum, path) for path in paths}, networks)


ONE_LEVEL = BifContent(
    "m",
    {"a": ["only"], "b": ["x", "y"], "c": ["one"]},
    {"a": [], "b": ["c", "a"], "c": ["a"]},
    {"a": np.ones(1), "b": np.array([[[0.3, 0.7]]]), "c": np.ones((1, 1))},
)


@pytest.mark.parametrize("reader", ["pyagrum", *(pytest.param(one, marks=pytest.mark.slow) for one in ENVIRONMENTS)])
def test_a_variable_of_one_level_is_read(reader, tmp_path):
    files = [tmp_path / f"m.{ending}" for ending in round_trips.READ[reader]]
    for path in files:
        path.write_text(formats.render(ONE_LEVEL, path.suffix[1:]), encoding="utf-8")
    if reader == "pyagrum":
        answers = {path.name: peer_reader.attempt(peer_reader.pyagrum, str(path)) for path in files}
    else:
        answers = environments.ask(reader, tmp_path / "env", peer_reader.__file__, reader, *files)
    assert answers_that_are_errors(answers) == {}


@pytest.mark.parametrize("ending", formats.FORMATS)
def test_a_level_that_was_added_is_left_out_again(ending):
    text = formats.render(ONE_LEVEL, ending)
    read = formats.parse(text, ending, "m")
    added = ending in formats.ONE_LEVEL
    assert (formats.NEVER in text) == (added and ending != "uai")
    assert [len(states) for states in read.states.values()] == ([2, 2, 2] if ending == "uai" else [1, 2, 1])
    assert np.array([*read.tables.values()][1]).ravel()[:2].tolist() == [0.3, 0.7]


def test_a_level_that_is_added_is_named_with_the_reason(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    fitted = cp.learn(frame, "eqfreq3").fit(frame, thresholds=[[], [0.0]])
    told = "a: a single level, to which one of probability 0, 'never', is added, as pyAgrum and bnlearn would refuse it"
    with pytest.warns(UserWarning, match=told):
        fitted.write(tmp_path / "m.bif")
    assert cp.read_model(tmp_path / "m.bif").network.states[0] == fitted.network.states[0]
    fitted.write(tmp_path / "m.xdsl")


@pytest.mark.parametrize("reader", ENVIRONMENTS)
def test_readers_in_environments_of_their_own(reader, written, tmp_path):
    networks, folder = written
    answers = environments.ask(reader, tmp_path, peer_reader.__file__, reader, *files_of(reader, networks, folder))
    check(reader, answers, networks)

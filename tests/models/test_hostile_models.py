"""Model files that are damaged or meant to harm, and names that formats may not hold: a result or one line."""

import json
import os
import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.discretization.thresholds import interval_labels, short, spoken
from cutpoint.models import formats, model
from cutpoint.models.formats import IDENTIFIERS, LEVELS, PRINTED, WORDS
from cutpoint.networks.bif import BifContent

ENDINGS = (*formats.FORMATS, formats.JSON)
NAMES = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=6)
ONCE = settings(max_examples=40, deadline=None, database=None)


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    return cp.fit(np.column_stack([x, x + rng.normal(size=200), rng.normal(size=200)]), "eqwidth3")


@pytest.fixture(scope="module")
def written(fitted, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for ending in ENDINGS:
        fitted.write(folder / f"model.{ending}")
    return folder


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_damaged_file_is_a_model_or_one_line(written, tmp_path_factory, ending):
    whole = (written / f"model.{ending}").read_bytes()
    path = tmp_path_factory.mktemp("damaged") / f"model.{ending}"

    @ONCE
    @given(
        st.lists(st.tuples(st.integers(0, len(whole) - 1), st.integers(0, 255)), min_size=1, max_size=8), st.booleans()
    )
    def check(bytes_, cut):
        damaged = bytearray(whole)
        for place, value in bytes_:
            damaged[place] = value
        path.write_bytes(damaged[: bytes_[0][0]] if cut else damaged)
        with suppress(InputError):  # one line; anything else fails
            assert all(np.allclose(table.sum(-1), 1) for table in cp.read_model(path).network.tables)

    check()


@pytest.mark.parametrize("ending", [ending for ending in formats.FORMATS if ending != "uai"])
@ONCE
@given(
    names=st.lists(NAMES, min_size=2, max_size=3, unique=True),
    states=st.lists(NAMES, min_size=1, max_size=3, unique=True),
)
def test_names_come_back_from_every_format(ending, names, states):
    table = np.full(len(states), 1 / len(states))
    content = BifContent("m", dict.fromkeys(names, states), {name: [] for name in names}, dict.fromkeys(names, table))
    read = formats.parse(formats.render(content, ending), ending, "it")
    assert read.states == {name: list(states) for name in names}


def bif(parents):
    names = [f"p{i}" for i in range(parents)]
    text = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in (*names, "x"))
    text += "".join(f"probability ( {name} ) {{ table 0.5, 0.5; }}\n" for name in names)
    return f"{text}probability ( x | {', '.join(names)} ) {{ default 0.5, 0.5; }}\n"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.bif", bif(26), "the table of 'x' has 134217728 cells"),
        ("a.uai", "BAYES 1 1000000000", "1000000000 is no number"),
        ("a.uai", "BAYES 1000000000 2 2", "1000000000 is no number"),
        ("a.uai", "BAYES 2 2 2 2 1 0 2 -2 1 2 .5 .5 4 .5 .5 .5 .5", "-2 is no number"),
        ("a.uai", "BAYES 2 2 2 2 1 0 1 0 2 .5 .5 2 .5 .5", "two tables of x0"),
        ("a.uai", "MARKOV 1 2", r"^[^:]*a\.uai: MARKOV where BAYES is expected$"),
        ("a.bif", bif(1).replace("table 0.5, 0.5", "table NaN, NaN"), "sums to nan, not 1, as R's bnlearn writes what"),
        ("a.json", "[" * 100_000, "RecursionError"),
        ("a.json", "[]", "a cutpoint model of version 1 is expected"),
    ],
)  # fmt: skip
def test_small_files_take_no_memory(tmp_path, name, text, line):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=line):
        cp.read_model(tmp_path / name)


@pytest.mark.parametrize(
    ("place", "junk"),
    [
        (("ess",), "x"), (("ess",), -1.0), (("records",), 1.5), (("variables", 0, "states"), "abc"),
        (("variables", 0, "states"), ["a", "a", "b"]), (("variables", 0, "states"), [1, 2, 3]), (("variables",), []),
        (("variables", 0, "density"), {"x": 1}), (("variables", 0, "thresholds"), [2.0, 1.0]),
        (("variables", 1, "name"), "x0"), (("variables", 0, "parents"), ["x9"]),
        (("variables", 0, "table"), [[1.0], 2]),
    ],
)  # fmt: skip
def test_every_field_of_json_is_checked(written, tmp_path, place, junk):
    document = json.loads((written / "model.json").read_text())
    inner = document
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = junk
    (tmp_path / "m.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"m\.json"):
        cp.read_model(tmp_path / "m.json")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "m.json")
    os.mkfifo(tmp_path / "d.csv")
    for read, name in ((cp.read_model, "m.json"), (cp.read_data, "d.csv")):
        with pytest.raises(InputError, match=f"{name}: is no file"):
            read(tmp_path / name)
    with pytest.raises(InputError, match="no such file"):
        cp.read_model("a\0b.json")


def test_a_failed_write_leaves_the_older_file(fitted, tmp_path, monkeypatch):
    fitted.write(path := tmp_path / "m.json")
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        fitted.write(path)
    assert (path.read_bytes(), [*tmp_path.iterdir()]) == (before, [path])


def test_a_sample_beyond_memory_is_refused(fitted):
    with pytest.raises(InputError, match=f"at most {model.MAX_DRAWN // 3} records"):
        fitted.sample(10**12)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
LEGAL = {
    WORDS: r"[A-Za-z_][\w.\-]*",
    LEVELS: r"[A-Za-z_][\w.\-]*|-?\d+",
    IDENTIFIERS: r"[A-Za-z]\w*",
    PRINTED: r"[^<>&\"'{}|\[\]\x00-\x1f\x7f]+",
}


@pytest.mark.parametrize("alphabet", LEGAL)
@given(name=TEXTS | st.from_regex(r"(s_)*(_x00[0-9A-F]{2}_|[a-z_])*", fullmatch=True))
def test_every_name_is_legal_and_comes_back(alphabet, name):
    text = alphabet.escaped(name)
    assert not name or re.fullmatch(LEGAL[alphabet], text, 0 if alphabet is PRINTED else re.ASCII)
    assert alphabet.unescaped(text) == name


@pytest.mark.parametrize("alphabet", LEGAL)
@given(text=TEXTS | st.from_regex(r"(s_)*(_x00[0-9A-F]{2}_|_xFFFFFFFF_|[a-z_])*", fullmatch=True))
def test_names_of_others_that_only_look_escaped_stay(alphabet, text):
    name = alphabet.unescaped(text)
    assert name == text or alphabet.escaped(name) == text


def test_names_by_hand():
    assert WORDS.escaped("débit/jour") == "d_x00E9_bit_x002F_jour"
    assert WORDS.escaped("4") == "s_4"
    assert [LEVELS.escaped(name) for name in ("4", "-1", "1.5", "lt_-1.5")] == ["4", "-1", "s_1.5", "lt_-1.5"]
    assert IDENTIFIERS.escaped("lt_1.5") == "lt_1_x002E_5"
    assert WORDS.escaped("s_x") == "s_s_x"
    assert WORDS.escaped("_x0020_") == "_x005F_x0020_"
    assert WORDS.escaped("\U0001f600") == "_x0001F600_"
    assert PRINTED.escaped("a b/é") == "a b/é"


@pytest.mark.parametrize(
    ("cuts", "labels"),
    [
        ([], ["all"]),
        ([1.5], ["lt_1.5", "ge_1.5"]),
        ([1.5, 3], ["lt_1.5", "from_1.5_to_3", "ge_3"]),
        ([-1.5, 1e-05], ["lt_-1.5", "from_-1.5_to_1e-05", "ge_1e-05"]),
        ([-0.0, 1e16], ["lt_0", "from_0_to_1e16", "ge_1e16"]),
        ([4362.5], ["lt_4362.5", "ge_4362.5"]),
        ([0.1 + 0.2, 0.3000001], ["lt_0.3", "from_0.3_to_0.3000001", "ge_0.3000001"]),
    ],
)
def test_labels_by_hand(cuts, labels):
    assert interval_labels(cuts) == labels


def test_ends_of_intervals_have_the_digits_that_keep_them_apart():
    assert short(np.array([1.23441, 1.23444, 1.2345, 2])) == ["1.23441", "1.23444", "1.2345", "2"]
    assert short(np.array([1.0, 1.0, 2.0, 2.0])) == ["1", "1", "2", "2"]


@given(st.lists(st.floats(-1e300, 1e300), max_size=6, unique=True))
def test_labels_differ_and_every_format_takes_them(cuts):
    cuts = np.unique(np.array(cuts) + 0.0)
    labels = interval_labels(cuts)
    assert len({*labels}) == len({*map(spoken, labels)}) == len(cuts) + 1
    for label in labels:
        assert WORDS.escaped(label) == LEVELS.escaped(label) == label
        assert re.fullmatch(r"[\w.\-]+", label, re.ASCII)
    numbers = [float(label.split("_")[1]) for label in labels[1:]] if len(cuts) else []
    np.testing.assert_allclose(numbers, cuts, rtol=1e-5, atol=1e-320)

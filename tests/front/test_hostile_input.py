"""Data and arguments that are easily misread: the right result, or one clear line."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.cli import main
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.patterns import consistent_extension, cpdag

RNG = np.random.default_rng(0)
Y = RNG.normal(size=200)
X = np.column_stack([Y, Y + RNG.normal(size=200)])
INSIDE = (-1.5, -0.5, 0.5, 1.5)  # the levels between -1, 0 and 1


def of_states(values):
    return pd.DataFrame({"a": values, "b": Y})


def test_minus_zero_is_zero():
    frame = of_states(np.where(np.arange(200) % 3 == 0, -0.0, np.arange(200) % 3))
    fitted = cp.fit(frame, "eqfreq3")
    assert fitted.network.states[0] == ("0", "1", "2")
    assert fitted.query("b", {"a": -0.0}) == fitted.query("b", {"a": 0})


@pytest.mark.parametrize("first", [2**53, 10**15, 10**16, 2**62])
@pytest.mark.parametrize("kind", ["frame", "csv", "parquet"])
def test_large_whole_numbers_stay_apart(tmp_path, first, kind):
    frame = of_states([first + k % 3 for k in range(200)])
    data = frame
    if kind != "frame":
        path = tmp_path / f"d.{kind}"
        (frame.to_csv if kind == "csv" else frame.to_parquet)(path, index=False)
        data = cp.read_data(path, discrete=["a"])
    fitted = cp.fit(data, "eqfreq3", discrete=["a"]) if kind == "frame" else cp.fit(data, "eqfreq3")
    assert sorted(fitted.network.states[0]) == sorted(str(first + k) for k in range(3))
    np.testing.assert_array_equal(np.unique(fitted.encode(data)[:, 0]), [0, 1, 2])


def test_a_merged_constant_shows_its_value():
    with pytest.raises(InputError, match=r"constant \(7\)"):
        cp.learn(of_states(["7", "7.0"] * 100), "eqfreq3", discrete=["a"])


@pytest.mark.parametrize("cuts", [[1, -1], [np.nan, 0], [0, 0], [np.inf], ["a"], [[1]]])
def test_thresholds_rise(cuts):
    with pytest.raises(InputError, match=r"thresholds: list 1: .* not (a list of|finite, increasing) numbers"):
        cp.learn(X, "eqfreq3").fit(X, thresholds=[cuts, [0]])


@pytest.mark.parametrize("ending", ["json", "bif", "xdsl", "bif.gz"])
def test_a_value_on_a_threshold_is_coded_alike(tmp_path, ending):
    fitted = cp.learn(X, "eqfreq3").fit(X, thresholds=[[-1.0, 0.0, 1.0], [0.0]])
    fitted.write(tmp_path / f"m.{ending}")
    for model in (fitted, cp.read_model(tmp_path / f"m.{ending}")):
        means = {state: model.predict(np.array([[x, 0.0]]), "x1") for state, x in zip("0123", INSIDE, strict=True)}
        for value, code in ((-1.0, 1), (0.0, 2), (-0.0, 2), (1.0, 3)):
            level = model.network.states[0][code]
            assert model.encode(np.array([value, 0.0]))[0] == code
            assert model.query("x1", {"x0": value}) == model.query("x1", {"x0": level})
            assert model.predict(np.array([[value, 0.0]]), "x1") == means[str(code)]


def test_half_a_character_is_no_text():
    states = of_states(pd.Series(["x\ud800", "z"] * 100, dtype=object))
    names = of_states(Y[::-1]).set_axis(pd.Index(["a\ud800", "b"], dtype=object), axis=1)
    for frame, line in ((states, "row 1, column a: .* is no valid text"), (names, "column name .* is no valid text")):
        with pytest.raises(InputError, match=line):
            cp.learn(frame, "eqfreq3")


def test_masked_cells_are_missing():
    masked = np.ma.array(X, mask=np.arange(400).reshape(200, 2) < 4)
    with pytest.raises(InputError, match="a missing cell"):
        cp.learn(masked, "eqfreq3")
    assert cp.fit(masked, "eqfreq3", missing="drop").records == 198
    with pytest.raises(InputError, match="the array: column x0, row 1: missing"):
        cp.encode(masked, [[0.0], [0.0]])
    with pytest.raises(InputError, match="codes: missing cells"):
        cp.hill_climb(np.ma.array([[0, 1], [1, 0]], mask=[[1, 0], [0, 0]]))


@pytest.mark.parametrize("kind", ["uint8", "int8"])
def test_codes_of_small_types_do_not_overflow(kind):
    most = np.iinfo(kind).max
    codes = np.column_stack([np.arange(300) % (most + 1), np.arange(300) % 2])
    assert cp.hill_climb(codes.astype(kind)).score == cp.hill_climb(codes).score


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: cp.learn(pa.table([Y, Y], names=["a", "a"]), "eqfreq3"), "two columns are named a"),
        (lambda: cp.learn(X, "eqfreq3", score="os:system"), "no row of methods.yaml names the function 'os:system'"),
        (lambda: cp.learn(X, "steck3", category="external"), "an external method runs in the workflow"),
        (lambda: cp.learn(X * 1e200, "bge"), "whose squares overflow; take another unit"),
        (lambda: cp.discretize(np.column_stack([Y * 1e300, Y]), "equal_width"), "whose squares overflow"),
        (lambda: cp.fit(X, "eqfreq3").predict(X * 1e307, "x0"), "is larger than 1e"),
        (lambda: cp.fit(np.empty((0, 2)), "eqfreq3"), "no rows"),
        (lambda: consistent_extension(np.eye(3, dtype=bool)), "an arc from 0 to itself"),
        (lambda: cpdag(None), r"an array bool \[n, n\] is expected"),
        (lambda: is_dag(np.ones((2, 3), bool)), r"not shape \(2, 3\)"),
    ],
)  # fmt: skip
def test_bad_arguments_are_one_line(call, line):
    with pytest.raises(InputError, match=line):
        call()


def test_integers_of_128_bits_are_numbers():
    whole = polars.Series(np.arange(200) % 3).cast(polars.Int128)
    assert cp.fit(polars.DataFrame({"a": whole, "b": Y}), "eqfreq3").network.states[0] == ("0", "1", "2")


def test_no_roles_are_none():
    assert cp.learn(X, "eqfreq3", discrete=None, continuous=None).score == cp.learn(X, "eqfreq3").score


@pytest.mark.parametrize(
    ("output", "line"), [("no/such/m.bif", "there is no folder"), ("d.json", "is the file of the data")]
)
def test_an_output_is_checked_before_anything_is_read(tmp_path, capsys, output, line):
    (tmp_path / "d.json").write_text("a,b\n")
    assert main(["learn", str(tmp_path / "d.json"), "-o", str(tmp_path / output)]) == 1
    assert line in capsys.readouterr().err


def test_names_do_not_control_the_terminal(tmp_path, capsys):
    path = tmp_path / "d\x1b[31m.csv"
    of_states(RNG.normal(size=200)).to_csv(path, index=False)
    assert main(["learn", str(path), "--method", "eqfreq3"]) == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert "d\\x1b[31m.csv" in output


def test_a_terminal_without_letters_loses_nothing(tmp_path):
    of_states(RNG.normal(size=200)).rename(columns={"a": "\U0001f600"}).to_csv(tmp_path / "d.csv", index=False)
    command = [sys.executable, "-m", "cutpoint", "learn", "d.csv", "--method", "eqfreq3", "-o", "m.bif"]
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=tmp_path, env=ascii_only, capture_output=True, check=True)
    assert b"\\U0001f600" in done.stdout
    assert (tmp_path / "m.bif").exists()

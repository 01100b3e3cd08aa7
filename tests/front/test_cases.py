"""Tables as people have them: what is made of them, and the one line that is said."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest

import cutpoint as cp
from cutpoint.cli import main
from cutpoint.data.times import dates_of, years_of
from cutpoint.models.fitting import MOST_CELLS
from cutpoint.models.page import render

RNG = np.random.default_rng(3)
GROUP = RNG.integers(1, 61, 600)
SOIL = RNG.normal(size=60).round(2)[GROUP - 1]
Y = (0.6 * SOIL + RNG.normal(size=600)).round(2)
RADON = {"soil": SOIL, "y": Y, "z": (Y + RNG.normal(size=600)).round(2)}
COUNTS = pd.DataFrame([*product("fm", ["old", "young"], "abcd")], columns=["sex", "age", "kind"])
WHOLE = np.sort(RNG.choice(900, 60, replace=False))


def weak_effects():
    """Return six inputs of falling strength, and what they make."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({f"x{i}": rng.normal(0, 1, 400).round(2) for i in range(6)})
    y = sum(weight * frame[f"x{i}"] for i, weight in enumerate((1, 0.8, 0.5, 0.4, 0.35, 0.3)))
    return frame.assign(y=(y + rng.normal(0, 0.8, 400)).round(2))


def districts():
    """Return 150 districts of a town, whose columns nearly all follow how central they are."""
    rng = np.random.default_rng(6)
    central = rng.normal(size=150)

    def follows(weight, noise):
        return weight * central + noise * rng.normal(size=150)

    rooms, status = follows(-0.2, 0.6), follows(0.4, 0.3)
    columns = {"crime": np.exp(follows(1.2, 0.7)), "zones": np.maximum(follows(-15, 15), 0).round(), "rooms": rooms}
    columns |= {"industry": follows(5, 2), "nox": follows(0.08, 0.03), "age": np.clip(follows(20, 15), -60, 35)}
    columns |= {"distance": np.exp(follows(-0.4, 0.15)), "roads": np.digitize(follows(1, 0.3), [-1, -0.5, 0, 0.5, 1])}
    columns |= {"tax": follows(120, 40).round(), "pupils": follows(1.2, 1.5), "status": np.exp(status)}
    return pd.DataFrame(columns).assign(y=5 * rooms - 8 * status + rng.normal(0, 2, 150)).round(4)


def shops():
    """Return 400 shops whose sales follow prices strongly, shelves too, and seven other columns weakly or not."""
    rng = np.random.default_rng(7)
    rival = rng.normal(125, 15, 400).round()
    numbers = {"price": (0.9 * rival + rng.normal(0, 18, 400)).round(), "income": rng.integers(21, 120, 400)}
    numbers |= {
        "people": rng.integers(10, 510, 400),
        "age": rng.integers(25, 81, 400),
        "school": rng.integers(10, 19, 400),
    }
    frame = pd.DataFrame({"rival": rival} | numbers).assign(adverts=np.maximum(rng.normal(5, 7, 400), 0).round())
    weights = {"rival": 0.09, "price": -0.095, "income": 0.016, "age": -0.046, "adverts": 0.12}
    sales = sum(weight * frame[name] for name, weight in weights.items())
    shelf = rng.integers(3, size=400)
    places = {"shelf": np.array(["bad", "medium", "good"])[shelf], "town": rng.choice(["no", "yes"], 400)}
    return frame.assign(**places, y=(sales + 2.4 * shelf + rng.normal(size=400)).round(2))


@pytest.mark.parametrize("table", [weak_effects, districts, shops])
def test_edges_act_in_a_network_that_can_be_fitted(table):
    """Effects that levels alone cannot show; the tables of the network are not too large."""
    frame, target = table(), "y"
    learned = cp.learn(frame)
    model = learned.fit(frame)
    assert max(table.size for table in model.network.tables) <= MOST_CELLS
    assert all(learned.thresholds[learned.variables.index(one)].size for edge in learned.edges() for one in edge[:2])
    joined = {one for edge in learned.edges() for one in edge[:2] if target in edge[:2]} - {target}
    assert joined
    for one in joined:
        low, high = model.predict(pd.DataFrame({one: [frame[one].min(), frame[one].max()]}), target)
        assert low != high


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        (RADON | {"code": GROUP}, "left out: code, a code of persons, places or the like, as 60 values of it fix soil"),
        (RADON | {"county": [f"C{k}" for k in GROUP]}, "--discrete county keeps it"),
        (RADON | {"plz": [f"{k * 1601:05}" for k in GROUP]}, "left out: plz, a code"),
        (RADON | {"rownames": RNG.permutation(600)}, "left out: the first column, rownames, which names the rows"),
        (RADON | {"": [f"car {k}" for k in range(600)]}, "left out: the first column, which has no name and names"),
        ({"record": WHOLE, "x": RNG.normal(size=60), "y": RNG.normal(size=60)}, "record: looks like an identifier, by"),
        ({"no": range(60), "x": RNG.normal(size=60), "y": RNG.normal(size=60)}, "column no: looks like a row number"),
    ],
)
def test_codes_take_no_part_and_one_line_says_so(tmp_path, capsys, columns, line):
    first = [name for name in columns if name in ("", "rownames")]
    frame = pd.DataFrame(columns)[[*first, *(name for name in columns if name not in first)]]
    frame.to_csv(tmp_path / "a.csv", index=False)
    main(["learn", str(tmp_path / "a.csv")])
    said = capsys.readouterr()
    assert line in said.out + said.err
    if "soil" in columns:
        learned = cp.learn(pd.DataFrame(RADON))
        assert cp.learn(cp.read_data(tmp_path / "a.csv")).edges() == learned.edges()
        shared = [edge for edge in cp.learn(frame).edges() if {*edge[:2]} <= {*RADON}]
        assert [{*edge[:2]} for edge in shared] == [{*edge[:2]} for edge in learned.edges()]
        assert cp.fit(frame, "eqfreq3").predict(frame, "y").shape == (600,)
        known = cp.learn(frame, "steck3", knowledge=cp.Knowledge(required=["y -> z"]))
        assert {name for edge in known.edges() for name in edge[:2]} <= {*RADON}
        assert {*known.knowledge.plain()} == {"required"}  # nothing that nobody said


def test_a_code_that_is_asked_for_takes_part(tmp_path):
    frame = pd.DataFrame(RADON | {"code": GROUP})
    frame.to_csv(tmp_path / "a.csv", index=False)
    for learned in (
        cp.learn(frame, "eqfreq3", continuous=["code"]),
        cp.learn(cp.read_data(tmp_path / "a.csv", continuous=["code"]), "eqfreq3"),
        cp.learn(frame, "eqfreq3", knowledge=cp.Knowledge(required=["code -> y"])),
    ):
        assert any("code" in edge[:2] for edge in learned.edges())


@pytest.mark.parametrize(
    ("name", "x"),
    [("year", np.arange(1960, 2010)), ("distance", np.arange(18, 68)), ("age", RNG.integers(20, 70, 200))],
)
def test_what_is_no_code_stays(tmp_path, name, x):
    """Neither what rises by one from another start than 0 or 1, nor a whole number whose square stands beside it."""
    frame = pd.DataFrame({name: x, "square": x**2, "y": x + RNG.normal(0, 9, len(x))})
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert name in cp.read_data(tmp_path / "a.csv").variables


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        (np.where(np.arange(1200) % 12, RNG.normal(40, 9, 1200), -999), "c has -999 in 100 records, far from"),
        (["Yes", "No", "yes"] * 400, "spellings: c has 'Yes' in 400 records and 'yes' in 400"),
        (["male", "female"] * 590 + ["femal"] * 20, "spellings: c has 'femal' in 20 records and 'female' in 590"),
        (["red", "blue"] * 599 + ["pink", "mauve"], "c has 'mauve' and 1 more, each in 1 of 1,200 records"),
        (["male", "female"] * 600, ""),
        (19770201 + np.arange(1200) % 28, "dates as numbers: c, as 19770201. Write 1977-02-01"),
        (["tropical storm", "wave"] * 590 + ["subtropical storm"] * 20, ""),
        (np.where(np.arange(1200) % 12, RNG.normal(40, 90, 1200).round(), 99), ""),
    ],
)
def test_slips_are_said(cells, line):
    frame = pd.DataFrame({"c": cells, "x": RNG.normal(size=1200), "y": RNG.normal(size=1200)})
    kinds = ("marks of missing cells", "spellings", "rare states", "dates as numbers")
    said = [each for each in cp.learn(frame, "eqfreq3").warnings if each.startswith(kinds)]
    assert (line in said[0]) if line else said == []


def test_numbers_named_as_codes_are_said():
    frame = pd.DataFrame({name: RNG.integers(1, 90, 400) for name in ("fid", "paid", "x")})
    said = [each[:28] for each in cp.learn(frame, "eqfreq3").warnings if "named as codes" in each]
    assert said == ["numbers named as codes: fid."]


def test_a_table_of_counts_is_that_of_its_records(tmp_path):
    table = COUNTS.assign(Freq=RNG.integers(0, 90, 16) + 60 * (COUNTS.sex == "f") * (COUNTS.age == "old"))
    table.to_csv(tmp_path / "a.csv", index=False)
    weighted = cp.read_data(tmp_path / "a.csv", weights="Freq")
    whole = table.loc[table.index.repeat(table.Freq)].drop(columns="Freq")
    assert weighted.notes == (f"Freq says how often each row counts: {len(whole):,} records in all",)
    assert cp.learn(weighted).edges() == cp.learn(whole[sorted(whole)]).edges() != []
    counted, repeated = (" ".join(cp.learn(each).warnings) for each in (table, weighted))
    assert ("--weights NAME" in counted, "rows" in repeated) == (True, False)


def test_times_are_cut_by_thresholds_and_shown_as_dates(tmp_path, capsys):
    """Dates of a panel in every form that is sure, and a model that reads the frame which it was learned from."""
    days = pd.date_range("2020-01-01", periods=150, freq="3D")
    frame = pd.DataFrame({"date": days.repeat(4), "price": 0.05 * np.arange(600) + RNG.normal(size=600)})
    for written in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d %H:%M:%S"):
        frame.to_csv(tmp_path / "a.csv", index=False, date_format=written)
        table = cp.read_data(tmp_path / "a.csv")
        assert table.types[0] == "date: continuous (times, 150 different)"
        np.testing.assert_array_equal(cp.encode(frame, cp.discretize(table, "equal_width", bins=9))[::68, 0], range(9))
    model = cp.fit(frame, "steck3")
    assert model.query("price", {"date": days[0]}) == model.query("price", {"date": "1.1.2020"})
    cuts = [label.split("_")[1] for label in model.network.states[0][1:]]
    np.testing.assert_array_equal(np.searchsorted(cuts, days.astype(str), side="right"), model.encode(frame)[::4, 0])
    assert f"≥ {cuts[-1]}" in render(model, "dates")
    main(["learn", str(tmp_path / "a.csv"), "--method", "steck3", "--json"])
    assert json.loads(capsys.readouterr().out)["thresholds"]["date"] == cuts
    assert dates_of(years_of(["2024-02-29 08:30:00", "2024-02-29 08:31:00"])) == [
        "2024-02-29 08:30",
        "2024-02-29 08:31",
    ]


def test_numbers_carry_no_noise(tmp_path, capsys):
    x = np.array([7.18, 7.19, 0.1 + 0.2, 0.3])[np.arange(400) % 4]
    frame = pd.DataFrame({"x": x, "y": x + RNG.normal(size=400), "z": np.where(x < 1, x, 7.0)})
    frame.to_csv(tmp_path / "a.csv", index=False)
    main(["learn", str(tmp_path / "a.csv"), "--method", "eqfreq3", "--discrete", "z", "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert printed["states"] == {"z": ["0.3", "7"]}
    assert all(len(repr(cut)) < 18 for cuts in printed["thresholds"].values() for cut in cuts)


def test_lines_that_other_programs_write(tmp_path):
    """Benchpress has the numbers of categories in line 2; R may put single quotes round names."""
    codes = [f"{k % 2},{k // 2 % 2},{k % 3}" for k in range(60)]
    (tmp_path / "a.csv").write_text("\n".join(["a,b,c", "2,2,3", *codes]))
    table = cp.read_data(tmp_path / "a.csv")
    assert (len(table), table.levels["c"]) == (60, ("0", "1", "2"))
    assert table.notes == ("line 2 is left out: it has the numbers of categories",)
    (tmp_path / "a.txt").write_text("\n".join(["'a' 'b'", *(f"{x} {y}" for x, y in zip(SOIL, Y, strict=True))]))
    assert cp.read_data(tmp_path / "a.txt").variables == ("a", "b")


def test_an_edge_of_equal_widths_is_the_number_that_it_is():
    x = np.round(np.linspace(0, 1, 101), 2)
    assert cp.discretize(x, "equal_width", bins=5).tolist() == [0.2, 0.4, 0.6, 0.8]
    cuts = cp.discretize(x, "equal_width", bins=10)
    assert np.bincount(np.searchsorted(cuts, x, side="right")).tolist() == [*[10] * 9, 11]


def test_a_network_in_another_encoding_is_refused_in_one_line(tmp_path):
    cp.write_network(cp.network("asia"), tmp_path / "a.bif")
    (tmp_path / "b.bif").write_bytes((tmp_path / "a.bif").read_text().replace("asia", "亚洲").encode("gb18030"))
    with pytest.raises(cp.InputError, match="UTF-8"):
        cp.read_network(tmp_path / "b.bif")

"""A user's own file in place of a real data set, and a mirror: what is wrong with them is one line."""

from pathlib import Path

import pytest
from script_tools import script
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet
from cutpoint.data.registry import make_entry

ENTRIES = read_yaml(ROOT / "config" / "datasets.yaml")


def make(name, folder: Path, **options):
    """Make the table of a data set as its job does, and return its file."""
    output = folder / f"{name}.parquet"
    script("dataset").make(make_entry(name, ENTRIES[name], source="config/datasets.yaml"), output, **options)
    return output


def sheet(change):
    rows = [[str((7 * r + 3 * c) % 11 + r / 7) for c in range(32)] for r in range(320)]
    change(rows)
    return "\n".join([",".join(f"g{c}" for c in range(32)), *map(",".join, rows)])


def test_a_bad_file_of_ones_own_is_named(tmp_path):
    """tests/golden/errors/contents.csv has what else may be wrong with a file."""
    (tmp_path / "narrow.csv").write_text(sheet(lambda rows: rows[9].pop()))
    with pytest.raises(InputError, match=r"narrow.csv, line 11: 31 columns where 32 are expected"):
        make("hartemink", tmp_path, user_file=str(tmp_path / "narrow.csv"))
    assert not (tmp_path / "hartemink.parquet").exists()


def test_a_good_file_of_ones_own_is_taken(tmp_path):
    (tmp_path / "good.csv").write_text(sheet(lambda rows: None))
    made = make("hartemink", tmp_path, user_file=str(tmp_path / "good.csv"))
    assert parquet.open_data(made).read(0).values.shape == (320, 32)


def test_a_mirror_with_another_file_is_named(tmp_path):
    (tmp_path / "abalone.data").write_text("M,1\n")
    with pytest.raises(InputError, match=r"abalone.data: wrong checksum: expected sha256 de37cdcd"):
        make("abalone", tmp_path, mirror=str(tmp_path))
    assert not (tmp_path / "abalone.parquet").exists()

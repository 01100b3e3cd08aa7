"""Rows of other programs on a collider, in their environments, as their rules run them; skipped where there is none."""

import numpy as np
import pytest
from environments import FILES, ROOT
from script_tools import script

from cutpoint.bench.data import parquet
from cutpoint.bench.runs import environments, functions
from cutpoint.method.rows import load_methods

ABOUT = {"label", "category", "rule", "note", "studies"}
ROWS = {
    "bnlearn-port": ["bnlearn_port_hartemink", "bnlearn_port_bge", "bnlearn_port_cg"],
    "tetrad": ["tetrad_boss_basis", "tetrad_boss_dg", "tetrad_fges_dg"],
    "pybnesian": ["pybnesian_spbn"],
    "flop": ["flop"],
    "sortnregress": ["sortnregress_var"],
}
DENSE = {"tetrad_boss_basis"}  # powers of the effect depend on products of the causes, which it takes for an edge
TRUE = {("cause", "effect"), ("code", "effect")}
COLUMNS = ["cause", "code", "effect", "same"]


def collider(discrete, records=1000):
    """Return cause -> effect <- code, and a column with one value; `code` has codes where it is to be discrete."""
    rng = np.random.default_rng(4)
    cause, code = rng.standard_normal((2, records))
    code = np.digitize(code, [-0.4, 0.4]) * 1.0 if discrete else code
    return np.column_stack([cause, code, cause + code + rng.standard_normal(records), np.ones(records)])


@pytest.mark.parametrize("name", ROWS)
def test_a_collider_comes_back(name, tmp_path):
    rows = load_methods(ROOT / "config" / "methods.yaml")
    options = {row: {key: rows[row][key] for key in rows[row].keys() - ABOUT} for row in ROWS[name]}
    (rule,) = {rows[row]["rule"] for row in ROWS[name]}
    kinds = {"numbers": [], "mixed": ["code"]}
    parts = [parquet.Part(COLUMNS, [(0, collider(d))], discrete=d, about={"cell": kind}) for kind, d in kinds.items()]
    parquet.write_parts(tmp_path / "data.parquet", parts)
    methods = {row: (str(ROOT / f"scripts/methods/{rule}.py"), each) for row, each in options.items()}
    todo = functions.FunctionRuns(methods, {}, str(tmp_path / "data.parquet"), [], 120.0, 4000.0, ours=True)
    if reason := environments.make(FILES[name], tmp_path / name):
        pytest.skip(reason)
    results = script("function").run_apart(todo, str(tmp_path / name), str(tmp_path))
    for run in results.runs:
        assert (run["status"], run["message"]) == ("ok", "")
        edges = [e for e in results.edges if (e["method"], e["cell"]) == (run["method"], run["cell"])]
        pairs = {(e["source"], e["target"]) for e in edges}
        assert (pairs >= TRUE) if run["method"] in DENSE else (pairs == TRUE), run
        assert all(e["directed"] for e in edges) or run["method"] in DENSE, run
        assert run["learn_seconds"] >= 0
    assert len(results.runs) == 2 * len(methods)
    assert {t["method"] for t in results.thresholds} <= {"bnlearn_port_hartemink"}

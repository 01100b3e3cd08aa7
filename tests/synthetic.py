"""Metrics made up from the printed tables of Fu 2005, with or without noise, for the tests of studies."""

import csv
from itertools import product

import numpy as np
import pandas as pd

from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.data.schemas import METRICS
from cutpoint.bench.engine.declaration import declared, printed_files
from cutpoint.bench.engine.inputs import Data, Inputs, MethodLabel, typed
from cutpoint.bench.engine.tables import make_table
from cutpoint.networks.network import network

NETWORKS = {"alarm": 46, "child": 25, "hailfinder": 66, "insurance": 52}
SIZES = (500, 1000, 5000)
SETS = ("abalone", "australian", "breast", "cars1", "cleve", "heart", "housing", "pima", "vehicle")
LABELS = {
    "prediscretization": {
        "eqfreq2": "Eqfreq2", "eqfreq3": "Eqfreq3", "eqwidth2": "Eqwidth2", "eqwidth3": "Eqwidth3",
        "hartemink": "Hartemink",
    },
    "integrated": {
        "friedman2": "Friedman2", "friedman3": "Friedman3", "monti2": "Monti2", "monti3": "Monti3",
        "steck2": "Steck2", "steck3": "Steck3",
    },
    "direct": {"bach": "Bach", "pc_fisherz": "PC-FisherZ", "tetrad_pc": "Tetrad-PC"},
}  # fmt: skip
METHODS = [MethodLabel(name, label, kind) for kind, rows in LABELS.items() for name, label in rows.items()]
NUMBERS = (
    "n", "sigma", "replicate", "seconds", "score_calls", "discretization_calls", "shd_fu2005", "shd_standard",
    "extra", "missing", "true_edges", "kgv_gain", "extension_exact", "f1_pattern", "parent_aid", "ancestor_aid",
)  # fmt: skip


def published(study="fu2005"):
    tables = {}
    for path in printed_files(study):
        with path.open() as file:
            tables[path.stem.removeprefix(f"{study}_")] = list(csv.DictReader(file))
    return tables


def printed(tables, name):
    key, *_ = tables[name][0]
    return {r[key]: {k: float(v) for k, v in r.items() if k != key and v} for r in tables[name]}


def family(name):
    base = name.rstrip("23")
    return base if base != name else name


class Maker:
    """Rows of metrics from printed ratios; `jitter` is the standard deviation of log noise per run."""

    def __init__(self, seed=0, jitter=0.0):
        self.rng = np.random.default_rng(seed)
        self.jitter = jitter
        tables = published()
        names = {"shd": "V-4_shd", "time": "V-5_time", "calls": "V-6_calls", "cuts": "V-7_discretization_calls"}
        names |= {"edges": "V-9_edges", "real": "V-11_real", "realcuts": "V-12_real_integrated"}
        self.tables = {key: printed(tables, f"table_{name}") for key, name in names.items()}
        self.rows = []

    def noise(self):
        return float(np.exp(self.jitter * self.rng.standard_normal()))

    def simulated(self, replicates=5, sizes=SIZES, methods=METHODS, networks=NETWORKS):
        for (w, edges), n, r in product(networks.items(), sizes, range(replicates)):
            base = edges * 1.5 * (500 / n) ** 0.2 * self.noise()
            self.rows += [self.one(m.name, w, n, r, base) for m in methods]
        return self

    def ratio(self, table, method, n):
        return self.tables[table].get(method, {}).get(f"n{n}", np.nan)

    def one(self, method, w, n, r, base, **more):
        shd = self.ratio("shd", method, n) * base * self.noise()
        cuts = self.ratio("cuts", method, n)
        shares = self.tables["edges"].get(family(method), {})
        wrong, pattern = shd / (shd + 2 * NETWORKS[w]), method in ("pc_fisherz", "tetrad_pc")
        aid = None if pattern and r % 2 else wrong * (0.8 if pattern or method == "monti3" else 1)
        return {
            "study": "fu2005", "grid": "simulated", "cell": f"{w}_{n}", "network": w, "n": n, "sigma": 0.35,
            "replicate": r, "method": method, "status": "ok", "shd_fu2005": shd, "shd_standard": 0.7 * shd,
            "seconds": self.ratio("time", method, n) * 0.02 * NETWORKS[w] * n / 500 * self.noise(),
            "score_calls": self.ratio("calls", method, n) * 1000 * self.noise(),
            "discretization_calls": cuts * 1e5 * self.noise(), "true_edges": NETWORKS[w],
            "extra": shares.get(f"{w}_extraneous", np.nan) * NETWORKS[w] * self.noise(),
            "missing": shares.get(f"{w}_missing", np.nan) * NETWORKS[w] * self.noise(), "f1_pattern": 1 - wrong,
            "parent_aid": aid, "ancestor_aid": aid, "extension_exact": aid is not None, **more,
        }  # fmt: skip

    def sigma(self, replicates=5):
        for (w, edges), n, s, r in product(NETWORKS.items(), SIZES, (0.30, 0.40), range(replicates)):
            base = edges * 1.5 * (500 / n) ** 0.2 * (1 + 3 * (s - 0.35)) * self.noise()
            names = ("eqwidth3", "monti3", "bach")
            self.rows += [self.one(name, w, n, r, base, grid="sigma", sigma=s) for name in names]
        return self

    def orders(self, replicates=2):
        """Add runs with the columns in other orders, of which the reversed one is the worst."""
        fixed = {"declared": 0.95, "alphabetical": 1.0, "topological": 0.9, "reversed": 1.15}
        runs = product(NETWORKS.items(), SIZES, METHODS, fixed.items(), range(replicates))
        for (w, edges), n, m, (noise, factor), r in runs:
            base = edges * 1.5 * (500 / n) ** 0.2
            self.rows.append(self.one(m.name, w, n, r, base * factor, grid="fixed_orders", noise=noise))
        return self

    def real(self, sets=SETS):
        for d in sets:
            scale = self.noise()
            for m in METHODS:
                row = self.tables["real"][m.name]
                cuts = self.tables["realcuts"].get(m.name, {}).get("discretization_calls", np.nan)
                pattern = m.name in ("pc_fisherz", "tetrad_pc")
                self.rows.append({
                    "kind": "pdag" if pattern else "dag", "extension_exact": d != sets[0] if pattern else True,
                    "study": "fu2005", "grid": "real", "cell": d, "dataset": d, "n": 300, "replicate": 0,
                    "method": m.name, "status": "ok", "kgv_gain": 200 * row["score"] * scale * self.noise(),
                    "seconds": 0.1 * row["time"] * self.noise(), 
                    "discretization_calls": 1e4 * cuts * self.noise(),
                    "score_calls": 500 * row.get("calls", np.nan) * self.noise(),
                })  # fmt: skip
        return self

    def fail(self, which, status="timeout", message=""):
        for row in self.rows:
            if which(row):
                row.update({k: None for k in NUMBERS[3:]}, status=status, message=message)
        return self

    def metrics(self):
        return results(self.rows)


def results(rows, schema=METRICS):
    """Return rows as `read_inputs` makes them, null where they say nothing."""
    return typed(pd.DataFrame(rows, columns=schema.names, dtype=object))


def of_study(name, runs=(), methods=(), replicates=0, scale="published", seed=1, **parts):
    """Inputs of a study; what is not given is empty, but for what is printed."""
    usual = {"networks": {}, "datasets": {}, "published": published(name)} | parts
    return Inputs(declared(name), results(runs), methods=methods, scale=RunScale(scale, seed, replicates), **usual)


def cell(table, key, column):
    """Return a cell of the one row of a table that has a key."""
    (row,) = [row for row in table.rows if row.key == key]
    return row.cells[table.columns.index(column)]


def cells(table, key):
    """Return the cells of the one row of a table that has a key, by the heads of the columns."""
    return {column: cell(table, key, column) for column in table.columns}


def cells_of(inputs, name):
    """Return the cells of a table by the key of the row and the head of the column."""
    table = make_table(inputs, name)
    return {(row.key, head): cell for row in table.rows for head, cell in zip(table.columns, row.cells, strict=True)}


def lost(message):
    """Return a data set that cannot be had."""
    return Data("hartemink", (), np.empty((0, 0)), np.empty(0, bool), status="unavailable", message=message)


def data(name="cars1", seed=0):
    rng = np.random.default_rng(seed)
    weight = rng.uniform(1600, 5200, 200)
    mpg = 46 - 0.008 * weight + rng.normal(0, 3, 200)
    columns = np.column_stack([rng.normal(15, 2, 200), mpg, rng.integers(0, 3, 200), weight])
    names = ("acceleration", "mpg", "origin", "weight")
    return Data(name, names, columns, np.array([False, False, True, False]), target="mpg", uncounted=("acceleration",))


def inputs(maker, *, methods=METHODS, replicates=5, scale="published", networks=tuple(NETWORKS)):
    parts = {"networks": {name: network(name) for name in networks}}
    parts["datasets"] = {"cars1": data(), "hartemink": lost("not public")}
    return of_study("fu2005", maker.rows, methods, replicates, scale, **parts)

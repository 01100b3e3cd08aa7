"""What a finished run of all studies has found, as rows, without what is measured and differs between two runs."""

import csv
import re
from collections import defaultdict

from cutpoint.bench.data.parquet import open_parts, read_records, read_table
from cutpoint.bench.data.schemas import EDGE_SHARES, EDGES, HELD_OUT, MEASURED, METRICS, PREDICTIONS, THRESHOLDS

RUN = ("grid", "cell", "replicate", "method")
# Tables of nothing but time, and words in the keys or columns of others that are about it. What is printed and how
# many runs there were is compared all the same.
TIMED = {
    "fu2005": {"table_V-5", "table_V-8", "table_cost"},
    "growth": {"table_exponents"},
    "mabrouk2015": {"table_1", "table_cost"},
    "steck2007": {"table_cost"},
}
TIME = re.compile(r"\b(time|seconds|V-5|V-8|table 1)\b", re.IGNORECASE)
# What is kept of a table; the keys of its columns and the marks are those of synthetic runs.
COLUMNS = (
    *("label", "category", "column", "published", "reproduced", "low", "high", "coverage", "runs", "runs_expected"),
    *("note", "scale", "seed", "replicates"),
)
WORDS = {"published": "published_text", "reproduced": "text"}
CHANCE = ("reproduced", "low", "high", "coverage", "note")
ADDRESS = re.compile(r"(https?:|not in mirror).*")  # where a data set was looked for in vain


def studies(results):
    return sorted(path.parent.name for path in results.glob("*/claims.csv"))


def plain(row):
    return {name: value for name, value in row.items() if name not in MEASURED}


def records(path, schema):
    return [plain(row) for row in read_records(path, schema)[0]] if path.exists() else []


def without_addresses(row):
    return {name: ADDRESS.sub("...", value) if isinstance(value, str) else value for name, value in row.items()}


def varied(rows):
    """Rows in an order of their own, without the columns that are empty in all of them."""
    full = [name for name in dict.fromkeys(n for row in rows for n in row) if any(r[name] is not None for r in rows)]
    return sorted(({name: row[name] for name in full} for row in rows), key=repr)


def measured_rows(results, study):
    """The files of a whole study: name and rows."""
    folder = results / study
    schemas = {"metrics": METRICS, "predictions": PREDICTIONS, "held_out": HELD_OUT, "edges": EDGE_SHARES}
    for name, schema in schemas.items():
        if rows := records(folder / f"{name}.parquet", schema):
            yield name, varied(rows)
    for path in sorted((folder / "experiments").glob("*.parquet")):
        table = read_table(path)[0]
        table = table.drop_columns([name for name in ("seconds", "peak_mb") if name in table.column_names])
        rows = [{"row": i, **without_addresses(row)} for i, row in enumerate(table.to_pylist())]
        yield f"experiment_{path.stem}", rows


def learned_rows(results, study):
    """The graph and the thresholds of every run, a row for each."""
    runs = defaultdict(lambda: {"edges": [], "thresholds": defaultdict(list)})
    files = [part for path in (results / study).glob("*/*/values.parquet") for part in open_parts(path)]
    variables = {(file.metadata["cell"], r): file.variables_of(r) for file in files for r in file.replicates}
    for path in sorted((results / study).glob("*/*/metrics.parquet")):  # of a batch
        grids = defaultdict(list)  # that have a run
        for row in (row for row in records(path, METRICS) if row["status"] == "ok"):
            grids[tuple(row[name] for name in RUN[1:])].append(row["grid"])
            runs[tuple(row[name] for name in RUN)]  # a graph without edges leaves no other trace
        _gather(path.parent, grids, runs, variables)
    for key in sorted(runs, key=repr):
        cuts = runs[key]["thresholds"]
        yield {
            **dict(zip(RUN, key, strict=True)),
            "edges": " ".join(sorted(set(runs[key]["edges"]))),
            "thresholds": "; ".join(f"{name}: {' '.join(_by_position(cuts[name]))}" for name in sorted(cuts)),
        }


def _gather(folder, grids, runs, variables):
    for path in sorted(folder.glob("learned/*/edges.parquet")):
        for row in records(path, EDGES):
            arrow = "->" if row["directed"] else "--"
            names = variables[row["cell"], row["replicate"]]
            ends = names[row["source"]], names[row["target"]]
            for run in _runs(runs, grids, row):
                run["edges"].append(arrow.join(ends if row["directed"] else sorted(ends)))
    for path in sorted(folder.glob("learned/*/thresholds.parquet")):
        for row in records(path, THRESHOLDS):
            name = variables[row["cell"], row["replicate"]][row["variable"]]
            for run in _runs(runs, grids, row):
                run["thresholds"][name].append((row["position"], row["threshold"]))


def _runs(runs, grids, row):
    key = tuple(row[name] for name in RUN[1:])
    return [runs[grid, *key] for grid in grids[key]]


def _by_position(cuts):
    return [f"{threshold:.9g}" for _, threshold in sorted(set(cuts), key=repr)]


def table_rows(results, study):
    """The cells of all tables; those about time without what was measured."""
    for path in sorted((results / study / "tables").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            key = reader.fieldnames[0]
            for row in reader:
                about = f"{row[key]} {row['label']} {row['column']}".replace("_", " ")
                timed = path.stem in TIMED.get(study, ()) or TIME.search(about)
                row |= {name: row[name] or row[words] for name, words in WORDS.items()}
                row |= dict.fromkeys(CHANCE, "") if timed else {"note": ADDRESS.sub("...", row["note"])}
                yield {"table": path.stem, "key": key, "row": row.pop(key)} | {name: row[name] for name in COLUMNS}


def claim_rows(results, study):
    """The verdicts; of claims about time or calls only what is said and of what."""
    with (results / study / "claims.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            timed = row["implementation"] == "true" or row["artefact"] in TIMED.get(study, ())
            yield row | (dict.fromkeys(("verdict", "share", "numbers", "note"), "") if timed else {})

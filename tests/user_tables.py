"""Tables as users have them, for tests of the user's data: mixed columns, an identifier, a missing cell."""

import numpy as np

from cutpoint.networks.network import Network

VARIABLES = ("doors", "electric", "make", "mpg", "weight")


def cars(rows=60):
    """Return a mixed table as columns of texts, its names out of order."""
    rng = np.random.default_rng(7)
    weight = rng.normal(1200, 250, rows)
    return {
        "weight": [f"{x:.1f}" for x in weight],
        "make": [["volvo", "saab", "kia"][k] for k in rng.integers(3, size=rows)],
        "doors": [str(k) for k in 2 + rng.integers(3, size=rows)],
        "mpg": [f"{60 - x / 40 + e:.2f}" for x, e in zip(weight, rng.normal(0, 2, rows), strict=True)],
        "electric": [str(k) for k in rng.integers(2, size=rows)],
    }


def text(table, separator=","):
    lines = [separator.join(table), *(separator.join(row) for row in zip(*table.values(), strict=True))]
    return "\n".join(lines) + "\n"


def write(folder, content, name="cars.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def table():
    """Return a mixed table with an identifier and a missing cell."""
    columns = {"serial": [f"no{i}" for i in range(80)], **cars(80)}
    columns["mpg"][11] = "NA"
    return columns


def truth():
    """Return a network whose variables are the columns; its one arc goes from weight to mpg."""
    half = np.full(2, 0.5)
    tables = (half, half, half, np.array([[0.9, 0.1], [0.2, 0.8]]), half)
    return Network("cars", VARIABLES, (("a", "b"),) * 5, ((), (), (), (4,), ()), tables)


def changed(**columns):
    cells = cars()
    for name, change in columns.items():
        cells[name] = change(cells[name])
    return text(cells)


def put(line, cell):
    """Return a change of the cell on a line of the file."""
    return lambda cells: [*cells[: line - 2], cell, *cells[line - 1 :]]


GOOD = text(cars())
LINES = GOOD.splitlines()
# Files and the roles of their columns that are refused; tests/golden/errors/own_files.csv has what is said, in order.
FAULTS = [
    ("\n".join(LINES[1:]).replace("volvo", "1").replace("saab", "2").replace("kia", "3"), {}),
    (GOOD.replace("mpg", "make", 1), {}),
    (GOOD.replace("mpg", "", 1), {}),
    ("\n".join([*LINES[:5], "1,2", *LINES[5:]]), {}),
    ("\n".join([*LINES[:5], LINES[5] + ",9", *LINES[5:]]), {}),
    (GOOD.encode() + b"caf\xe9,1,1,1,1\n", {}),
    (b"PK\x03\x04" + bytes(40), {}),
    (b"PAR1" + bytes(40), {}),
    (b"ARROW1" + bytes(40), {}),
    ("", {}),
    (LINES[0] + "\n\n", {}),
    ("\n".join(LINES[:9]), {}),
    (GOOD, {"drop": ["makes"]}),
    (GOOD, {"discrete": ["mpg"], "drop": ["mpg"]}),
    (GOOD, {"drop": ["mpg", "make", "doors", "weight"]}),
    (GOOD, {"continuous": ["make"]}),
    (changed(mpg=put(7, "high")), {}),
    (changed(mpg=put(7, "high")), {"continuous": ["mpg"]}),
    (changed(mpg=put(9, "inf")), {}),
    (changed(electric=put(9, "inf")), {"discrete": ["electric"]}),
    (changed(mpg=lambda _: ["5.0"] * 60), {}),
    (changed(mpg=lambda _: ["NA"] * 60), {"missing": "drop"}),
    (changed(make=lambda _: [f"no{i}" for i in range(60)]), {}),
    (changed(make=lambda _: [f"no{i % 40}" for i in range(60)]), {}),
    (GOOD, {"discrete": ["weight"]}),
    (changed(mpg=lambda _: [str(i) for i in range(60)]), {}),
]
DATE, HEIGHT = "Datum der Aufnahme", 'height, "raw" [m]'


def spoiled():
    """Five columns that cannot be used, one that is declared, and gaps that make one of them constant."""
    table = cars()
    table[DATE] = [f"2020-01-{k:02}" for k in range(60)]
    table["serial"] = [str(k) for k in range(60)]
    table[HEIGHT] = ["1.5"] * 60
    table["mpg"][7] = "high"
    table["weight"][2] = table["make"][3] = table["make"][4] = "NA"
    table["rare"] = ["a", "a", "a", "b", "b", *["a"] * 55]  # b only where make is missing
    return table

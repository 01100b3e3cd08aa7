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
    found = {"serial": [f"no{i}" for i in range(80)], **cars(80)}
    found["mpg"][11] = "NA"
    return found


def truth():
    """Return a network whose variables are the columns; its one arc goes from weight to mpg."""
    half = np.full(2, 0.5)
    tables = (half, half, half, np.array([[0.9, 0.1], [0.2, 0.8]]), half)
    return Network("cars", VARIABLES, (("a", "b"),) * 5, ((), (), (), (4,), ()), tables)

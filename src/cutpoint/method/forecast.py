"""What a method will take, said before it runs: CPU seconds and memory, by the numbers of records and of columns.

`forecast.csv` has for each method c, a and b of c (N / 1000)^a (n / 100)^b seconds and how many numbers it holds for
each cell of the data and for each pair of columns, as `benchmarks/forecast.py` fits them to runs on sparse lines. One
that goes another way with many columns has a line for each way, and no more records count than it looks at. What is
denser takes longer.
"""

import math
from pathlib import Path
from typing import NamedTuple

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed
from cutpoint.data.csv_files import read_csv
from cutpoint.data.table import memory

_FITTED = read_csv(Path(__file__).with_suffix(".csv"))
LINE = ("method", "from_columns", "most_records")  # columns of the file that say what a line is of,
FITTED = ("seconds", "by_records", "by_columns", "values", "pairs")  # and what was fitted
MOST_SECONDS = 7 * 86_400.0  # of a run that is begun
# Of data of which a method looks at a sample: CPU seconds for each cell, to rank and check it, and copies of it.
RANKING, COPIES = 1e-6, 8.0
PACKAGES = 250.0  # MB of Python and what is imported
_KINDS_OF_TIME = ((604_800.0, "weeks"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "seconds"))


class Expected(NamedTuple):
    """CPU seconds and megabytes of a run, right within a factor of two on sparse data."""

    seconds: float
    megabytes: float

    def __str__(self) -> str:
        unit, name = next((each for each in _KINDS_OF_TIME if self.seconds >= 2 * each[0]), _KINDS_OF_TIME[-1])
        return f"about {math.ceil(self.seconds / unit)} {name}, {self.megabytes / 1000:.1f} GB"

    @property
    def can_end(self) -> bool:
        """Return whether it fits into the memory of this machine and ends within a week."""
        return self.seconds <= MOST_SECONDS and 1e6 * self.megabytes <= memory()


def forecast(method: str, records: int, columns: int) -> Expected | None:
    """Return what a row of methods.yaml takes with its own options; None for one that was not measured."""
    rows = [row for row in _FITTED if row["method"] == method and columns >= int(row["from_columns"])]
    if not rows:
        return None
    seconds, by_records, by_columns, values, pairs = (float(rows[-1][key]) for key in FITTED)
    seen = min(records, float(rows[-1]["most_records"]))
    return Expected(
        seconds * (max(seen, 1) / 1000) ** by_records * (max(columns, 1) / 100) ** by_columns
        + RANKING * columns * (records - seen),
        PACKAGES + 8e-6 * columns * (values * seen + COPIES * (records - seen) + pairs * columns),
    )


def check_forecast(method: str, records: int, columns: int) -> None:
    """Raise InputError for a run that cannot end here, with the methods that can, the fastest first."""
    expected = forecast(method, records, columns)
    if expected is None or expected.can_end:
        return
    others = {row["method"]: forecast(row["method"], records, columns) for row in _FITTED}
    able = sorted((one.seconds, name, one) for name, one in others.items() if one is not None and one.can_end)
    instead = listed([f"{name} ({one})" for _, name, one in able[:3]]) if able else "no other method would either"
    raise InputError(
        f"{method}: {columns:,} columns of {records:,} records would take {expected}, more than a week or than the"
        f" memory here; what can end: {instead}. An option of the method begins it all the same"
    )

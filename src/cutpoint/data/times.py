"""Times as numbers: years with decimals, which are ordered and cut by thresholds; people see dates."""

import re
from collections.abc import Sequence
from datetime import datetime

import numpy as np

_CLOCK = r"(?:[ T](\d\d?:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(?:Z|UTC|[-+]\d\d:?\d\d))?)?"
_ORDERS = {  # of year, month and day, by how dates are written
    (0, 1, 2): re.compile(r"(\d{4})[-/](\d\d?)[-/](\d\d?)" + _CLOCK),
    (2, 1, 0): re.compile(r"(\d\d?)[./](\d\d?)[./](\d{4})" + _CLOCK),
    (2, 0, 1): re.compile(r"(\d\d?)/(\d\d?)/(\d{4})" + _CLOCK),
}
_OF_DAY = re.compile(r"(\d\d?):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?")
_SPAN = re.compile(r"(-?\d+) days?,?(?: \+?(\d\d?):(\d\d):(\d\d(?:\.\d+)?))?")


def times_of(texts: Sequence[str]) -> list[str] | None:
    """Return dates, with or without a time of day, as ``2021-01-07 08:30:00``, None where a text is none."""
    # of 3/4/2021 the order must follow from another date in the column
    found = [times for order in _ORDERS if (times := _in_order(texts, order))]
    return found[0] if len(found) == 1 or (found and found[0] == found[-1]) else None


def _in_order(texts: Sequence[str], order: tuple[int, int, int]) -> list[str]:
    """Return dates that are written in an order, none where a text is no such date."""
    times = []
    for text in texts:
        if not (match := _ORDERS[order].fullmatch(text)):
            return []
        year, month, day = (int(match[place + 1]) for place in order)
        try:
            time = datetime.fromisoformat(f"{year:04}-{month:02}-{day:02} {match[4] or '00:00':0>5}")
        except ValueError:
            return []
        times.append(written(time))
    return times


def written(time: datetime) -> str:
    """Return a time as text, without a time of day at midnight."""
    return time.replace(tzinfo=None).isoformat(" ").removesuffix(" 00:00:00")


def years_of(times: Sequence[str]) -> np.ndarray:
    """Return times as `times_of` writes them as years with decimals, float64: 2021-07-02 12:00 is 2021.5."""
    moments = np.array(times, "M8[us]")
    years = moments.astype("M8[Y]")
    start, end = years.astype("M8[us]"), (years + 1).astype("M8[us]")
    return years.astype(int) + 1970 + (moments - start) / (end - start)


def dates_of(years: np.ndarray) -> list[str]:
    """Return years with decimals, that rise, as days where all are at midnight or noon, else with minutes or more."""
    start = np.floor(years).astype(int)
    begin, end = ((start - 1970 + k).astype("M8[Y]").astype("M8[us]") for k in (0, 1))
    moments = begin + np.round((years - start) * (end - begin).astype(float)).astype("m8[us]")
    second, half = np.timedelta64(1_000_000, "us"), np.timedelta64(43_200_000_000, "us")
    past = (moments - moments.astype("M8[D]")) % half
    texts: list[str] = []
    if (np.minimum(past, half - past) < second).all():
        texts = [str(day) for day in (moments - second).astype("M8[D]") + 1]
    for unit in ("m", "s", "us"):
        if len(texts) and len({*texts}) == len(texts):
            break
        rounded = (moments + np.timedelta64(1, unit).astype("m8[us]") // 2).astype(f"M8[{unit}]")
        texts = [str(time).replace("T", " ") for time in rounded]
    return texts


def spans_of(texts: Sequence[str]) -> tuple[list[str], str] | None:
    """Return spans of time, such as ``1 days 12:00:00``, as numbers of days, or times of day as hours, and the unit."""
    for pattern, unit, sizes in ((_SPAN, "in days", (1, 24, 1440, 86400)), (_OF_DAY, "in hours", (1, 60, 3600))):
        if all(matches := [pattern.fullmatch(text) for text in texts]):
            parts = [[float(part or 0) for part in match.groups()] for match in matches if match]
            return [repr(sum(x / size for x, size in zip(row, sizes, strict=True))) for row in parts], unit
    return None

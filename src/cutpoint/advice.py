"""What to use on a data set: the published results of the study field2026, looked up by type and size of the data."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.features import features_of
from cutpoint.data.frames import read_table
from cutpoint.options import Missing

TYPES = {  # of data, as the study simulates them
    "codes": "discrete states plus Gaussian noise",
    "latent": "discretized latent Gaussian",
    "skewed": "discrete states as skewed intervals",
    "linear": "linear equations",
    "nonlinear": "nonlinear equations",
    "mixed": "mixed data",
}
CHOICES = {"best": "Use", "binned": "With bins", "rule": "Rule of thumb"}
RECORDS, COLUMNS = 50, 2  # fewer do not show a data type; the study has 100 and 5 at least
TYPICAL = 500  # records, of the table by data type
TABLE = user_code.ROOT / "data" / "advice.json"


@dataclass(frozen=True)
class Choice:
    """A method with its expected normalized SHD (SHD divided by the number of true edges; 1 for the empty graph).

    Attributes:
        title: "Use" (the best of all methods), "With bins" (the best that discretizes) or "Rule of thumb".
        method: its row in methods.yaml, for `cutpoint.learn`.
        loss: mean over the networks of the study.
        low, high: ends of its 95 % interval over networks, NaN where there is none; the choice of the method among
            hundreds is not accounted for.
    """

    title: str
    method: str
    loss: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The expected normalized SHD with its interval."""
        return f"{self.loss:.2f}" + (f" [{self.low:.2f}, {self.high:.2f}]" if np.isfinite(self.low) else "")


@dataclass(frozen=True)
class Advice:
    """What to use on a data set; ``print`` shows it as a table.

    Attributes:
        data_type: one of `TYPES`, "" where there is no advice.
        probabilities: of the true types of data that are predicted to be of this type; 1 for a type that you named.
        discretize: "yes" or "no" where the best method with bins differs significantly from the best that does not
            discretize (at 5 % over all data types), else "no significant difference".
        choices: the best method, the best that discretizes, the rule of thumb; empty without advice.
        records, variables: of the data; of records those without missing cells.
        dropped: records with missing cells.
        n: the sample size of the study that is nearest.
        networks: of the study.
        reason: why there is no advice, or "".
    """

    data_type: str
    probabilities: Mapping[str, float]
    discretize: str
    choices: tuple[Choice, ...]
    records: int
    variables: int
    n: int
    networks: int
    dropped: int = 0
    reason: str = ""

    @property
    def method(self) -> str | None:
        """The method to use, None where there is no advice."""
        return self.choices[0].method if self.choices else None

    def rows(self) -> list[tuple[str, str, str]]:
        """Return the table: question, answer, expected normalized SHD with its interval."""
        if self.reason:
            return [("No advice", self.reason, "")]
        likely = sorted(self.probabilities.items(), key=lambda item: -item[1])
        types = ", ".join(f"{TYPES.get(name, name)} ({share:.0%})" for name, share in likely if share >= 0.05)
        choices = [(choice.title, choice.method, choice.text) for choice in self.choices]
        return [("Data type", types, ""), ("Discretize?", self.discretize, ""), *choices]

    def __str__(self) -> str:
        """Return the table as text."""
        rows = self.rows()
        width = max((len(method) for _, method, loss in rows if loss), default=0)
        lines = [f"{title:<14} {answer:<{width if loss else 0}}  {loss}".rstrip() for title, answer, loss in rows]
        if self.dropped:
            lines += [f"{'Left out':<14} {self.dropped} records with missing cells"]
        if self.reason:
            return "\n".join(lines)
        basis = f"Numbers: expected SHD / true edges (1 for no edges), from {self.networks} networks at N = {self.n}."
        return "\n".join([*lines, "", basis])


def advise(
    frame: Any,
    *,
    kind: str | None = None,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
    missing: Missing = "drop",
) -> Advice:
    """Return which method to use on a data set, what to use if you need bins, and the normalized SHD to expect.

    The data type is that of the study field2026 whose data sets have the nearest features (share of discrete columns,
    ties, skewness, normality, curvature) at the nearest sample size. The expected normalized SHD is the mean over the
    networks of the study; a predicted type is uncertain, so that it is averaged over the likely types. Nothing is
    learned from the data.

    Args:
        frame: values [N, n], an array or a data frame.
        kind: the data type, where you know it: codes, latent, skewed, linear, nonlinear or mixed.
        discrete, continuous: as in `cutpoint.learn`.
        missing: "drop" and "impute" look at the records without missing cells, "refuse" refuses missing cells.

    Raises:
        InputError: for values that cannot be used, or an unknown kind.
    """
    content = read_advice()
    if kind is not None and kind not in content["centres"]:
        raise InputError(f"kind: unknown {kind!r}{suggest(str(kind), [*content['centres']])}")
    table = read_table(frame, discrete, continuous, "drop" if missing == "impute" else missing)
    return advice_on(table.values, table.discrete, content, kind, dropped=len(frame) - len(table.values))


@cache
def read_advice(path: Path = TABLE) -> dict[str, Any]:
    """Return the shipped table, made by `advice_of` in workflow/studies/field2026/advice.py."""
    return json.loads(path.read_text(encoding="utf-8"))


def advice_on(
    values: np.ndarray, discrete: np.ndarray, content: Mapping[str, Any], kind: str | None = None, *, dropped: int = 0
) -> Advice:
    """Return the advice of a table on a data set.

    Args:
        values: float64 [N, n].
        discrete: bool [n].
        content: of `read_advice`.
        kind: the data type, where it is known; else it is predicted.
        dropped: records with missing cells.
    """
    records, variables = values.shape
    sizes = sorted({int(n) for by_n in content["centres"].values() for n in by_n})
    n = min(sizes, key=lambda size: abs(np.log(size / max(records, 1))))
    reason = ""
    if variables < COLUMNS:
        reason = f"{variables} of the {COLUMNS} columns that are needed"
    elif records < RECORDS:
        reason = f"{records} of the {RECORDS} records that are needed"
    elif discrete.all():
        reason = "all columns are discrete; the study has no such data"
    elif not content["known"]:
        reason = f"results of {content['networks']} networks are too few"
    if reason:
        return Advice("", {}, "", (), records, variables, n, content["networks"], dropped, reason)
    data_type = kind or _nearest_type(features_of(values, discrete), n, content)
    entries = content["known" if kind else "predicted"]
    entry = next(each for each in entries if (each["type"], each["n"]) == (data_type, n))
    shares = {data_type: 1.0} if kind else content["confusion"][data_type]
    return Advice(
        *(data_type, shares, discretize(entry), choices(entry)),
        *(records, variables, n, content["networks"], dropped),
    )


def choices(entry: Mapping[str, Any]) -> tuple[Choice, ...]:
    """Return the methods to choose from of an entry of the shipped table."""
    rows = [(title, entry[name]) for name, title in CHOICES.items() if name in entry]
    numbers = [(title, row["method"], [np.nan if x is None else x for x in row["loss"]]) for title, row in rows]
    return tuple(Choice(title, method, *loss) for title, method, loss in numbers)


def discretize(entry: Mapping[str, Any]) -> str:
    """Return whether to discretize, by the interval of the difference of an entry of the shipped table."""
    if not entry["difference"]:
        return "unknown"
    _, low, high = entry["difference"]
    return "no" if low > 0 else "yes" if high < 0 else "no significant difference"


def by_type(n: int = TYPICAL, content: Mapping[str, Any] | None = None) -> list[dict[str, str]]:
    """Return what to use on each data type at a sample size of the study, a dictionary for each row of the table."""
    content = content or read_advice()
    heads = ("Data look like", "Discretize?", "Use", "SHD / true edges", "With bins", "Rule of thumb")
    rows = []
    for entry in (each for each in content["known"] if each["n"] == n):
        best, *others = choices(entry)
        loss = {choice.title: choice for choice in others}
        binned, rule = (loss.get(title) for title in ("With bins", "Rule of thumb"))
        cells = [TYPES.get(entry["type"], entry["type"]), discretize(entry), best.method, best.text]
        cells += ["" if binned is None else f"{binned.method}: {binned.loss:.2f}"]
        rows.append(dict(zip(heads, [*cells, f"{rule.loss:.2f}" if rule else ""], strict=True)))
    return rows


def _nearest_type(features: Mapping[str, float | None], n: int, content: Mapping[str, Any]) -> str:
    """Return the data type whose data sets of a size have the nearest features."""
    names = [name for name, by_n in content["centres"].items() if str(n) in by_n]
    centres = np.array([content["centres"][name][str(n)] for name in names], float)
    mine = np.array([features[name] for name in content["features"]], float)
    return names[int(distances(mine, centres, np.array(content["spread"], float)).argmin())]


def distances(features: np.ndarray, centres: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Return how far features [..., F] are from each of the centres [..., C, F], float64 [..., C].

    Distances are Euclidean in units of the spread of each feature, float64 [F]; what does not vary does not count. A
    feature that data or a centre lack, NaN, is left out for both.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = ((features[..., None, :] - centres) / spread) ** 2
    return np.sqrt(np.where(np.isfinite(squares), squares, 0.0).sum(-1))

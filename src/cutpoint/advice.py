"""Which row of methods.yaml to take for a data set: the table that the study field2026 leaves, applied to a frame."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.data.features import features_of
from cutpoint.data.frames import read_table
from cutpoint.method.rows import method_rows
from cutpoint.options import Missing
from cutpoint.statistics.recommending import LEAST, MARGIN, distances

Interval = tuple[float, float, float]  # a number and the ends of its 95 % interval over networks
SHOWN = 5  # rows that are as good
RECORDS, COLUMNS = 50, 2  # fewer say too little of their kind; the study has 100 and 5 at least
# Standard deviations by which another kind may be farther and still be named. Two in five data sets of the study are so
# near to two kinds: of these the nearest is right for three in five and the next for one in three, of the others the
# nearest for nine in ten.
NEARLY = 0.3
FAR = 2.5  # times as many records as the nearest of the study: beyond what it has
EMPTY = 1.0  # the loss of a graph without edges
TABLE = user_code.ROOT / "data" / "advice.json"


@dataclass(frozen=True)
class Advice:
    """What to take, and what that rests on; ``print`` shows it.

    Attributes:
        row: of methods.yaml, for `cutpoint.learn`, the one with the lowest mean of three losses: on data of this kind,
            on all networks at this mechanism and N, and on all data of this mechanism; None where nothing is advised.
            Where features tell the mechanism, these and all other losses are those to be expected for what the study's
            data are that are called so.
        as_good: further rows that are not surely worse on data of this kind and at most the margin above, the lowest
            loss first; it may be lower than that of the row.
        as_good_loss: of these on data of this kind.
        lower: at most three rows with a lower mean loss on data of this kind, the lowest first.
        lower_loss: of these on data of this kind.
        not_surely_worse: how many other rows are not surely worse on data of this kind; None where that is unknown.
        why: why nothing is advised, or "".
        loss: of the row on data of this kind: SHD (standard) over the number of true edges, 1 for the empty graph.
        above: what the usual choices lose against it, by name.
        usual: rows of the usual choices, by name.
        mechanism, n, variables: the kind of data of the study that the frame is most like.
        said: whether the mechanism was said by the user.
        other: a mechanism that is nearly as near, or "".
        other_row: what would be taken on that kind, None where nothing would.
        told: share of the study's data sets called by this mechanism that are of it.
        features: of the frame, see `cutpoint.data.features`.
        networks: how many networks of that kind there were.
        scale, graphs: of the run of the study that the table comes from.
        regret: what following the advice costs on a network that was left out, and what the usual choices cost there.
        records: of the frame.
        left_out: how many records were not looked at, for missing cells.
    """

    row: str | None
    as_good: tuple[str, ...]
    as_good_loss: tuple[float, ...]
    lower: tuple[str, ...]
    lower_loss: tuple[float, ...]
    not_surely_worse: int | None
    why: str
    loss: Interval | None
    above: Mapping[str, Interval]
    usual: Mapping[str, str]
    mechanism: str
    n: int
    variables: str
    said: bool
    other: str
    other_row: str | None
    told: float
    features: Mapping[str, float | None]
    networks: int
    scale: str
    graphs: int
    regret: Mapping[str, Interval]
    records: int
    left_out: int = 0

    def __str__(self) -> str:
        """Return the advice in sentences."""
        source = f"The table comes from the {self.scale} scale of the study field2026, {self.graphs:,} graphs."
        gaps = [f"Records with missing cells, which were left out: {self.left_out}."] if self.left_out else []
        if self.row is None:
            return " ".join([f"No advice: {self.why}.", *gaps, source])
        weighed = "" if self.said else f", each weighed by how often data called {self.mechanism} are of each kind"
        lines = [f"Take {self.row}: of all rows it has the lowest mean of three losses, on {_THREE}{weighed}."]
        lines += self._of_kind()
        lines += [
            f"{name.capitalize()}{self._parts(name)}: {_spread(each)} above it." for name, each in self.above.items()
        ]
        lines += [*self._doubts(), *gaps, source]
        lines += ["On networks that were left out, above the best row of each data set:"] if self.regret else []
        lines += [f"  {name}: {_spread(each)}" for name, each in self.regret.items()]
        return "\n".join(lines)

    def _of_kind(self) -> list[str]:
        """Return what is known of the row and of others on data of the kind."""
        like = f"{self.mechanism}, N = {self.n}, {self.variables} variables"
        how = "of this kind, as said" if self.said else "called so by their features, weighed likewise"
        lines = [
            f"On data {how} ({like}), {self.networks} networks: SHD per true edge {_spread(self.loss)}, an "
            "interval that takes no account of the choice among all rows."
        ]
        if self.loss and self.loss[2] is not None and self.loss[2] >= EMPTY:
            lines += [f"It is not surely better than the empty graph, whose loss is {EMPTY:g}, on data like these."]
        return lines + self._others()

    def _others(self) -> list[str]:
        """Return which rows have a lower mean on data of the kind, which are as good, and how many may be."""
        lower = _with_loss(self.lower, self.lower_loss)
        good = [each for each in _with_loss(self.as_good, self.as_good_loss) if each not in lower]
        shown = [*good[:SHOWN], *([f"{len(good) - SHOWN} more"] if len(good) > SHOWN else [])]
        about = f"not surely worse there, and at most {MARGIN:g} above"
        nothing = "Nothing else" if not lower else "Nothing but these"
        lines = [f"Rows with a lower mean there: {listed(lower)}."] if lower else []
        lines += [f"As good ({about}): {listed(shown)}." if shown else f"{nothing} is as good ({about})."]
        if self.not_surely_worse:
            lines += [f"In all {self.not_surely_worse} other rows are not surely worse there."]
        return lines

    def _parts(self, usual: str) -> str:
        """Return what a usual choice learns with, and its row."""
        name = self.usual.get(usual, "")
        row = method_rows().get(name, {})
        parts = [str(row[key]).replace("bdeu", "BDeu").replace("_", " ") for key in ("score", "learner") if key in row]
        return f", with {listed(parts)} ({name})" if parts else ""

    def _doubts(self) -> list[str]:
        """Return how far the data are from those of the study, and how far their kind can be told."""
        far = max(self.n, self.records) > FAR * min(self.n, self.records)
        lines = [f"The study's nearest number of records is {self.n}; these are {self.records}."] if far else []
        if self.said:
            return lines
        lines += [
            f"Of the study's data sets that are called {self.mechanism} by their features {self.told:.0%} are so."
        ]
        if self.other:
            what = f"take {self.other_row}" if self.other_row else "there is no advice"
            lines += [f"These data are nearly as near to the kind {self.other}; if they are of that kind, {what}."]
        return lines


_THREE = "data of this kind, on all networks at this mechanism and N, and on all data of this mechanism"


def _with_loss(rows: Sequence[str], losses: Sequence[float]) -> list[str]:
    return [f"{row} ({loss:.3f})" for row, loss in zip(rows, losses, strict=True)]


def _spread(number: Interval | None) -> str:
    if number is None:
        return ""
    value, low, high = number
    return f"{value:.3f}" if low is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def advise(
    frame: Any,
    *,
    kind: str | None = None,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
    missing: Missing = "drop",
) -> Advice:
    """Return which row to take for a data set, what is as good, and from how many networks that is known.

    The kind of data is the mechanism of the study whose data sets are nearest by their features (share of discrete
    columns, ties, skewness, normality, curvature), or the one that you say, at the nearest number of records, in the
    class of the number of variables. The row is the one with the lowest mean of three losses, on data of that kind, on
    all networks at that mechanism and N, and on all data of that mechanism: a few networks cannot tell hundreds of rows
    apart, so that others may have lost less on data of the kind alone (`cutpoint.statistics.recommending`). Without
    `kind` each loss is that to be expected for what data that are called so by their features are. The table is made
    from the results of the study and shipped; nothing is learned from the frame. Of fewer than 2 columns or 50 records
    there is no advice.

    Args:
        frame: values [N, n], an array or a data frame.
        kind: the mechanism, where you know it: codes, latent, skewed, linear, nonlinear or mixed.
        discrete, continuous: as in `cutpoint.learn`.
        missing: look at the records without missing cells, "drop", and "impute" too; or "refuse" such cells.

    Raises:
        InputError: for values that cannot be used, or an unknown kind.
    """
    content = read_advice()
    _check(kind, content)
    table = read_table(frame, discrete, continuous, "drop" if missing == "impute" else missing)
    advice = advice_on(table.values, table.discrete, content, kind)
    return replace(advice, left_out=len(frame) - len(table.values))


def _check(kind: str | None, table: Mapping[str, Any]) -> None:
    known = [*table["centres"]]
    if kind is not None and kind not in known:
        raise InputError(f"kind: unknown {kind!r}{suggest(str(kind), known)}")


def read_advice(path: str | Path = TABLE) -> dict[str, Any]:
    """Return the shipped table, see `advice_of` in workflow/studies/field2026/decisions.py."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def advice_on(values: np.ndarray, discrete: np.ndarray, table: Mapping[str, Any], said: str | None = None) -> Advice:
    """Return the advice of a table on a data set.

    Args:
        values: float64 [N, n].
        discrete: bool [n].
        table: of `read_advice`.
        said: the mechanism, where it is known; else it is told by features.
    """
    records, n = values.shape
    sizes = sorted({int(size) for by_n in table["centres"].values() for size in by_n})
    size = min(sizes, key=lambda each: abs(np.log(each / max(records, 1))))
    found = features_of(values, discrete)
    mechanism, other = (said, "") if said else _mechanisms(found, size, table)
    variables = next(name for name, most in table["variables"].items() if most is None or n <= most)
    kind = _kind(table["kinds" if said else "called"], mechanism, size, variables)
    next_kind = _kind(table["kinds"], other, size, variables)
    why = _too_small(records, n) or ("no data of the study have discrete columns alone" if discrete.all() else "")
    why = why or _too_few(kind)
    there = {} if why else kind
    return Advice(
        row=there.get("row"),
        as_good=tuple(there.get("as_good", ())),
        as_good_loss=tuple(there.get("as_good_loss", ())),
        lower=tuple(there.get("lower", ())),
        lower_loss=tuple(there.get("lower_loss", ())),
        not_surely_worse=there.get("not_surely_worse"),
        why=why,
        loss=tuple(there["loss"]) if there else None,
        above={name: tuple(each) for name, each in there.get("above", {}).items()},
        usual=table["usual"],
        mechanism=mechanism,
        n=size,
        variables=variables,
        said=said is not None,
        other=other,
        other_row=None if _too_few(next_kind) else next_kind["row"],
        told=table["told"][mechanism],
        features=found,
        networks=int(kind.get("networks", 0)),
        scale=table["scale"],
        graphs=table["graphs"],
        regret={name: tuple(each) for name, each in table["regret"].items()},
        records=records,
    )


def _mechanisms(found: Mapping[str, float | None], size: int, table: Mapping[str, Any]) -> tuple[str, str]:
    """Return the mechanism whose data sets of a size are nearest, and one that is nearly as near, or ""."""
    names = [name for name, by_n in table["centres"].items() if str(size) in by_n]
    centres = np.array([table["centres"][name][str(size)] for name in names], float)
    mine = np.array([found[name] for name in table["features"]], float)
    far = distances(mine, centres, np.array(table["spread"], float))
    first, *others = np.argsort(far, kind="stable").tolist()
    return names[first], next((names[i] for i in others if far[i] < far[first] + NEARLY), "")


def _kind(kinds: Sequence[dict[str, Any]], mechanism: str, n: int, variables: str) -> dict[str, Any]:
    like = {"mechanism": mechanism, "n": n, "variables": variables}
    return next((kind for kind in kinds if like.items() <= kind.items()), like)


def _too_small(records: int, columns: int) -> str:
    """Return why a data set is too small to tell its kind, or ""."""
    if columns < COLUMNS:
        return "1 column has no structure" if columns else "there are no columns"
    return f"{records} records are fewer than {RECORDS}, and say too little of their kind" if records < RECORDS else ""


def _too_few(kind: Mapping[str, Any]) -> str:
    """Return why nothing is known of a kind of data, or ""."""
    networks = kind.get("networks", 0)
    if networks >= LEAST and "row" in kind:
        return ""
    like = f"{kind['mechanism']}, N = {kind['n']}, {kind['variables']} variables"
    return f"{networks} networks with data like these ({like}) were run, and fewer than {LEAST} say too little"

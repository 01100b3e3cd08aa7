"""Which row of methods.yaml to take for a data set: the table that the study field2026 leaves, applied to a frame."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.text import listed
from cutpoint.data.features import features_of
from cutpoint.data.frames import read_table
from cutpoint.options import Missing
from cutpoint.statistics.recommending import LEAST, nearest

Interval = tuple[float, float, float]  # a number and the ends of its 95 % interval over networks
SHOWN = 5  # rows that are as good
TABLE = user_code.ROOT / "data" / "advice.json"


@dataclass(frozen=True)
class Advice:
    """What to take, and what that rests on; ``print`` shows it.

    Attributes:
        row: of methods.yaml, for `cutpoint.learn`; None where nothing is advised.
        as_good: further rows that are not surely worse and within the margin, the best first.
        why: why nothing is advised, or "".
        loss: of the row on data like these: SHD (standard) over the number of true edges.
        above: what the usual choices lose against it, by name.
        mechanism, n, variables: the kind of data of the study that the frame is most like.
        features: of the frame, see `cutpoint.data.features`.
        networks: how many networks of that kind there were.
        scale, graphs: of the run of the study that the table comes from.
        regret: what following the advice costs on a network that was left out, and what the usual choices cost there.
    """

    row: str | None
    as_good: tuple[str, ...]
    why: str
    loss: Interval | None
    above: Mapping[str, Interval]
    mechanism: str
    n: int
    variables: str
    features: Mapping[str, float | None]
    networks: int
    scale: str
    graphs: int
    regret: Mapping[str, Interval]

    def __str__(self) -> str:
        """Return the advice in sentences."""
        like = f"data like these ({self.mechanism}, N = {self.n}, {self.variables} variables)"
        source = f"The table comes from the {self.scale} scale of the study field2026, {self.graphs:,} graphs"
        if self.row is None:
            return f"No advice on {like}: {self.why}. {source}."
        shown = [*self.as_good[:SHOWN], *([f"{len(self.as_good) - SHOWN} more"] if len(self.as_good) > SHOWN else [])]
        as_good = f"as good: {listed(shown)}" if shown else "nothing else is as good"
        lines = [f"Take {self.row}; {as_good}."]
        lines += [f"On {like}, {self.networks} networks: SHD per true edge {_spread(self.loss)}."] if self.loss else []
        lines += [f"{name.capitalize()}: {_spread(each)} above it." for name, each in self.above.items()]
        lines += [f"{source}."]
        lines += ["On networks that were left out, above the best row of each data set:"] if self.regret else []
        lines += [f"  {name}: {_spread(each)}" for name, each in self.regret.items()]
        return "\n".join(lines)


def _spread(number: Interval | None) -> str:
    if number is None:
        return ""
    value, low, high = number
    return f"{value:.3f}" if low is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def advise(
    frame: Any, *, discrete: Sequence[str] = (), continuous: Sequence[str] = (), missing: Missing = "refuse"
) -> Advice:
    """Return which row to take for a data set, what is as good, and from how many networks that is known.

    The kind of data is the mechanism of the study whose data sets are nearest by their features (share of discrete
    columns, ties, skewness, normality, curvature), at the nearest number of records, in the class of the number of
    variables. The table is made from the results of the study and shipped; nothing is learned from the frame.

    Args:
        frame: values [N, n], an array or a data frame.
        discrete, continuous, missing: as in `cutpoint.learn`.

    Raises:
        InputError: for values that cannot be used.
    """
    table = read_table(frame, discrete, continuous, "drop" if missing == "impute" else missing)
    return advice_on(table.values, table.discrete, read_advice())


def read_advice(path: str | Path = TABLE) -> dict[str, Any]:
    """Return the shipped table, see `cutpoint.studies.field2026.decisions.advice_of`."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def advice_on(values: np.ndarray, discrete: np.ndarray, table: Mapping[str, Any]) -> Advice:
    """Return the advice of a table on a data set.

    Args:
        values: float64 [N, n].
        discrete: bool [n].
        table: of `read_advice`.
    """
    records, n = values.shape
    sizes = sorted({int(size) for by_n in table["centres"].values() for size in by_n})
    size = min(sizes, key=lambda each: abs(np.log(each / max(records, 1))))
    found = features_of(values, discrete)
    mechanisms = [name for name, by_n in table["centres"].items() if str(size) in by_n]
    centres = np.array([table["centres"][name][str(size)] for name in mechanisms], float)
    mine = np.array([found[name] for name in table["features"]], float)
    mechanism = mechanisms[int(nearest(mine, centres, np.array(table["spread"], float)))]
    variables = next(name for name, most in table["variables"].items() if most is None or n <= most)
    like = {"mechanism": mechanism, "n": size, "variables": variables}
    kind: dict[str, Any] = next((k for k in table["kinds"] if like.items() <= k.items()), {})
    networks = int(kind.get("networks", 0))
    enough = networks >= LEAST and "row" in kind
    return Advice(
        row=kind["row"] if enough else None,
        as_good=tuple(kind["as_good"]) if enough else (),
        why="" if enough else f"{networks} networks of this kind were run, and fewer than {LEAST} say too little",
        loss=tuple(kind["loss"]) if enough else None,
        above={name: tuple(each) for name, each in kind["above"].items()} if enough else {},
        **like,
        features=found,
        networks=networks,
        scale=table["scale"],
        graphs=table["graphs"],
        regret={name: tuple(each) for name, each in table["regret"].items()},
    )

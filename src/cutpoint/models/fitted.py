"""The numbers of a fitted network, below all that is done with them."""

from dataclasses import dataclass, field

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.frequencies import EdgeFrequencies
from cutpoint.knowledge.knowledge import Knowledge
from cutpoint.models.curves import TABLE, FamilyCurve
from cutpoint.models.density import SmoothDensity
from cutpoint.networks.network import Network


@dataclass(frozen=True, eq=False)
class ValueScale:
    """Where the values of a continuous variable lie: the means of its levels, its range and its density."""

    means: np.ndarray  # float64 [r], of the records in each level
    least: float
    greatest: float
    density: SmoothDensity | None = None  # the smoothed marginal, None where a file has none
    shares: np.ndarray | None = None  # float64 [r], of the records in each level, None likewise


@dataclass(frozen=True, eq=False, repr=False)
class Fitted:
    """A discrete Bayesian network with the thresholds by which it discretizes new records.

    Attributes:
        network: graph and tables; its states are the names of the levels.
        thresholds: of each variable, with the names of the variables and the states of the discrete ones.
        scales: of the continuous variables by name.
        ess: equivalent sample size of the Dirichlet prior, None where a file does not say.
        records: how many it was fitted to, likewise.
        note: what else to know, such as that a pattern was directed.
        confidence: how often each edge is in the graphs of resamples or of several searches, where that is known.
        knowledge: what was known of arcs and thresholds before anything was learned.
        curves: regressions from which tables were filled, by variable; the others were counted.
        intervals: quantiles 0.05, 0.25, 0.75, 0.95 of the k thresholds over draws, float64 [k, 4], by variable.
    """

    network: Network
    thresholds: Thresholds
    scales: dict[str, ValueScale] = field(default_factory=dict)
    ess: float | None = None
    records: int | None = None
    note: str = ""
    confidence: EdgeFrequencies | None = None
    knowledge: Knowledge | None = None
    curves: dict[str, FamilyCurve] = field(default_factory=dict)
    intervals: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def variables(self) -> list[str]:
        """The names, in the order of the columns of the data."""
        return list(self.network.variables)

    @property
    def dag(self) -> np.ndarray:
        """The arcs, bool [n, n]."""
        return self.network.dag

    def kind(self, name: str) -> str:
        """Return how the parents of a variable act: as a "line", a "curve" or a "table"; "" without any."""
        if not self.network.parents[self.place(name)]:
            return ""
        return self.curves[name].kind if name in self.curves else TABLE

    def density(self, name: str) -> SmoothDensity:
        """Return the smoothed marginal of a continuous variable; an InputError where a file has none."""
        if name not in self.scales or (density := self.scales[name].density) is None:
            raise InputError(f"{name}: the file has no density within levels; read the model's own JSON instead")
        return density

    def place(self, name: str) -> int:
        """Return the place of a variable; an InputError names the nearest one where there is none."""
        if name not in self.network.variables:
            raise InputError(f"unknown variable {name!r}{suggest(str(name), self.variables)}")
        return self.network.variables.index(name)

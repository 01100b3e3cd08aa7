"""Thresholds as random variables: draws of those of one variable, given the graph and all other thresholds.

A variable has from two levels to a given number, since one with a single level could have no neighbours. All numbers of
levels, and all sets of places of a number, are as probable. Within a level values have the distribution that they have
alone. So the density of the values of a variable without parents changes by P(codes) / P(level of each): BDeu's
probability of its codes over the shares of their levels. Given parents it changes by the score of its family too, as a
mixture over kinds of models of which one is levels. All places of one threshold are scored at once, in one pass over
the records.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class CutGrid:
    """The places where a column may be cut, 1 to M - 1, between its M bins.

    Attributes:
        edges: float64 [M - 1], the thresholds, rising.
        bin_of: int64 [N], the bin of each record; order: int64 [N], the records by rising bins.
        starts: int64 [M + 1], the records below each bin; the last is N.
        shares: float64 [M + 1], the share of the distribution of the values that lies below.
    """

    edges: np.ndarray
    bin_of: np.ndarray
    order: np.ndarray
    starts: np.ndarray
    shares: np.ndarray

    @classmethod
    def of(cls, column: np.ndarray, edges: np.ndarray, shares: np.ndarray | None = None) -> "CutGrid":
        """Return the grid of a column, float64 [N]; with no shares the distribution is that of the records."""
        bin_of = np.searchsorted(edges, column, "right")
        starts = np.append(0, np.bincount(bin_of, minlength=len(edges) + 1).cumsum())
        shares = starts / len(column) if shares is None else shares
        return cls(edges, bin_of, np.argsort(bin_of, kind="stable"), starts, shares)

    @property
    def bins(self) -> int:
        """Return M."""
        return len(self.starts) - 1

    def codes(self, cuts: np.ndarray) -> np.ndarray:
        """Return the levels of the records by cuts, rising places, uint16 [N]."""
        return np.searchsorted(cuts, self.bin_of, "right").astype(np.uint16)

"""Gaussian networks: the linear equations of a published network, which a BIF file holds as properties.

A variable has the property ``linear_gaussian = "intercept variance coefficients"``, the coefficients in the order of
its parents. It has two levels, low and high, whose tables are a stand-in computed when the file is read, see
`two_levels`; what the file says of them does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import topological_order

PROPERTY = "linear_gaussian"
_NORMAL = NormalDist()  # without SciPy, which the Snakefile is parsed without
_HALF_NORMAL = np.sqrt(2 / np.pi)  # mean of a standard normal variable that is above 0


@dataclass(frozen=True, eq=False)
class LinearGaussian:
    """x_j = intercept_j + sum of w_ij x_i over the parents i + e_j, with independent normal e_j."""

    intercepts: np.ndarray  # float64 [n]
    variances: np.ndarray  # float64 [n], of the e_j, above 0
    weights: np.ndarray  # float64 [n, n], that of the arc i -> j in ``weights[i, j]``, 0 without one

    def of(self, places: np.ndarray) -> "LinearGaussian":
        """Return the equations of the same variables in another order."""
        return LinearGaussian(self.intercepts[places], self.variances[places], self.weights[np.ix_(places, places)])

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw n records, float64 [n, variables], columns contiguous; errors are drawn one variable after the other."""
        values = rng.standard_normal((len(self.weights), n)).T
        for j in topological_order(self.weights != 0):
            values[:, j] *= np.sqrt(self.variances[j])
            values[:, j] += self.intercepts[j]
            for i in np.flatnonzero(self.weights[:, j]).tolist():
                values[:, j] += self.weights[i, j] * values[:, i]
        return values

    def covariances(self) -> np.ndarray:
        """Return the covariances of the variables, float64 [n, n]."""
        effects = np.linalg.inv(np.eye(len(self.weights)) - self.weights)
        return effects.T @ np.diag(self.variances) @ effects


def from_properties(
    texts: Sequence[str | None], parents: Sequence[Sequence[int]], source: str, names: Sequence[str]
) -> LinearGaussian | None:
    """Return the equations that the properties of the variables of a file say, None where no variable has one."""
    if not any(texts):
        return None
    n = len(texts)
    equations = LinearGaussian(np.zeros(n), np.zeros(n), np.zeros((n, n)))
    for j, text in enumerate(texts):
        try:
            numbers = [float(word) for word in (text or "").split()]
        except ValueError:
            numbers = []
        if len(numbers) != 2 + len(parents[j]) or not np.isfinite(numbers).all() or not numbers[1] > 0:
            what = f"an intercept, a variance above 0 and {len(parents[j])} coefficients"
            raise InputError(f"{source}: variable {names[j]!r}: {PROPERTY} must be {what}, not {text!r}")
        equations.intercepts[j], equations.variances[j] = numbers[:2]
        equations.weights[list(parents[j]), j] = numbers[2:]
    return equations


def to_properties(equations: LinearGaussian, parents: Sequence[Sequence[int]]) -> list[str]:
    """Return the text of each variable's property, which `from_properties` reads back exactly."""
    own = zip(equations.intercepts.tolist(), equations.variances.tolist(), strict=True)
    coefficients = [equations.weights[list(above), j].tolist() for j, above in enumerate(parents)]
    return [" ".join(map(repr, (*two, *more))) for two, more in zip(own, coefficients, strict=True)]


def two_levels(equations: LinearGaussian, parents: Sequence[Sequence[int]]) -> list[np.ndarray]:
    """Return tables of a discrete stand-in with the same arcs: levels below and above the mean of each variable.

    A parent that is low or high stands at the mean of its half of the normal distribution, so that the tables are not
    those of the Gaussian network, of which the levels are no Bayesian network with these arcs.
    """
    spreads = _HALF_NORMAL * np.sqrt(np.diag(equations.covariances()))
    tables = []
    for j, above in enumerate(parents):
        steps = equations.weights[list(above), j] * spreads[list(above)]
        signs = np.array(list(product((-1, 1), repeat=len(above)))).reshape(2 ** len(above), len(above))
        high = np.array([_NORMAL.cdf(z) for z in signs @ steps / np.sqrt(equations.variances[j])])
        tables.append(np.stack([1 - high, high], -1).reshape((2,) * (len(above) + 1)))
    return tables

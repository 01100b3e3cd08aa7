"""Continuous data without codes: linear and nonlinear structural equations on the graph of a network.

Every variable is standardised before it is a parent (internally standardised models; W. Ormaniec, S. Sussex, L. Lorch,
B. Schölkopf, A. Krause, "Standardizing Structural Causal Models", 2024): otherwise variances, and after standardising
the data what the others explain of a variable, grow along the arcs and give their direction away (A. Reisach et al.,
2021 and 2023; see `cutpoint.bench.evaluation.run_metrics`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import scipy

from cutpoint.base.scaling import standardised
from cutpoint.graphs.dags import topological_order

FEATURES = 100  # cosines of a random function
Errors = Literal["normal", "uniform", "laplace", "exponential"]


@dataclass(frozen=True, eq=False)
class RandomFunction:
    """A function drawn from a Gaussian process with a squared exponential kernel, by random Fourier features.

    The sum of `FEATURES` cosines with normal frequencies (A. Rahimi and B. Recht, NeurIPS 2007); smooth, and as a rule
    neither linear nor monotone. Frequencies are float64 [FEATURES] for one variable, [k, FEATURES] for k variables.
    """

    frequencies: np.ndarray
    phases: np.ndarray
    amplitudes: np.ndarray

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Return its values at x, float64 [N] or [N, k]; float64 [N]."""
        angles = np.outer(x, self.frequencies) if x.ndim == 1 else x @ self.frequencies
        return np.cos(angles + self.phases) @ self.amplitudes


@dataclass(frozen=True, eq=False)
class Equations:
    """x_j = standardised(signal of the parents of j + their scale times e_j), with independent e_j of variance 1.

    The signal is the sum of w_ij f_ij(x_i) over the parents i, or |w_j| f_j(x_parents) with the length |w_j| of their
    weights. The logarithm of the scale is ``spread`` times a linear form of the parents, which is standardised, less
    the square of ``spread``, so that for a normal form the errors have variance 1 on the whole (location-scale models;
    A. Immer et al., "On the identifiability and estimation of causal location-scale noise models", 2023).

    Values of functions are standardised. So many levels are read from the standardised value of a discrete variable, at
    the thresholds that cut a standard normal variable into equal shares; its children see the standardised level.
    """

    weights: np.ndarray  # float64 [n, n], that of the arc i -> j in ``weights[i, j]``, 0 without one
    functions: dict[tuple[int, int], RandomFunction]  # by arc; empty where every f_ij is the identity
    joint: dict[int, RandomFunction] = field(default_factory=dict)  # of all parents; empty where the signal is a sum
    forms: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # [n, n], coefficients of what scales errors
    spread: float = 0.0  # standard deviation of the logarithms of the scales
    errors: Errors = "normal"  # the distribution of the e_j, one of `Errors`
    levels: Mapping[int, int] = field(default_factory=dict)
    shares: np.ndarray | None = None  # float64 [n], of the variance that the signal has; None where weights decide


def errors_at(z: np.ndarray, errors: Errors) -> np.ndarray:
    """Return the errors, float64 like z, with mean 0 and variance 1, at the quantiles of standard normal numbers z.

    Errors of all kinds have their draws in common.
    """
    if errors == "uniform":
        return np.sqrt(12) * (scipy.special.ndtr(z) - 0.5)
    if errors == "laplace":
        return -np.sign(z) * (np.log(2) + scipy.special.log_ndtr(-np.abs(z))) / np.sqrt(2)
    if errors == "exponential":
        return -scipy.special.log_ndtr(-z) - 1
    return z


def draw_equations(
    dag: np.ndarray,
    rng: np.random.Generator,
    *,
    weights: Sequence[float] = (0.5, 2.0),
    length: float | None = None,
    joint: bool = False,
    spread: float = 0.0,
    errors: Errors = "normal",
    levels: Mapping[int, int] | None = None,
    shares: np.ndarray | None = None,
) -> Equations:
    """Draw the equations of a DAG; the weights do not depend on the other options.

    Args:
        dag, rng: bool [n, n], and the source of weights and functions.
        weights: range of their absolute values, which are uniform; signs are random.
        length: length scale of the functions in standard deviations of the parent, of a function of k parents in
            the root of the mean square over them; None for linear equations.
        joint: whether one function takes all parents of a variable, in place of a sum of one of each.
        spread, errors, levels, shares: of `Equations`.
    """
    low, high = weights
    sizes, signs = rng.uniform(low, high, dag.shape), rng.choice([-1.0, 1.0], dag.shape)
    functions, together = {}, {}
    if length is not None and joint:
        together = {j: _function(rng, length, (int(k),)) for j, k in enumerate(dag.sum(0)) if k}
    elif length is not None:
        functions = {(i, j): _function(rng, length) for i, j in np.argwhere(dag).tolist()}
    forms = np.where(dag, rng.standard_normal(dag.shape), 0.0) if spread else np.zeros(dag.shape)
    return Equations(
        np.where(dag, sizes * signs, 0.0), functions, together, forms, spread, errors, levels or {}, shares
    )


def _function(rng: np.random.Generator, length: float, inputs: tuple[int, ...] = ()) -> RandomFunction:
    frequencies = rng.standard_normal((*inputs, FEATURES)) / (length * np.sqrt(inputs[0] if inputs else 1))
    return RandomFunction(frequencies, rng.uniform(0, 2 * np.pi, FEATURES), rng.standard_normal(FEATURES))


def sample_equations(equations: Equations, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw n records, float64 [n, variables], columns contiguous.

    Every continuous variable has mean 0 and variance 1 in the sample; discrete ones are codes from 0. What is added
    to a variable takes its place in ``rng``, whatever the equations are.
    """
    values = errors_at(rng.standard_normal((len(equations.weights), n)).T, equations.errors)
    codes = {}
    for j in topological_order(equations.weights != 0):
        values[:, j] = standardised(_unscaled(equations, j, values))
        if levels := equations.levels.get(j):
            codes[j] = np.searchsorted(scipy.special.ndtri(np.arange(1, levels) / levels), values[:, j], side="right")
            values[:, j] = standardised(codes[j].astype(float))
    for j, column in codes.items():
        values[:, j] = column
    return values


def _unscaled(equations: Equations, j: int, values: np.ndarray) -> np.ndarray:
    """Return a variable before it is standardised; its errors still stand in its column."""
    errors, parents = _errors(equations, j, values), np.flatnonzero(equations.weights[:, j])
    if not parents.size:
        return errors
    if function := equations.joint.get(j):
        signal = float(np.linalg.norm(equations.weights[:, j])) * standardised(function(values[:, parents]))
    else:
        terms = [(i, equations.functions.get((i, j))) for i in parents.tolist()]
        signal = sum(
            equations.weights[i, j] * (values[:, i] if term is None else standardised(term(values[:, i])))
            for i, term in terms
        )
    if equations.shares is None:
        return errors + signal
    share = float(equations.shares[j])
    return np.sqrt(1 - share) * errors + np.sqrt(share) * standardised(signal)


def _errors(equations: Equations, j: int, values: np.ndarray) -> np.ndarray:
    if not equations.spread or not equations.weights[:, j].any():
        return values[:, j].copy()
    form = standardised(values @ equations.forms[:, j])
    return values[:, j] * np.exp(equations.spread * form - equations.spread**2)

"""What a comparison says about networks that were not in the study (docs/statistics.md).

The mixed model y = method + network + network:method + error, method fixed and the others random, gives for the
difference of two methods (a mean log ratio) one number per network: d_i = d + b_i + e_i. With the same runs on each of
I networks its REML estimate is in closed form: the mean of the d_i, with I - 1 degrees of freedom. Every pair of
methods has a variance of its own, since poor methods vary more from network to network than good ones.

No variance between networks is below 0. Numbers of a few networks may agree better by chance than their own errors
allow; the variance is then that of the errors, and no interval for other networks is narrower than one for these.
G. Knapp, J. Hartung, "Improved tests for a random effects meta-regression with a single covariate", Statistics in
Medicine 22, 2003, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cutpoint.statistics.estimates import Estimate


@dataclass(frozen=True)
class NewNetworks:
    """A difference of two methods beyond the networks of the study.

    Attributes:
        mean: over all networks such as these.
        prediction: for one more network with as many runs as each of these; its interval is that of Student's t for a
            new observation.
        between: float64 [...], standard deviation of the true differences between networks; 0 where those of the
            networks differ no more than their errors.
        networks: int [...], how many networks have a difference.
    """

    mean: Estimate
    prediction: Estimate
    between: np.ndarray
    networks: np.ndarray


def new_networks(effects: Estimate) -> NewNetworks:
    """Return what effects by network, [..., networks] with NaN for missing ones, say about other networks.

    Every network counts once, however many runs it has.
    """
    finite = np.isfinite(effects.value)
    count = finite.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(finite, effects.value, 0.0).sum(-1) / count
        squares = np.where(finite, effects.value - mean[..., None], 0.0) ** 2
        seen = np.where(count > 1, squares.sum(-1) / (count - 1), np.nan)
        within = np.where(finite, effects.error**2, 0.0).sum(-1) / count
        variance = np.where(count > 1, np.fmax(seen, within), np.nan)
        freedom = np.where(count > 1, np.fmin(count - 1.0, _freedom_within(effects)), np.nan)
        errors = np.sqrt(variance / count), np.sqrt(variance * (1 + 1 / count))
    average, one = (Estimate(mean, error, np.where(error == 0, np.nan, freedom), count) for error in errors)
    return NewNetworks(average, one, np.sqrt(np.maximum(seen - within, 0)), count)


def _freedom_within(effects: Estimate) -> np.ndarray:
    """Return the degrees of freedom of the mean of the networks seen (Satterthwaite), NaN without an error."""
    known = np.isfinite(effects.value) & np.isfinite(effects.freedom)
    variances = np.where(known, effects.error**2, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(variances.sum(-1) ** 2 / np.where(known, variances**2 / effects.freedom, 0.0).sum(-1))

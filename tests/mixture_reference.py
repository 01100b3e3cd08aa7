"""EM for mixtures with shared components, written down as in Mabrouk 2015, Algorithm 3 and Proposition 1."""

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm, truncnorm


def joint(x, cells, means, deviations, weights):
    """ln of weight times density, [N, K]."""
    with np.errstate(divide="ignore"):
        return np.log(weights)[cells] + norm.logpdf(x[:, None], means, deviations)


def log_likelihood(x, cells, means, deviations, weights):
    """Eq. 5."""
    return logsumexp(joint(x, cells, means, deviations, weights), axis=1).sum()


def em_step(x, cells, means, deviations, weights, floor=1e-3):
    logs = joint(x, cells, means, deviations, weights)
    shares = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
    means = shares.T @ x / shares.sum(axis=0)
    squares = (shares * (x[:, None] - means) ** 2).sum(axis=0)
    deviations = np.maximum(np.sqrt(squares / shares.sum(axis=0)), floor)
    weights = np.array([shares[cells == j].mean(axis=0) for j in range(len(weights))])
    return means, deviations, weights


def em(x, cells, means, deviations, weights, steps):
    for _ in range(steps):
        means, deviations, weights = em_step(x, cells, means, deviations, weights)
    return means, deviations, weights, log_likelihood(x, cells, means, deviations, weights)


def bic(x, cells, means, deviations, weights):
    """Eq. 8."""
    g, q = len(means) - 1, len(weights)
    parameters = q * g + 2 * (g + 1)
    return log_likelihood(x, cells, means, deviations, weights) - parameters / 2 * np.log(len(x))


def exhaustive(x, cells, sizes, starts, rng):
    """The best BIC by number of components: EM on all records from quantiles and from random starts."""
    q, best = cells.max() + 1, {}
    for size in sizes:
        at = [np.quantile(x, (np.arange(size) + 0.5) / size)]
        at += [np.sort(rng.choice(np.unique(x), size, replace=False)) for _ in range(starts)]
        fits = [em(x, cells, m, np.full(size, 1 / size), np.full((q, size), 1 / size), 60)[:3] for m in at]
        best[size] = max(bic(x, cells, *fit) for fit in fits)
    return best


def problem(seed, rows=600, configurations=None, levels=None):
    """Values of truncated Gaussians on consecutive intervals, and configurations, each with its own weights."""
    rng = np.random.default_rng(seed)
    levels = levels or rng.integers(2, 6)
    q = configurations or int(np.exp(rng.uniform(0, np.log(61))))
    edges = np.concatenate([[0.0], np.cumsum(rng.uniform(0.5, 2.0, levels))])
    means, deviations = rng.uniform(edges[:-1], edges[1:]), rng.uniform(0.1, 0.5, levels)
    weights = rng.dirichlet(np.ones(levels), q)
    cells = rng.choice(q, rows, p=rng.dirichlet(np.ones(q)))
    z = np.array([rng.choice(levels, p=weights[j]) for j in cells])
    low, high = (edges[z] - means[z]) / deviations[z], (edges[z + 1] - means[z]) / deviations[z]
    x = truncnorm.rvs(low, high, means[z], deviations[z], random_state=rng)
    return x, np.unique(cells, return_inverse=True)[1], edges[1:-1]

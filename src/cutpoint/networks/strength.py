"""How much the parents of a variable tell of it, in nats, and tables or equations in which they tell a given amount."""

import numpy as np

from cutpoint.networks.network import Network

MOST = 0.95  # of the variance
_FAINT, _SHARP = -8.0, 1.0  # logarithms of the powers that are tried: from nearly uniform rows on, not to certain ones
_STEPS = 40  # halvings of that range
_FLOOR = 1e-4  # of probabilities before a power is taken, so that zeros can be weakened too


def information(network: Network, codes: np.ndarray) -> np.ndarray:
    """Return the mutual information of variables and their parents by records, int [N, n]: nats, float64 [n]."""
    answer = []
    for table, parents in zip(network.tables, network.parents, strict=True):
        weights = frequencies(codes[:, list(parents)], table.shape[:-1])
        answer.append(_information(table.reshape(-1, table.shape[-1]), weights))
    return np.array(answer)


def variance_shares(nats: np.ndarray) -> np.ndarray:
    """Return the share of its variance that a variable owes to its parents if they tell so many nats, float64 [n].

    Of a normal variable that is its signal plus normal noise the information is -log(1 - share) / 2. At most `MOST`, so
    that nothing is nearly a function of its parents.
    """
    return np.minimum(1 - np.exp(-2 * nats), MOST)


def sharpened(table: np.ndarray, weights: np.ndarray, nats: float) -> np.ndarray:
    """Return a table whose rows, raised to one power, tell so many nats, as far as powers reach; weights: of rows."""
    logs = np.log(np.maximum(table.reshape(-1, table.shape[-1]), _FLOOR))
    low, high = _FAINT, _SHARP
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _information(_powered(logs, middle), weights) < nats else (low, middle)
    return _powered(logs, (low + high) / 2).reshape(table.shape)


def frequencies(codes: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Return the shares of the configurations of variables in codes, int [N, k], float64 [product of their sizes]."""
    places = np.ravel_multi_index(tuple(codes.T.astype(int)), sizes) if sizes else np.zeros(len(codes), int)
    return np.bincount(places, minlength=int(np.prod(sizes, dtype=int))) / len(codes)


def _powered(logs: np.ndarray, power: float) -> np.ndarray:
    raised = np.exp(np.exp(power) * (logs - logs.max(-1, keepdims=True)))
    return raised / raised.sum(-1, keepdims=True)


def _information(rows: np.ndarray, weights: np.ndarray) -> float:
    mean = weights @ rows
    each = np.where(rows > 0, rows * np.log(np.where(rows > 0, rows, 1.0)), 0.0)  # 0 log 0 is 0
    total = np.where(mean > 0, mean * np.log(np.where(mean > 0, mean, 1.0)), 0.0)
    return float(max(weights @ each.sum(-1) - total.sum(), 0.0))

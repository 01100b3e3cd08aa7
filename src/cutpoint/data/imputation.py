"""Missing cells filled in by chained predictive mean matching.

docs/knowledge.md says how and why. The regression only orders the records, so that a rough one does: ridge regression
on normal scores and their squares, and on indicators of the states; a discrete column is predicted by such indicators.
"""

from dataclasses import replace

import numpy as np
import scipy
from threadpoolctl import threadpool_limits

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import mean_ranks
from cutpoint.base.seeds import generator_for
from cutpoint.data.table import Table

DONORS = 5  # records of which one gives its value, as in mice
SWEEPS = 5  # turns over the columns, as in mice
RIDGE = 1.0  # on features of variance 1
JITTER = 1e-6  # of predictions of variance about 1, so that chance decides among records that are predicted alike


def impute(values: np.ndarray, discrete: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return values, float64 [N, n], whose missing cells, NaN, are filled in by donors that `rng` draws."""
    gaps, filled = np.isnan(values), np.array(values, float, order="F")
    if gaps.all(axis=0).any():
        raise InputError(f"column {int(gaps.all(axis=0).argmax())}: no cell is left to fill the others from")
    order = [i for i in np.argsort(gaps.sum(axis=0), kind="stable").tolist() if gaps[:, i].any()]
    for i in order:
        filled[gaps[:, i], i] = rng.choice(values[~gaps[:, i], i], int(gaps[:, i].sum()))
    blocks = [_features(x, keep) for x, keep in zip(filled.T, discrete, strict=True)]
    ends = np.cumsum([0, *(block.shape[1] for block in blocks)])
    features = np.asfortranarray(np.hstack(blocks))
    gram = features.T @ features
    for _ in range(SWEEPS):
        for i in order:
            own = slice(ends[i], ends[i + 1])
            filled[gaps[:, i], i] = _matched(features, gram, own, values[:, i], bool(discrete[i]), rng)
            features[:, own] = _features(filled[:, i], bool(discrete[i]))
            gram[own] = features[:, own].T @ features
            gram[:, own] = gram[own].T
    return filled


def filled(table: Table, seed: int) -> Table:
    """Return a table with its missing cells imputed, the same way for the same records and seed."""
    if not table.missing.any():
        return table
    kept = vars(table).setdefault("filled", {})  # as to fit takes the cells that were learned from
    if seed not in kept:
        values, order, rng = np.empty_like(table.values), table.order, generator_for(seed, "learn", "impute")
        places = np.ix_(table.records, order)
        with threadpool_limits(1, "blas"):
            values[places] = impute(table.values[places], table.discrete[order], rng)
        kept[seed] = replace(table, values=values)
        vars(kept[seed])["order"] = order  # methods see the columns as arranged with their gaps, whatever the seed
    return kept[seed]


def _features(column: np.ndarray, discrete: bool) -> np.ndarray:
    """Return what a full column, float64 [N], is in a regression, centred, float64 [N, k]."""
    columns = _target(column, discrete)
    if not discrete:
        columns = np.column_stack([columns, columns**2])
    return columns - columns.mean(axis=0)


def _target(column: np.ndarray, discrete: bool) -> np.ndarray:
    """Return what is predicted of a full column: its normal scores [N, 1], or indicators of its states [N, r]."""
    if discrete:
        return (column[:, None] == np.unique(column)).astype(float)
    return scipy.special.ndtri((mean_ranks(column) - 0.5) / len(column))[:, None]


def _matched(
    features: np.ndarray, gram: np.ndarray, own: slice, column: np.ndarray, discrete: bool, rng: np.random.Generator
) -> np.ndarray:
    """Return values for the missing cells of a column, whose features are those in `own`, from the nearest donors."""
    missing = np.isnan(column)
    donors = column[~missing]
    target = _target(donors, discrete)
    known = np.zeros((len(column), target.shape[1]))
    known[~missing] = target - target.mean(axis=0)
    rare = missing.mean() < 0.5  # then from the products of all records those of the few without a value are subtracted
    fewer = features[missing == rare]
    inner, right = fewer.T @ fewer, features.T @ known
    inner = gram - inner if rare else inner
    inner[own], inner[:, own], right[own] = 0, 0, 0
    predicted = features @ scipy.linalg.solve(inner + RIDGE * np.eye(len(gram)), right, assume_a="pos")
    predicted += JITTER * rng.standard_normal(predicted.shape)
    near = scipy.spatial.cKDTree(predicted[~missing]).query(predicted[missing], min(DONORS, len(donors)))[1]
    near = near.reshape(int(missing.sum()), -1)
    return donors[near[np.arange(len(near)), rng.integers(near.shape[1], size=len(near))]]

"""The degenerate Gaussian score: discrete and continuous columns as one Gaussian (Andrews, Ramsey and Cooper 2019)."""

import math

import numpy as np

from cutpoint.learners.kgv import KGV

# A direction with less than this share of the largest variance of a variable's indicators is none: they sum to 1.
_RANK = 1e-10


def degenerate_gaussian(values: np.ndarray, discrete: np.ndarray) -> KGV:
    """Return the degenerate Gaussian score of a data set; the empty graph has 0 and higher is better.

    A discrete column of r levels stands for r - 1 indicators, a continuous one for itself, and all of them together
    count as Gaussian: a family has N/2 ln(|R_i| |R_Pa| / |R_(i,Pa)|) - d_i d_Pa ln(N) / 2, d the numbers of columns,
    which is the difference of the BIC of two Gaussian networks (Andrews, Ramsey and Cooper 2019). With continuous
    columns alone it is `gaussian_bic` up to a constant.
    """
    columns = zip(np.ascontiguousarray(values.T, float), discrete, strict=True)
    rows = [indicators(x) if coded else centred(x[None]) for x, coded in columns]
    features = np.concatenate([*rows, np.empty((0, len(values)))])
    return KGV(values, [len(each) for each in rows], lambda records: features[:, records])


def indicators(codes: np.ndarray) -> np.ndarray:
    """Return orthonormal rows that span the centred indicators of the levels of a column, float64 [d, N]."""
    return centred((codes == np.unique(codes)[:, None]).astype(float))


def centred(rows: np.ndarray) -> np.ndarray:
    """Return orthonormal rows that span the centred rows, float64 [d, N]."""
    size = np.ptp(rows, axis=1, keepdims=True)
    centred = (rows - rows.mean(axis=1, keepdims=True)) / np.where(size > 0, size, 1.0)
    centred[size[:, 0] == 0] = 0.0
    centred -= centred.mean(axis=1, keepdims=True)
    eigenvalues, vectors = np.linalg.eigh(centred @ centred.T)
    kept = eigenvalues > _RANK * max(eigenvalues.max(initial=0.0), math.ulp(0.0))
    return (vectors[:, kept] / np.sqrt(eigenvalues[kept])).T @ centred

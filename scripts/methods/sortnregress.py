"""Sort and regress (Reisach et al. 2021, 2023) by CausalDisco: what an order of variances or of R2 alone gives away."""

import time

import numpy as np

from cutpoint import Learned


def load():
    """Import CausalDisco, once before the first run."""
    import CausalDisco.baselines  # noqa: F401


def learn(values, discrete, *, order="var"):
    """Return the DAG of a sparse regression of each column on those before it; columns with one value have no edges.

    Args:
        values: float64 [N, n], where codes of discrete columns count as numbers.
        discrete: not used.
        order: var or r2, by which columns are sorted.
    """
    from CausalDisco import baselines

    used = np.flatnonzero((values != values[:1]).any(axis=0))
    dag = np.zeros((values.shape[1],) * 2, bool)
    if used.size < 2:
        return Learned(dag=dag)
    start = time.process_time()
    weights = getattr(baselines, f"{order}_sort_regress")(values[:, used])
    dag[np.ix_(used, used)] = weights != 0
    return Learned(dag=dag, learn_seconds=time.process_time() - start)

"""Searches of bnlearn's C core without R, by bnlearn-port: on codes, values, or values that it discretizes itself."""

import time

import numpy as np

from cutpoint import Learned


def load():
    """Import bnlearn-port, once before the first run."""
    import pybnlearn  # noqa: F401


def learn(table, about, *, search="hc", score=None, hartemink=None, ibreaks=20, **options):
    """Return the DAG that bnlearn's hc or tabu finds; columns with one value have no edges.

    Args:
        table: int [N, n] codes, or float64 [N, n] values.
        about: int64 [n], numbers of levels; or of values bool [n], the discrete columns.
        search: hc or tabu.
        score: bnlearn's name, such as bde, bic, qnml, bge or bic-cg; None is its default. A Gaussian score takes codes
            of discrete columns as numbers. bic-cg needs both kinds of columns: without discrete ones it is bic-g.
        hartemink: levels of bnlearn's own discretization of the values, whose thresholds are halfway between
            neighbouring values of different levels.
        ibreaks: quantiles that it starts from.
        options: of the score or of the search, such as iss or maxp.
    """
    import pybnlearn

    size = table.shape[1]
    used = np.flatnonzero((table != table[:1]).any(axis=0))
    learned = Learned(dag=np.zeros((size, size), bool))
    if used.size < 2:
        return learned
    plain = score in ("bge", "bic-g") and hartemink is None
    frame = frame_of(table[:, used], about[used], plain=plain)
    if hartemink:
        start = time.process_time()
        frame = pybnlearn.discretize(frame, "hartemink", breaks=hartemink, ibreaks=ibreaks)
        learned.discretize_seconds = time.process_time() - start
        cuts = dict(zip(used.tolist(), thresholds_of(table[:, used], frame), strict=True))
        learned.thresholds = [cuts.get(i, np.empty(0)) for i in range(size)]
    if score == "bic-cg" and not any(frame.dtypes == "category"):
        score = "bic-g"
    start = time.process_time()
    network = getattr(pybnlearn, search)(frame, score=score, **options)
    learned.learn_seconds = time.process_time() - start
    learned.score_calls = int(pybnlearn.ntests(network))
    for source, target in network.arcs:
        learned.dag[used[int(source[1:])], used[int(target[1:])]] = True
    return learned


def frame_of(table, about, plain=False):
    """Return a pandas frame of codes or values; a plain one has numbers alone."""
    import pandas as pd

    coded = np.issubdtype(table.dtype, np.integer)
    columns = {}
    for i, column in enumerate(table.T):
        if plain or not (coded or about[i]):
            columns[f"v{i}"] = column.astype(float)
        else:
            levels = int(about[i]) if coded else int(column.max()) + 1
            columns[f"v{i}"] = pd.Categorical(column.astype(int), categories=range(levels))
    return pd.DataFrame(columns)


def thresholds_of(values, coded):
    """Return the thresholds of each column: halfway between neighbouring values of different levels."""
    thresholds = []
    for column, name in zip(values.T, coded, strict=True):
        rank = np.argsort(column, kind="stable")
        last = np.flatnonzero(np.diff(coded[name].cat.codes.to_numpy()[rank]))
        thresholds.append((column[rank[last]] + column[rank[last + 1]]) / 2)
    return thresholds

"""Searches of pyAgrum on codes: greedy hill climbing, tabu search, and MIIC."""

import os
import time
from tempfile import mkstemp

import numpy as np

from cutpoint import Learned


def learn(codes, cardinalities, *, search="greedy", score="BDeu", tabu_size=100, max_worse=2, correction="MDL"):
    """Return what pyAgrum learns with one thread.

    Args:
        codes: int [N, n].
        cardinalities: int64 [n].
        search: greedy, tabu or miic.
        score: of the two first, as in pyAgrum's names: BDeu, BIC, AIC, K2.
        tabu_size, max_worse: length of the list, and moves in a row that may lose.
        correction: of MIIC's mutual information: MDL, NML or No.

    Returns:
        A DAG, or a pattern of MIIC; pyAgrum does not count its score calls.
    """
    several = np.flatnonzero(np.asarray(cardinalities) > 1)  # a variable with one level would get arcs by chance
    graph = np.zeros((codes.shape[1],) * 2, bool)
    if several.size < 2:
        return Learned(dag=graph)
    learner = read(codes[:, several], cardinalities[several])
    start = time.process_time()  # without the import and the reading of data
    learner.setNumberOfThreads(1)
    if search == "miic":
        learner.useMIIC()
        getattr(learner, f"use{correction}Correction")()
        learned = learner.learnPDAG()
        for i, j in learned.edges():
            graph[several[i], several[j]] = graph[several[j], several[i]] = True
    else:
        getattr(learner, f"useScore{score}")()
        if search == "tabu":
            learner.useLocalSearchWithTabuList(tabu_size, max_worse)
        else:
            learner.useGreedyHillClimbing()
        learned = learner.learnDAG()
    for i, j in learned.arcs():
        graph[several[i], several[j]] = True
    seconds = time.process_time() - start
    if search == "miic":
        return Learned(cpdag=graph, kind="pdag", learn_seconds=seconds)
    return Learned(dag=graph, learn_seconds=seconds)


def read(codes, cardinalities):
    """Return a learner that has read codes, with all states of every variable, also those that no record has."""
    import pyagrum

    domains, names = pyagrum.BayesNet(), [f"v{i}" for i in range(len(cardinalities))]
    for name, levels in zip(names, cardinalities, strict=True):
        domains.add(pyagrum.RangeVariable(name, "", 0, int(levels) - 1))
    handle, path = mkstemp(suffix=".csv")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(",".join(names) + "\n")
            np.savetxt(file, codes, fmt="%d", delimiter=",")
        return pyagrum.BNLearner(path, domains)
    finally:
        os.unlink(path)  # it is read by now

"""Hill climbing of pgmpy on codes; its rule runs it in an environment of its own."""

import time

import numpy as np

from cutpoint import Learned


def load():
    """Import pgmpy, once before the first run."""
    import pgmpy.causal_discovery
    import pgmpy.structure_score  # noqa: F401


def learn(codes, cardinalities, *, score="BDeu", tabu_length=0, max_indegree=None, epsilon=1e-6, **options):
    """Return the DAG that pgmpy's hill climbing finds.

    Args:
        codes: int [N, n].
        cardinalities: int64 [n]; levels without a record count too.
        score: BDeu, BIC, AIC or K2; `options`, such as equivalent_sample_size, are its own.
        tabu_length: moves that are not undone, in a search that stops at the first optimum.
        max_indegree: most parents, or None.
        epsilon: least gain of a move.
    """
    import pandas as pd
    from pgmpy import structure_score
    from pgmpy.causal_discovery import HillClimbSearch

    names = [f"v{i}" for i in range(codes.shape[1])]
    types = {name: pd.CategoricalDtype(range(levels)) for name, levels in zip(names, cardinalities, strict=True)}
    frame = pd.DataFrame(codes, columns=names).astype(types)
    start = time.process_time()
    search = HillClimbSearch(
        getattr(structure_score, score)(frame, **options),
        tabu_length=tabu_length,
        max_indegree=max_indegree,
        epsilon=epsilon,
        return_type="dag",
        show_progress=False,
    )
    graph = search.fit(frame).causal_graph_
    dag = np.zeros((len(names),) * 2, bool)
    for source, target in graph.edges():
        dag[names.index(source), names.index(target)] = True
    return Learned(dag=dag, learn_seconds=time.process_time() - start)

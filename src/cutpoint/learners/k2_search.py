"""K2: parents come before their children in the order of the columns (Cooper and Herskovits 1992)."""

import numpy as np

from cutpoint.learners.greedy import AfterMove, Search
from cutpoint.learners.scores import LocalScore, network_score
from cutpoint.options import AtLeast0


def k2_search(score: LocalScore, *, max_parents: AtLeast0 | None = 2, after_move: AfterMove | None = None) -> Search:
    """Give each variable in turn the best of the variables before it as a parent, while the score of its family rises.

    Where the data are coded anew after a parent was added, the next one must beat the score that the family had before,
    under the old codes (Chen et al. 2017). Gains nearer than the `epsilon` of the score are equal, and the first wins.
    max_parents: of a variable, None for no limit; after_move: see `cutpoint.learners.greedy.AfterMove`. The calls of
    the result are the families that were compared.
    """
    n = score.n
    dag, calls, steps = np.zeros((n, n), bool), 0, 0
    for child in range(n):
        reached = score.family(child, ())
        while np.count_nonzero(dag[:, child]) < (n if max_parents is None else max_parents):
            parents = np.flatnonzero(dag[:, child])
            gains = np.where(dag[:child, child], -np.inf, score.gains(child, parents)[:child])
            calls += child - parents.size
            total = score.family(child, parents) + gains.max(initial=-np.inf)
            if not total > reached + score.epsilon:
                break
            dag[np.argmax(gains >= gains.max() - score.epsilon), child] = True
            reached, steps = total, steps + 1
            if after_move is not None and (revised := after_move(dag.copy())) is not None:
                score = revised
    return Search(dag, network_score(score, dag), calls, calls, steps, steps)

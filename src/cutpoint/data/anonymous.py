"""The columns that methods see: in an order and under names that say nothing of what stands in them.

Scores are equal for equivalent graphs, and searches take the first of equal moves. So the order of the columns decides
part of a graph, and must come neither from the true network nor from how a user names or arranges columns.
"""

import hashlib
from collections.abc import Sequence

import numpy as np


def anonymous(variables: Sequence[str]) -> dict[str, str]:
    """Return variables by the names of their columns, V01, V02, ... in the order that is given."""
    width = max(2, len(str(len(variables))))
    return {f"V{i:0{width}}": name for i, name in enumerate(variables, 1)}


def canonical_order(values: np.ndarray, discrete: np.ndarray) -> np.ndarray:
    """Return the places of columns, float64 [N, n], in an order that depends on their values alone, int64 [n].

    It is that of a hash of each column: the same columns under other names or in another order become the same table.
    Equal columns keep their order, which changes nothing in that table. discrete: bool [n], columns that hold codes.
    """
    columns = np.ascontiguousarray(np.asarray(values, "<f8").T) + 0.0  # -0 is 0
    digests = [hashlib.sha256(b"%d" % flag + x.tobytes()).digest() for flag, x in zip(discrete, columns, strict=True)]
    return np.array(sorted(range(len(digests)), key=digests.__getitem__), np.int64)

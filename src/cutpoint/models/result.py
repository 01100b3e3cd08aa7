"""The learned graph as an object with methods: fit it to records, draw it, or convert it for other libraries."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import numbered
from cutpoint.learners.learned import Learned
from cutpoint.models import peers
from cutpoint.models.fitting import fit

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Result(Learned):
    """What `cutpoint.learn` and the searches return: a `Learned` that can be fitted, drawn and converted.

    Graphs of other libraries have its equivalence class, `cpdag`. Drawings show it too, and leave the head of an arrow
    out where fewer than three of four searches agree on it (`shown`).
    """

    @classmethod
    def of(cls, learned: Learned) -> "Result":
        """Return what a method learned as a result."""
        return cls(**{one.name: getattr(learned, one.name) for one in fields(Learned)})

    fit = fit  # that of `cutpoint.models.fitting`, of this graph

    def _named(self, graph: np.ndarray | None) -> tuple[list[str], np.ndarray]:
        if graph is None:
            raise InputError("no graph was learned")
        return self.variables or numbered(len(graph)), np.asarray(graph, bool)

    def plot(self) -> "Figure":
        """Return a figure of the graph, parents above children."""
        return peers.figure(*self._named(self.shown()))

    def _repr_svg_(self) -> str | None:
        return None if self._pattern() is None else peers.svg(self.plot())

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz; an edge without a direction has no head."""
        return peers.dot(*self._named(self.shown()))

    def to_networkx(self) -> Any:
        """Return a ``networkx.DiGraph``; an undirected edge is an arc in both directions."""
        return peers.digraph(*self._named(self._pattern()))

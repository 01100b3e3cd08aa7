"""What the options of random networks and equations may be, without drawing one."""

from collections.abc import Sequence
from math import inf
from numbers import Real
from typing import Annotated, Literal

from annotated_types import Len

from cutpoint.base.errors import InputError

Range = Annotated[Sequence[float], Len(2, 2)]
Whole = Annotated[Sequence[int], Len(2, 2)]
Errors = Literal["normal", "uniform", "laplace", "exponential"]


def check_bounds(nodes: Range, density: Range, arcs: Range, max_parents: int, domains: Range) -> None:
    """Raise InputError for options of `random_network` that no network meets."""
    limits = {"nodes": (nodes, 2), "density": (density, 0), "arcs": (arcs, 1), "domains": (domains, 2)}
    for option, (bounds, least) in limits.items():
        pair = isinstance(bounds, Sequence) and len(bounds) == 2 and all(isinstance(b, Real) for b in bounds)
        if not pair or not least <= bounds[0] <= bounds[1] < inf:
            raise InputError(f"{option} must be two numbers of at least {least}, the lower first, not {bounds!r}")
        if option != "density" and any(bound != int(bound) for bound in bounds):
            raise InputError(f"{option} must be a range of whole numbers, not {list(bounds)}")
    if not isinstance(max_parents, Real) or max_parents < 1 or max_parents != int(max_parents):
        raise InputError(f"max_parents must be a whole number of at least 1, not {max_parents}")
    for n in range(int(nodes[0]), int(nodes[1]) + 1):
        few, many = (arcs_of(n, d, arcs) for d in density)
        if few < n - 1:
            option = "arcs" if arcs[1] < n - 1 else "density"
            raise InputError(f"{option}: {few} arcs cannot connect {n} nodes")
        if many > (most := n * (n - 1) // 2):
            option = "arcs" if arcs[0] > most else "density"
            raise InputError(f"{option}: {n} nodes have at most {most} arcs, not {many}")
        if many > (most := sum(min(i, max_parents) for i in range(n))):
            limit = f"at most {max_parents} parents have at most {most} arcs"
            raise InputError(f"max_parents: {n} nodes with {limit}, not {many}")


def arcs_of(n: int, density: float, arcs: Range) -> int:
    """Return the number of arcs of a network of n nodes: its density times n, within the range."""
    return int(min(max(round(density * n), arcs[0]), arcs[1]))

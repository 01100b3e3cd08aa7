"""Write BIF files of the networks of bnRep, of which you have downloaded the folder `data` of its repository.

    git clone https://github.com/manueleleonelli/bnRep
    uv run --with rdata==1.1.0 tools/bnrep.py bnRep/data bnrep

A study takes the folder under `networks: [bnrep/]`. Discrete and Gaussian networks are written; what is of neither
kind, or breaks the rules of BIF files, is named with its reason. M. Leonelli, "bnRep: A repository of Bayesian networks
from the academic literature", 2024.
"""

import sys
from pathlib import Path

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.networks.network import LinearGaussian, Network, read_network, two_levels, write_network


def network_of(name, fit):
    """Return the network of an object of bnlearn's class bn.fit as rdata reads it.

    Args:
        name: of the network.
        fit: by variable its ``parents`` and ``prob``, an array with named axes, the variable's own first; or its
            ``coefficients``, the intercept first, and ``sd``.

    Raises:
        InputError: the network is neither discrete nor Gaussian.
    """
    variables = tuple(map(str, fit))
    place = {variable: i for i, variable in enumerate(variables)}
    parents = tuple(tuple(place[str(parent)] for parent in local["parents"]) for local in fit.values())
    if all("prob" in local for local in fit.values()):
        return discrete(name, variables, parents, [local["prob"] for local in fit.values()])
    if all("sd" in local and np.ndim(local["sd"]) <= 1 and np.size(local["sd"]) == 1 for local in fit.values()):
        return gaussian(name, variables, parents, list(fit.values()))
    raise InputError(f"{name}: neither discrete nor Gaussian")


def discrete(name, variables, parents, tables):
    """Return a discrete network of tables whose axes are the variable's own and its parents; rows are rescaled."""
    states = tuple(tuple(map(str, table.coords[table.dims[0]].values)) for table in tables)
    for variable, above, table in zip(variables, parents, tables, strict=True):
        axes = [variable, *(variables[p] for p in above)]
        # the axis of a variable without parents has no name
        if len(above) and [str(axis) for axis in table.dims] != axes:
            raise InputError(f"{name}: the table of {variable} has the axes {list(table.dims)}")
    moved = [np.moveaxis(np.asarray(table.values, float), 0, -1) for table in tables]
    return Network(name, variables, states, parents, tuple(table / table.sum(-1, keepdims=True) for table in moved))


def gaussian(name, variables, parents, local):
    """Return a Gaussian network of intercepts, coefficients and standard deviations."""
    n = len(variables)
    equations = LinearGaussian(np.zeros(n), np.zeros(n), np.zeros((n, n)))
    for j, (above, one) in enumerate(zip(parents, local, strict=True)):
        coefficients = np.asarray(one["coefficients"], float)
        equations.intercepts[j], equations.variances[j] = coefficients[0], float(np.ravel(one["sd"])[0]) ** 2
        equations.weights[list(above), j] = coefficients[1:]
    return Network(name, variables, (("low", "high"),) * n, parents, tuple(two_levels(equations, parents)), equations)


def main(source, target):
    """Write a BIF file for each network of a folder and print what was left out."""
    import rdata

    Path(target).mkdir(parents=True, exist_ok=True)
    written = 0
    for path in sorted(Path(source).glob("*.rda")):
        for name, fit in rdata.read_rda(path).items():
            file = Path(target) / f"{name}.bif"
            try:
                write_network(network_of(str(name), fit), file)
                read_network(file)
                written += 1
            except (InputError, KeyError, ValueError, AttributeError, TypeError) as problem:
                file.unlink(missing_ok=True)
                print(f"{name}: left out: {problem}")
    print(f"{written} networks in {target}")


if __name__ == "__main__":
    main(*sys.argv[1:])

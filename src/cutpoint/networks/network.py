"""Bayesian networks: the shipped ones, those of BIF files, and samples from them.

A BIF file holds the linear equations of a published Gaussian network as properties of its variables,
``linear_gaussian = "intercept variance coefficients"``, the coefficients in the order of the parents. A variable has
two levels, low and high, whose tables are a stand-in computed when the file is read, see `two_levels`; what the file
says of them does not count.
"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from statistics import NormalDist

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.base.files import read_text
from cutpoint.base.seeds import generator
from cutpoint.base.text import suggest
from cutpoint.graphs.dags import find_cycle, topological_order, with_ancestors
from cutpoint.networks import bif

PROPERTY = "linear_gaussian"
_NORMAL = NormalDist()  # without SciPy, which the Snakefile is parsed without
_HALF_NORMAL = np.sqrt(2 / np.pi)  # mean of a standard normal variable that is above 0
_MARKS = {mark: mark[0] in "1T" for mark in ("0", "1", "0.0", "1.0", "FALSE", "TRUE", "False", "True")}
_HEADS = (["from", "to"], ["source", "target"], ["parent", "child"])


@dataclass(frozen=True, eq=False)
class LinearGaussian:
    """x_j = intercept_j + sum of w_ij x_i over the parents i + e_j, with independent normal e_j."""

    intercepts: np.ndarray  # float64 [n]
    variances: np.ndarray  # float64 [n], of the e_j, above 0
    weights: np.ndarray  # float64 [n, n], that of the arc i -> j in ``weights[i, j]``, 0 without one

    def of(self, places: np.ndarray) -> "LinearGaussian":
        """Return the equations of the same variables in another order."""
        return LinearGaussian(self.intercepts[places], self.variances[places], self.weights[np.ix_(places, places)])

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw n records, float64 [n, variables], columns contiguous; errors are drawn one variable after the other."""
        values = rng.standard_normal((len(self.weights), n)).T
        for j in topological_order(self.weights != 0):
            values[:, j] *= np.sqrt(self.variances[j])
            values[:, j] += self.intercepts[j]
            for i in np.flatnonzero(self.weights[:, j]).tolist():
                values[:, j] += self.weights[i, j] * values[:, i]
        return values

    def covariances(self) -> np.ndarray:
        """Return the covariances of the variables, float64 [n, n]."""
        effects = np.linalg.inv(np.eye(len(self.weights)) - self.weights)
        return effects.T @ np.diag(self.variances) @ effects


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """A Bayesian network, discrete or, with equations, Gaussian; see `network`.

    Attributes:
        name: as in the file, or the file's own name.
        variables: n names in the order of their declaration, which is the column order of samples.
        states: the names of the states by variable; the code of a state is its position.
        parents: the indices of the parents by variable.
        tables: float64 by variable, one axis per parent in their order and then the variable's own; each
            row (last axis) sums to 1.
        equations: those of a Gaussian network, whose tables are a stand-in; see `two_levels`.
    """

    name: str
    variables: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[np.ndarray, ...]
    equations: LinearGaussian | None = None

    def __post_init__(self) -> None:
        for table in self.tables:
            table.setflags(write=False)

    def __repr__(self) -> str:
        arcs = sum(map(len, self.parents))
        return f"<Network {self.name}: {len(self.variables)} variables, {arcs} arcs, {self.parameters} parameters>"

    @property
    def dag(self) -> np.ndarray:
        """The arcs, bool [n, n]: ``dag[i, j]`` is i -> j."""
        dag = np.zeros((len(self.variables), len(self.variables)), bool)
        for child, parents in enumerate(self.parents):
            dag[list(parents), child] = True
        return dag

    def places(self, variables: Sequence[str]) -> np.ndarray:
        """Return the indices of some variables, int64 [n]."""
        places = {name: i for i, name in enumerate(self.variables)}
        if unknown := [name for name in variables if name not in places]:
            raise InputError(f"network {self.name}: no variable {unknown[0]!r}")
        return np.array([places[name] for name in variables], np.int64)

    def dag_of(self, variables: Sequence[str]) -> np.ndarray:
        """Return the arcs between some variables in their order, bool [n, n]; see `places`."""
        order = self.places(variables)
        return self.dag[np.ix_(order, order)]

    @property
    def cardinalities(self) -> np.ndarray:
        """The number of states of each variable, int64 [n]."""
        return np.array([len(states) for states in self.states], np.int64)

    @property
    def parameters(self) -> int:
        """The number of free probabilities, or of intercepts, variances and coefficients of a Gaussian network."""
        if self.equations is not None:
            return 2 * len(self.variables) + sum(map(len, self.parents))
        return sum(table.size - table[..., 0].size for table in self.tables)

    def marginal(self, variables: Sequence[int]) -> np.ndarray:
        """Return the exact joint distribution of a few variables, one axis each, by summing over their ancestors."""
        place = {v: k for k, v in enumerate(np.flatnonzero(with_ancestors(self.dag, variables)).tolist())}
        factors: list = []
        for v in place:
            factors += [self.tables[v], [*(place[p] for p in self.parents[v]), place[v]]]
        return np.einsum(*factors, [place[v] for v in variables], optimize=True)

    def counts(self) -> dict[str, int]:
        """Return the columns of Table V-1 (Fu 2005): variables, edges, degrees and domain range."""
        dag, cardinalities = self.dag, self.cardinalities
        return {
            "variables": len(self.variables),
            "edges": int(dag.sum()),
            "max_in_degree": int(dag.sum(axis=0).max()),
            "max_out_degree": int(dag.sum(axis=1).max()),
            "domain_min": int(cardinalities.min()),
            "domain_max": int(cardinalities.max()),
        }


def equations_of(network: Network) -> LinearGaussian:
    """Return the equations of a Gaussian network."""
    if network.equations is None:
        raise InputError(f"network {network.name!r} has no equations of its own; own_sem is for Gaussian networks")
    return network.equations


def read_network(path: str | Path) -> Network:
    """Read a network from a BIF file, or a graph from a CSV file, a matrix or a list of arcs, at a path.

    Its name is that of the file where the text has none or "unknown". An InputError has the file, the line or variable,
    and what is wrong with it.

    Examples:
        >>> cp.write_network(network, "asia.bif")
        >>> cp.read_network("asia.bif")
        <Network asia: 8 variables, 8 arcs, 18 parameters>
    """
    file = Path(path)
    parse = _graph_of_csv if file.suffix == ".csv" else bif.parse
    name = file.name.removesuffix(".gz").removesuffix(".bif").removesuffix(".csv")
    return from_content(parse(read_text(file), str(file)), name, str(file))


def _graph_of_csv(text: str, source: str) -> bif.BifContent:
    """Return a graph as the content of a network whose variables have one level.

    A matrix has 1 in the row of the parent and the column of the child; names may stand before the rows too. In a list
    each line has a parent and a child, or a variable without arcs.
    """
    rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines()) if any(map(str.strip, row))]
    size = max(len(rows) - 1, 1)
    cells = [row[-size:] for row in rows[1:]]
    if cells and all(len(row) == size and {*row} <= {*_MARKS} for row in cells):
        names = rows[0][-size:]
        arcs = [(names[i], names[j]) for i, j in np.argwhere([[_MARKS[cell] for cell in row] for row in cells])]
    elif rows and all(len(row) < 3 for row in rows):
        rows = rows[1:] if [cell.lower() for cell in rows[0]] in _HEADS else rows
        names, arcs = [*dict.fromkeys(name for row in rows for name in row)], [(x, y) for x, *ys in rows for y in ys]
    else:
        what = "neither a square matrix of 0 and 1 under the names of its variables nor a list of arcs"
        raise InputError(f"{source}: {what}")
    parents = {name: [x for x, y in arcs if y == name] for name in names}
    tables = {name: np.ones((1,) * (len(those) + 1)) for name, those in parents.items()}
    return bif.BifContent(states={name: ["any"] for name in names}, parents=parents, tables=tables)


def read_all(paths: Iterable[str | Path]) -> dict[str, Network]:
    """Return the networks of some files, or of folders of files, by the names of the files; see `read_network`."""
    files = [file for path in map(Path, paths) for file in (sorted(path.glob("*.bif")) if path.is_dir() else [path])]
    return {file.stem: read_network(file) for file in files}


def from_content(content: bif.BifContent, file_name: str, source: str) -> Network:
    """Return the network that a file describes; the name of the file is that of a network without one."""
    index = {variable: i for i, variable in enumerate(content.states)}
    network = Network(
        name=content.name if content.name not in ("", "unknown") else file_name,
        variables=tuple(index),
        states=tuple(tuple(states) for states in content.states.values()),
        parents=tuple(tuple(index[parent] for parent in content.parents[name]) for name in index),
        tables=tuple(content.tables[name] for name in index),
    )
    if cycle := find_cycle(network.dag):
        names = [network.variables[i] for i in [*cycle, cycle[0]]]
        raise InputError(f"{source}: the arcs make a cycle: {' -> '.join(names)}")
    texts = [content.properties.get(name, {}).get(PROPERTY) for name in network.variables]
    if (equations := from_properties(texts, network.parents, source, network.variables)) is None:
        return network
    if (network.cardinalities != 2).any():
        raise InputError(f"{source}: variables of a Gaussian network have two levels, below and above the mean")
    return replace(network, tables=tuple(two_levels(equations, network.parents)), equations=equations)


def from_properties(
    texts: Sequence[str | None], parents: Sequence[Sequence[int]], source: str, names: Sequence[str]
) -> LinearGaussian | None:
    """Return the equations that the properties of the variables of a file say, None where no variable has one."""
    if not any(texts):
        return None
    n = len(texts)
    equations = LinearGaussian(np.zeros(n), np.zeros(n), np.zeros((n, n)))
    for j, text in enumerate(texts):
        try:
            numbers = [float(word) for word in (text or "").split()]
        except ValueError:
            numbers = []
        if len(numbers) != 2 + len(parents[j]) or not np.isfinite(numbers).all() or not numbers[1] > 0:
            what = f"an intercept, a variance above 0 and {len(parents[j])} coefficients"
            raise InputError(f"{source}: variable {names[j]!r}: {PROPERTY} must be {what}, not {text!r}")
        equations.intercepts[j], equations.variances[j] = numbers[:2]
        equations.weights[list(parents[j]), j] = numbers[2:]
    return equations


def to_properties(equations: LinearGaussian, parents: Sequence[Sequence[int]]) -> list[str]:
    """Return the text of each variable's property, which `from_properties` reads back exactly."""
    own = zip(equations.intercepts.tolist(), equations.variances.tolist(), strict=True)
    coefficients = [equations.weights[list(above), j].tolist() for j, above in enumerate(parents)]
    return [" ".join(map(repr, (*two, *more))) for two, more in zip(own, coefficients, strict=True)]


def two_levels(equations: LinearGaussian, parents: Sequence[Sequence[int]]) -> list[np.ndarray]:
    """Return tables of a discrete stand-in with the same arcs: levels below and above the mean of each variable.

    A parent that is low or high stands at the mean of its half of the normal distribution, so that the tables are not
    those of the Gaussian network, of which the levels are no Bayesian network with these arcs.
    """
    spreads = _HALF_NORMAL * np.sqrt(np.diag(equations.covariances()))
    tables = []
    for j, above in enumerate(parents):
        steps = equations.weights[list(above), j] * spreads[list(above)]
        signs = np.array(list(product((-1, 1), repeat=len(above)))).reshape(2 ** len(above), len(above))
        high = np.array([_NORMAL.cdf(z) for z in signs @ steps / np.sqrt(equations.variances[j])])
        tables.append(np.stack([1 - high, high], -1).reshape((2,) * (len(above) + 1)))
    return tables


def write_network(network: Network, path: str | Path) -> None:
    """Write a network to a path, as a BIF file that `read_network` reads back exactly; InputError where it cannot."""
    text = bif.render(content_of(network))
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def content_of(network: Network) -> bif.BifContent:
    """Return what a file says of a network."""
    names = network.variables
    texts = to_properties(network.equations, network.parents) if network.equations else []
    return bif.BifContent(
        name=network.name,
        states={name: list(states) for name, states in zip(names, network.states, strict=True)},
        parents={name: [names[i] for i in pa] for name, pa in zip(names, network.parents, strict=True)},
        tables=dict(zip(names, network.tables, strict=True)),
        properties={name: {PROPERTY: text} for name, text in zip(names, texts, strict=bool(texts))},
    )


def network_names() -> list[str]:
    """Return the sorted names of the shipped networks; see `network`."""
    return sorted(path.stem for path in network_folder().glob("*.bif"))


def network_folder() -> Path:
    """Return where the networks are."""
    return user_code.ROOT / "data" / "networks"


def network(name: str) -> Network:
    """Return one of the shipped networks, such as "alarm"; a name not among `network_names` is an InputError.

    Examples:
        >>> cp.network(cp.network_names()[0])
        <Network alarm: 37 variables, 46 arcs, 509 parameters>
    """
    names = network_names()
    if name not in names:
        raise InputError(f"unknown network {name!r}{suggest(name, names)}; or read a BIF file")
    return read_network(network_folder() / f"{name}.bif")


def sample(network: Network, n: int, seed: int | np.random.SeedSequence | np.random.Generator) -> np.ndarray:
    """Draw independent records of a network by ancestral sampling: int32 codes [n, variables], columns contiguous.

    Args:
        network, n: where to draw from, and the number of records.
        seed: anything that `numpy.random.default_rng` takes; InputError for others.

    Examples:
        >>> cp.sample(network, n=2, seed=1).shape
        (2, 8)
    """
    if not isinstance(n, int | np.integer) or n < 0:
        raise InputError(f"n: a number of records is expected, not {n!r}")
    uniform = generator(seed).random((len(network.variables), n))
    codes = np.zeros((n, len(network.variables)), np.int32, order="F")
    for i in topological_order(network.dag):
        table = network.tables[i]
        parents = tuple(codes[:, parent] for parent in network.parents[i])
        row = np.ravel_multi_index(parents, table.shape[:-1]) if parents else 0
        cumulative = table.reshape(-1, table.shape[-1]).cumsum(axis=1)
        # the last sum is exactly 1 and a draw below it, so that a state of probability 0 never comes up
        cumulative /= cumulative[:, -1:]
        for bound in cumulative.T[:-1]:
            codes[:, i] += uniform[i] >= bound[row]
    return codes

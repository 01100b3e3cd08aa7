"""Measure how searches, thresholds and whole methods grow with the numbers of records and variables.

    uv run --group bench python benchmarks/growth.py searches       # a minute
    uv run --group bench python benchmarks/growth.py thresholds     # four minutes
    uv run --group bench python benchmarks/growth.py methods --methods eqfreq3 steck3 bach

CPU seconds with one thread, kernels compiled, the least of several repetitions, and the exponent of the power law
that the study `growth` fits too. Searches: the first variables of Hailfinder without noise, BDeu, counting included.
Thresholds: the variables of Child with Gaussian noise, each given its true Markov blanket with three levels of equal
frequency; the mean over variables, and what a list lacks of the best score in nats. Methods: linear Gaussian data.
"""

import argparse
from functools import partial

from timing import SEED, cpu, noisy_codes  # isort: skip; it sets the numbers of threads
import numpy as np
from cutpoint.bench.studies.growth.powers import power_law

import cutpoint as cp
from cutpoint.discretization.exact import Exact
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.rules import RULES
from cutpoint.learners.boss import boss
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.order import exact, order_search
from cutpoint.learners.scores import bdeu
from cutpoint.method.rows import method_of

SEARCHES = {"exact": exact, "order search": order_search, "boss": boss, "tabu": tabu, "hill climbing": hill_climbing}
MOST = 25  # variables of the exact search
COARSE = 1000
WAYS = ("best", f"{COARSE} candidates", "greedy")
NEAR = 10  # a variable has its parents among so many before it


def print_growth(name, sizes, seconds):
    """Print the CPU seconds at each size that was run, and the exponent of their power law."""
    exponent = float(power_law(np.array(sizes, float), np.array(seconds, float), sizes[0]).exponent)
    print(f"{name:32s}" + "".join(f"{each:10.4f}" for each in seconds) + f"{exponent:10.2f}", flush=True)


def print_heads(title, sizes):
    print(f"\n{title:32s}" + "".join(f"{size:10d}" for size in sizes) + f"{'exponent':>10s}")


def searches(arguments):
    """Measure searches by the number of variables with 1000 records, and of records with 20 variables."""
    network = cp.network("hailfinder")
    codes, levels = cp.sample(network, max(arguments.records), seed=SEED), network.cardinalities
    counts = [n for n in arguments.variables if n <= codes.shape[1]]
    for title, sizes in (
        ("variables, 1000 records", [(n, 1000) for n in counts]),
        ("records, 20 variables", [(20, size) for size in arguments.records]),
    ):
        by_variables = title.startswith("variables")
        print_heads(title, [size[0 if by_variables else 1] for size in sizes])
        for name, search in SEARCHES.items():
            ran = [size for size in sizes if search is not exact or size[0] <= MOST]
            calls = [partial(scored, search, codes[:records, :n], levels[:n]) for n, records in ran]
            calls[0]()  # compiles
            seconds = [cpu(call, arguments.repeat)[0] for call in calls]
            print_growth(name, [n if by_variables else records for n, records in ran], seconds)


def scored(search, codes, levels):
    return search(bdeu(codes, levels))


def thresholds(arguments):
    """Measure the best thresholds of one variable against coarse and greedy ones."""
    network = cp.network("child")
    for name, rule in RULES.items():
        found = [best_and_greedy(rule, noisy_codes(network, n), network.dag, arguments) for n in arguments.records]
        print_heads(f"{name}, records", arguments.records)
        for k, way in enumerate(WAYS):
            print_growth(way, arguments.records, [seconds[k] for seconds, _ in found])
            print(f"{'  lacks, nats':32s}" + "".join(f"{lacks[k]:10.3f}" for _, lacks in found))


def best_and_greedy(rule, values, dag, arguments):
    """Return mean CPU seconds of the three ways and what their scores lack of the best one's."""
    discrete, graph = np.zeros(values.shape[1], bool), Neighbourhood(dag)
    discretization = Discretization(values, cp.discretize(values, "equal_frequency", bins=3))
    fine, coarse = (
        Exact(values, discrete, rule.kernel, rule.accepts, max_levels=10, candidates=count) for count in (None, COARSE)
    )

    def measured(variable, repeat):
        seconds, scores = [], []
        for way, method in zip(WAYS, (fine, coarse, fine), strict=True):
            view = method.view(variable, graph.families[variable], discretization)
            find = method.grow if way == "greedy" else method.find
            took, (positions, _) = cpu(partial(find, variable, view, discretization), repeat, enough=0.5)
            parts = np.empty_like(view.families.parts[0])
            method.evaluate(variable, view, method.columns.cuts(variable, positions), parts)
            seconds.append(took)
            scores.append(parts.sum())
        return seconds, scores

    measured(0, 1)  # compiles
    seconds, scores = np.swapaxes([measured(i, arguments.repeat) for i in range(values.shape[1])], 0, 1)
    return seconds.mean(0), (scores[:, :1] - scores).mean(0)


def methods(arguments):
    """Measure whole methods by the numbers of variables and of records, the other one the least."""
    learners = {name: method_of(name, {}) for name in arguments.methods}
    few, short = min(arguments.variables), min(arguments.records)
    for title, sizes in (
        (f"variables, {short} records", [(n, short) for n in arguments.variables]),
        (f"records, {few} variables", [(few, size) for size in arguments.records]),
    ):
        by_variables = title.startswith("variables")
        names = [n if by_variables else records for n, records in sizes]
        print_heads(title, names)
        data = [linear_gaussian(*size) for size in sizes]
        for name, method in learners.items():
            method.warm()
            calls = [partial(method.learn, values, np.zeros(values.shape[1], bool)) for values in data]
            print_growth(name, names, [cpu(call, arguments.repeat)[0] for call in calls])


def linear_gaussian(variables, records):
    """Return records of a linear Gaussian network with up to two parents near by a variable, float64 [N, n]."""
    rng = np.random.default_rng(SEED)
    values = np.empty((records, variables), order="F")
    for i in range(variables):
        near = np.arange(max(0, i - NEAR), i)
        parents = rng.choice(near, min(2, near.size), replace=False)
        values[:, i] = rng.standard_normal(records) + 0.7 * values[:, parents].sum(axis=1)
        values[:, i] /= values[:, i].std()
    return values


def main():
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["searches", "thresholds", "methods"])
    parser.add_argument("--variables", type=int, nargs="+", default=[10, 15, 20, 25, 37, 56], help="rising")
    parser.add_argument("--records", type=int, nargs="+", default=[500, 1000, 2000, 5000, 10000], help="rising")
    parser.add_argument("--methods", nargs="+", default=["eqfreq3", "steck3", "bach"], help="rows of methods.yaml")
    parser.add_argument("--repeat", type=int, default=3, help="repetitions, the least counts")
    arguments = parser.parse_args()
    {"searches": searches, "thresholds": thresholds, "methods": methods}[arguments.what](arguments)


if __name__ == "__main__":
    main()

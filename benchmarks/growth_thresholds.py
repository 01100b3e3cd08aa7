"""Measure the best thresholds of one variable against the greedy ones as the number of records grows.

    uv run python benchmarks/growth_thresholds.py --figure docs/images/growth_thresholds.png

Variables of a network, with Gaussian noise around their codes, each given its true Markov blanket with three
levels of equal frequency. CPU seconds of one variable, one thread, kernels compiled, mean over the variables of
the least of several repetitions; what a list lacks of the best one's score, in nats, mean over the variables.
"""

import argparse
import os
import time

for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = "1"

import numpy as np

import cutpoint as cp
from cutpoint.bench.plots.lines import Line, Panel, rows_of_lines
from cutpoint.bench.simulation.noise import gaussian
from cutpoint.discretization.exact import Exact
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.rules import RULES
from cutpoint.plots.style import save

COARSE = 1000
WAYS = ("best", f"{COARSE} candidates", "greedy")


def best_of(function, most):
    """Return the least CPU seconds of up to `most` calls, fewer when one takes long, and the last result."""
    least, result = np.inf, None
    for _ in range(most):
        began = time.process_time()
        result = function()
        least = min(least, time.process_time() - began)
        if least > 0.5:
            break
    return least, result


def measure_variable(variable, methods, graph, discretization, most):
    """Return seconds and scores of the three ways, the scores up to a constant."""
    seconds, scores = [], []
    for way, method in zip(WAYS, methods, strict=True):
        view = method.view(variable, graph.families[variable], discretization)
        find = method.grow if way == "greedy" else method.find
        took, (positions, _) = best_of(lambda find=find, view=view: find(variable, view, discretization), most)
        parts = np.empty_like(view.families.parts[0])
        method.evaluate(variable, view, method.columns.cuts(variable, positions), parts)
        seconds.append(took)
        scores.append(parts.sum())
    return seconds, scores


def measure(name, values, dag, most, repeat):
    """Return mean seconds and mean loss of the three ways, and the share of variables where greedy loses."""
    discrete, rule = np.zeros(values.shape[1], bool), RULES[name]
    graph = Neighbourhood(dag)
    discretization = Discretization(values, cp.discretize(values, "equal_frequency", bins=3))
    exact, coarse = (
        Exact(values, discrete, rule.kernel, rule.accepts, max_levels=most, candidates=c) for c in (None, COARSE)
    )
    methods = (exact, coarse, exact)
    measure_variable(0, methods, graph, discretization, 1)  # compiles
    both = [measure_variable(i, methods, graph, discretization, repeat) for i in range(values.shape[1])]
    seconds, scores = (np.array(each) for each in zip(*both, strict=True))
    losses = scores[:, :1] - scores
    return seconds.mean(axis=0), losses.mean(axis=0), float((losses[:, 2] > 1e-6).mean())


def draw(sizes, seconds, title):
    """Return the figure: a panel for each score."""
    shown = []
    for name, rows in seconds.items():
        lines = [Line(way, np.array(sizes, float), np.array([row[k] for row in rows])) for k, way in enumerate(WAYS)]
        shown.append(Panel(name.capitalize(), lines, "records N", {n: f"{n // 1000}k" for n in sizes if n >= 1000}))
    return rows_of_lines(shown, ylabel="CPU seconds per variable", title=title, log=True)


def main():
    """Read the command line, measure, print a table and draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", default="child", help="a shipped network")
    parser.add_argument("--n", type=int, nargs="+", default=[500, 1000, 2000, 5000, 10000], help="records")
    parser.add_argument("--sigma", type=float, default=0.35, help="noise around the codes")
    parser.add_argument("--max-levels", type=int, default=10, help="the most levels")
    parser.add_argument("--repeat", type=int, default=3, help="repetitions, the least counts")
    parser.add_argument("--figure", help="where to save a figure")
    arguments = parser.parse_args()
    network = cp.network(arguments.network)
    print(f"{arguments.network}, sigma = {arguments.sigma}, at most {arguments.max_levels} levels")
    print(f"{'':10s}{'N':>7s}" + "".join(f"{way + ', ms':>21s}" for way in WAYS) + "".join(
        f"{'loss of ' + way:>25s}" for way in WAYS[1:]) + f"{'greedy loses':>14s}")  # fmt: skip
    seconds = {name: [] for name in RULES}
    for name, rows in seconds.items():
        for n in arguments.n:
            codes = cp.sample(network, n, seed=2005)
            values = gaussian(codes, arguments.sigma, np.random.default_rng(2005))
            took, losses, share = measure(name, values, network.dag, arguments.max_levels, arguments.repeat)
            rows.append(took)
            print(f"{name:10s}{n:7d}" + "".join(f"{1e3 * each:21.3f}" for each in took) + "".join(
                f"{each:25.3f}" for each in losses[1:]) + f"{share:14.0%}", flush=True)  # fmt: skip
        slopes = np.polyfit(np.log(arguments.n), np.log(np.array(rows)), 1)[0] if len(rows) > 1 else []
        print(f"{name:17s}" + "".join(f"{f'N^{slope:.2f}':>21s}" for slope in slopes))
    if arguments.figure:
        title = f"Thresholds of one variable of {arguments.network}, at most {arguments.max_levels} levels"
        save(draw(arguments.n, seconds, title), arguments.figure)


if __name__ == "__main__":
    main()

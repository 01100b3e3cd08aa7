"""Measure MGCD against the same method with EM written down as it is printed, and against its rivals.

    uv run python benchmarks/mgcd.py --networks 3 --n 1000 5000 10000

Every figure is CPU seconds of one run, one thread, kernels compiled, mean over random networks with values
in intervals of random lengths. What matters are the ratios in one line: the plain way has the same loop and
the same compiled language, an exponential of the C library for every record and component, starts from quantiles,
from the split of the widest component and from the last parameters, and every number of components on all records.
"""

import argparse
import math
from functools import partial

from timing import cpu  # isort: skip; it sets the numbers of threads
import numpy as np
from numba import njit

import cutpoint as cp
from cutpoint.bench.simulation.intervals import draw_intervals, in_intervals
from cutpoint.discretization.mixtures import Clustering, Mixture, penalty, thresholds
from cutpoint.kernels.blankets import compact, refine
from cutpoint.method.rows import method_rows, parse

METHODS = ("mgcd", "ruichu", "friedman_tabu")


@njit(cache=True)
def plain_em(x, cells, means, deviations, weights, rise, steps, floor):
    """Run EM in place (Mabrouk et al. 2015, Proposition 1); return the log-likelihood."""
    rows, size = x.size, means.size
    share, before, value = np.empty(size), -np.inf, -np.inf
    for _ in range(steps):
        before, value = value, 0.0
        held, first, second = np.zeros(weights.shape), np.zeros(size), np.zeros(size)
        for m in range(rows):
            total = 1e-300
            for k in range(size):
                z = (x[m] - means[k]) / deviations[k]
                share[k] = weights[cells[m], k] * math.exp(-0.5 * z * z) / (deviations[k] * 2.5066282746310002)
                total += share[k]
            value += math.log(total)
            for k in range(size):
                part = share[k] / total
                held[cells[m], k] += part
                first[k] += part * x[m]
                second[k] += part * x[m] * x[m]
        if value - before < rise:
            break
        for j in range(weights.shape[0]):
            weights[j] = held[j] / held[j].sum()
        for k in range(size):
            count = max(held[:, k].sum(), 1e-12)
            means[k] = first[k] / count
            deviations[k] = max(math.sqrt(max(second[k] / count - means[k] ** 2, 0.0)), floor)
    return value


class Plain(Clustering):
    """The same discretizer without anything that makes it fast."""

    def _learn(self, variable, blanket, discretization):
        column = self._columns[variable]
        cells, q = np.zeros(column.order.size, np.uint32), 1
        for v in blanket:
            q = refine(cells, q, discretization.codes[v], discretization.levels[v], column.order, cells)
        q = compact(cells, q)
        best, runs, fitted = None, 0, None
        for size in range(2, 9):
            starts = [column.quantile_start(tuple(k / size for k in range(1, size)))]
            if fitted is not None:
                starts.append(split_widest(fitted))
            previous = self._previous.get(variable)
            if previous is not None and len(previous.means) == size:
                starts.append((previous.means, previous.deviations))
            found = [fit(column.x, cells, q, *start) for start in starts]
            runs += len(found)
            fitted = max(found, key=lambda each: each.log_likelihood)
            value = fitted.log_likelihood - penalty(q, size, column.x.size)
            if best is None or value > best[0]:
                best = value, fitted
        self._previous[variable] = best[1]
        return thresholds(column, best[1]), runs


def fit(x, cells, q, means, deviations):
    """Return the mixture that EM reaches from a start."""
    means, deviations = means.copy(), np.maximum(deviations, 1e-3)
    weights = np.full((q, means.size), 1 / means.size)
    value = plain_em(x, cells, means, deviations, weights, 1e-5 * x.size, 100, 1e-3)
    order = np.argsort(means)
    return Mixture(means[order], deviations[order], weights[:, order], value)


def split_widest(mixture):
    """Return means and deviations with the widest component split in two."""
    k = int(np.argmax(mixture.deviations))
    mean, deviation = mixture.means[k], mixture.deviations[k]
    means = np.append(mixture.means, mean + deviation)
    means[k] = mean - deviation
    return means, np.append(mixture.deviations, deviation)


def data(seed, n):
    """Return values in truncated normal intervals of a random network, float64 [n, variables]."""
    network = cp.random_network(seed)
    intervals = draw_intervals(network.cardinalities, np.random.default_rng(seed), sd=(0.1, 0.5))
    return in_intervals(cp.sample(network, n, seed), intervals, np.random.default_rng(seed + 1))


def mean_cpu(method, sets):
    """Return the mean CPU seconds of one run over data sets."""
    calls = [partial(method.learn, values, np.zeros(values.shape[1], bool)) for values in sets]
    return float(np.mean([cpu(call, 1)[0] for call in calls]))


def main():
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=int, default=3, help="how many random networks")
    parser.add_argument("--n", type=int, nargs="+", default=[1000, 5000, 10000], help="records")
    arguments = parser.parse_args()
    rows = {name: method_rows()[name] for name in METHODS}
    rows["plain"] = rows["mgcd"] | {"policy": f"{__file__}:plain_mgcd"}
    methods = {name: parse(row) for name, row in rows.items()}
    for method in methods.values():
        method.warm()
    print(f"{'N':>6s}" + "".join(f"{name:>15s}" for name in rows) + f"{'plain / mgcd':>15s}")
    for n in arguments.n:
        sets = [data(seed, n) for seed in range(arguments.networks)]
        seconds = {name: mean_cpu(method, sets) for name, method in methods.items()}
        line = "".join(f"{value:15.3f}" for value in seconds.values())
        print(f"{n:6d}{line}{seconds['plain'] / seconds['mgcd']:15.1f}")


def plain_mgcd(values, discrete, *, search, **options):
    """Run `cutpoint.discretization.mixtures.mgcd` with the plain discretizer."""
    from unittest import mock

    from cutpoint.discretization import mixtures

    with mock.patch.object(mixtures, "Clustering", Plain):
        return mixtures.mgcd(values, discrete, search=search)


if __name__ == "__main__":
    main()

"""Measure whole integrated methods against binning with the same search on the same data.

    uv run python benchmarks/integrated.py --n 5000 50000

CPU seconds of one run, the least of several, one thread, kernels compiled; beside them the ratio to equal frequency
with the same search, searches and discretization apart. Codes of a network with Gaussian noise.
"""

import argparse
from functools import partial

from timing import cpu, noisy_codes  # isort: skip; it sets the numbers of threads
import numpy as np

import cutpoint as cp
from cutpoint.method.rows import method_of

METHODS = ("eqfreq3", "friedman3", "monti3", "steck3")
SEARCHES = ("hill_climbing", "boss")


def main():
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", default="hailfinder", help="a shipped network")
    parser.add_argument("--n", type=int, nargs="+", default=[5000, 50_000], help="records")
    parser.add_argument("--repeat", type=int, default=2, help="runs, the fastest counts")
    arguments = parser.parse_args()
    network = cp.network(arguments.network)
    print(f"{'N':>8s} {'search':15s}{'method':10s}{'CPU s':>8s}{'searches':>10s}{'ratio':>7s}")
    for n in arguments.n:
        values = noisy_codes(network, n)
        for search in SEARCHES:
            unit = None
            for name in METHODS:
                method = method_of(name, {"learner": search})
                method.warm()
                whole, learned = cpu(partial(method.learn, values, np.zeros(values.shape[1], bool)), arguments.repeat)
                unit = unit or whole
                line = f"{whole:8.3f}{learned.learn_seconds:10.3f}{whole / unit:7.1f}"
                print(f"{n:8d} {search:15s}{name:10s}{line}", flush=True)


if __name__ == "__main__":
    main()

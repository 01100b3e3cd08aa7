"""Measure how the searches grow with the numbers of variables and records, and what they reach.

    uv run --group bench python benchmarks/growth.py --figure docs/images/growth_searches.png

The data are the first variables of Hailfinder, without noise; BDeu with an equivalent sample size of 1.
Figures are CPU seconds with one thread, kernels compiled, counting included, the smallest of several repetitions.
"""

import argparse
from functools import partial

from compare import cpu  # first: it sets the numbers of threads
from numpy import array, nan

import cutpoint as cp
from cutpoint.bench.plots.lines import Line, Panel, rows_of_lines
from cutpoint.learners.exact import exact
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.order import order_search
from cutpoint.learners.scores import bdeu
from cutpoint.plots.style import save

SEARCHES = {
    "exact, 5 parents": exact,
    "order search, 3 parents": order_search,
    "tabu": tabu,
    "hill climbing": hill_climbing,
}
MOST = 25  # variables of the exact search
VARIABLES, RECORDS = (10, 15, 18, 20, 22, 25, 37, 56), (250, 500, 1000, 2000, 5000, 20000)


def measure(codes, levels, n, records, most):
    """Return CPU seconds and score by search, for the first variables and records."""
    found = {}
    for name, search in SEARCHES.items():
        if search is not exact or n <= MOST:
            call = partial(search_scored, search, codes[:records, :n], levels[:n])
            seconds, result = cpu(call, most)
            found[name] = (seconds, result.score, result.evaluations)
    return found


def search_scored(search, codes, levels):
    """Count and search."""
    return search(bdeu(codes, levels))


def report(title, rows):
    """Print the seconds and the scores of one series."""
    print(f"\n{title:24s}{'':10s}{'CPU s':>10s}{'score':>14s}{'families':>12s}")
    for size, found in rows.items():
        for name, (seconds, score, families) in found.items():
            print(f"{name:24s}{size:10d}{seconds:10.4f}{score:14.2f}{families:12d}")


def lines(rows):
    """Return one line a search."""
    sizes = array(list(rows), float)
    return [Line(name, sizes, array([rows[k].get(name, (nan,))[0] for k in rows])) for name in SEARCHES]


def main():
    """Read the command line, make the data, measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, help="repetitions, the least counts")
    parser.add_argument("--figure", help="where to draw the growth")
    arguments = parser.parse_args()
    network = cp.network("hailfinder")
    codes, levels = cp.sample(network, max(RECORDS), seed=2005), network.cardinalities
    measure(codes, levels, 5, 100, 1)
    by_n = {n: measure(codes, levels, n, 1000, arguments.repeat) for n in VARIABLES}
    report("variables, N = 1000", by_n)
    by_records = {size: measure(codes, levels, 20, size, arguments.repeat) for size in RECORDS}
    report("records, 20 variables", by_records)
    report("records, 56 variables", {5000: measure(codes, levels, 56, 5000, arguments.repeat)})
    if arguments.figure:
        crowded = {18: "", 22: ""}
        shown = [
            Panel("N = 1000", lines(by_n), "variables", crowded),
            Panel("20 variables", lines(by_records), "records"),
        ]
        save(rows_of_lines(shown, ylabel="CPU seconds", title="Growth of the searches", log=True), arguments.figure)


if __name__ == "__main__":
    main()

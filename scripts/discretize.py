"""Find the thresholds of one discretizer on every data set of a batch."""

import time
from functools import partial

from cutpoint import assembly
from cutpoint.jobs import job
from cutpoint.learned import Learned
from cutpoint.runner import Limits, run_all


def find(values, frozen, policy, row):
    """Return the thresholds of one data set and their cost, as a result without a graph."""
    start = time.process_time()
    thresholds = assembly.discretize(values, frozen, row)
    return Learned(thresholds=thresholds, discretize_seconds=time.process_time() - start)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        row = snakemake.params.row
        results = run_all(
            partial(find, row=row),
            snakemake.input.data,
            Limits(*snakemake.params.limits),
            warm=partial(assembly.warm_discretizer, row),
        )
        results.write(discretizer=snakemake.wildcards.discretizer, **snakemake.output)

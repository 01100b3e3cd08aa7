"""Learn a structure with one method from every data set of a batch."""

from functools import partial

from cutpoint import assembly
from cutpoint.jobs import job
from cutpoint.runner import Limits, Policies, run_all


def learn(values, frozen, policy, row):
    """Run the method of a row on one data set."""
    return assembly.learn(values, frozen, row, policy)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        row = snakemake.params.row
        results = run_all(
            partial(learn, row=row),
            snakemake.input.data,
            Limits(*snakemake.params.limits),
            Policies(*snakemake.input.policy) if snakemake.input.policy else None,
            warm=partial(assembly.warm, row),
        )
        kind = assembly.kind_of(row)
        results.write(method=snakemake.wildcards.method, kind=kind, **snakemake.output)

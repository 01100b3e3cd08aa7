"""Learn a structure with each method of a job from every data set of a batch."""

from functools import partial

from cutpoint.method import assembly
from cutpoint.runs import warming
from cutpoint.runs.jobs import job
from cutpoint.runs.runner import Limits, Policies, Task, run_all


def learn(values, frozen, policy, row, about):
    """Run the method of a row on one data set."""
    return assembly.learn(values, frozen, row, policy, about.variables)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        rows, discretizers = snakemake.params.rows, snakemake.params.discretizers
        limits = Limits(*snakemake.params.limits)
        results = run_all(
            {name: Task(partial(learn, row=row), discretizers.get(name), named=True) for name, row in rows.items()},
            snakemake.input.data,
            limits,
            Policies(snakemake.input.policy_runs, snakemake.input.policy_thresholds),
            warm=lambda: warming.warm_all(assembly.warm, rows.values(), limits),
        )
        results.write(**snakemake.output)

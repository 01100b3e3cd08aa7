"""Learn a pattern with causal-learn's PC from every data set of a batch."""

from functools import partial

from cutpoint.runs import external
from cutpoint.runs.jobs import job
from cutpoint.runs.runner import Limits, Task, run_all


def learn(values, frozen, policy, alpha):
    """Run causal-learn on one data set; codes of discrete variables count as numbers."""
    return external.causal_learn_pc(values, alpha=alpha)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        results = run_all(
            {"tetrad_pc": Task(partial(learn, alpha=snakemake.params.row["alpha"]))},
            snakemake.input.data,
            Limits(*snakemake.params.limits),
            warm=external.load,
        )
        results.write(**snakemake.output)

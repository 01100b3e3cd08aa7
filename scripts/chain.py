"""Let one chain of a posterior go on, or let all of them meet to see whether they agree."""

import pickle
from collections.abc import Sequence
from pathlib import Path

from cutpoint.bench.runs.jobs import job
from cutpoint.posteriors.chains import agreement

TIMES, AT_LEAST = 2, 5  # as many rounds, or so many more, are made before chains meet again


def go_on(state: str, output: str, *, chain: int) -> None:
    """Write one of the chains after further rounds."""
    rounds, chains = pickle.loads(Path(state).read_bytes())
    one = chains[chain]
    one.go_on(min(rounds, max(TIMES * one.rounds, one.rounds + AT_LEAST)))
    Path(output).write_bytes(pickle.dumps({name: value for name, value in vars(one).items() if name != "target"}))


def meet(before: str, each: Sequence[str], state: str, agreed: str) -> None:
    """Write all chains, as they were before and have gone on, and whether they agree or have made all rounds."""
    rounds, chains = pickle.loads(Path(before).read_bytes())
    for chain, path in zip(chains, each, strict=True):
        vars(chain).update(pickle.loads(Path(path).read_bytes()))
    _, diagnostics = agreement(chains, chains[0].rounds)
    Path(state).write_bytes(pickle.dumps((rounds, chains)))
    Path(agreed).write_text("yes" if diagnostics.converged or chains[0].rounds == rounds else "no")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        if hasattr(snakemake.output, "agreed"):  # whatever the rule is called in a module
            meet(snakemake.input[0], snakemake.input[1:], *snakemake.output)
        else:
            go_on(snakemake.input[0], snakemake.output[0], chain=int(snakemake.wildcards.chain))

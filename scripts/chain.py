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
    Path(output).write_bytes(pickle.dumps((rounds, one)))


def meet(inputs: Sequence[str], state: str, agreed: str) -> None:
    """Write all chains in one file, and whether they agree or have made all rounds."""
    files = [pickle.loads(Path(path).read_bytes()) for path in inputs]
    rounds, chains = files[0][0], [chain for _, chain in files]
    for chain in chains:
        chain.target = chains[0].target  # so that it is written once
    _, diagnostics = agreement(chains, chains[0].rounds)
    Path(state).write_bytes(pickle.dumps((rounds, chains)))
    Path(agreed).write_text("yes" if diagnostics.converged or chains[0].rounds == rounds else "no")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        if hasattr(snakemake.output, "agreed"):  # whatever the rule is called in a module
            meet(snakemake.input, *snakemake.output)
        else:
            go_on(snakemake.input[0], snakemake.output[0], chain=int(snakemake.wildcards.chain))

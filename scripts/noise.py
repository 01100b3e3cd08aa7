"""Make continuous values of sampled codes, or of equations on the same graph, under names that say nothing of them."""

import numpy as np

from cutpoint.bench.data.parquet import Part, open_parts, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.simulation.column_orders import in_order
from cutpoint.bench.simulation.noise import Origin, make_continuous, without_gaps
from cutpoint.bench.simulation.targets import learned_from
from cutpoint.data.anonymous import anonymous
from cutpoint.method.signatures import accepted
from cutpoint.networks.network import read_all


def blur(codes, networks, *, noise, replicates, options, part, seed):
    """Return the continuous values of one part of some replicates of a cell.

    Args:
        codes: the codes of its network and size, a `DataFile`.
        networks: the true networks by name, which choose the variables that stay discrete.
        replicates: of the noise.
        part: "noise" for the records to learn from, "test" for those held out, the last ones.
    """
    about = {key: codes.metadata[key] for key in ("study", "network", "n")}
    learned = learned_from(about["n"], **accepted(learned_from, options))
    blocks, each = [], {}
    for r in replicates:
        data = codes.read(r)
        states = data.values[learned:] if part == "test" else data.values[:learned]
        cardinalities = {v: data.about["cardinalities"][v] for v in data.variables}
        truth = networks[data.about["truth"]]
        origin = Origin(seed, *about.values(), r, part)
        values, thresholds, discrete = make_continuous(states, cardinalities, options, origin, truth)
        if part == "noise":
            values = without_gaps(values, np.isin(data.variables, discrete), origin, **accepted(without_gaps, options))
        order = in_order(truth, origin.of_values("columns"), **accepted(in_order, options))
        variables, place = anonymous(order), {v: i for i, v in enumerate(data.variables)}
        blocks.append((r, values[:, [place[v] for v in order]]))
        each[r] = {
            "variables": variables,
            "truth": data.about["truth"],
            "thresholds": thresholds and {c: list(thresholds[place[v]]) for c, v in variables.items()},
            "discrete": [column for column, v in variables.items() if v in discrete],
        }
    columns = sorted({column for about in each.values() for column in about["variables"]})
    about |= {"cell": f"{about['network']}-n{about['n']}-{noise}", "noise": noise, "sigma": options.get("sigma")}
    return Part(columns, blocks, each=each, about=about | {"seed": seed, "part": part})


if __name__ == "__main__":
    with job(snakemake.log[0]):
        params, networks, parts = snakemake.params, read_all(snakemake.input.networks), []
        codes = {(part.metadata["network"], part.metadata["n"]): part for part in open_parts(snakemake.input.codes)}
        for cell in params.noises:
            options, (first, last) = dict(cell), cell["replicates"]
            source = codes[options.pop("network"), options.pop("n")]
            parts.append(blur(source, networks, **options | {"replicates": range(first, last + 1)}, seed=params.seed))
        write_parts(snakemake.output[0], parts)

"""Turn sampled codes into continuous values whose true thresholds are known."""

from pathlib import Path

import numpy as np

from cutpoint.base.seeds import seed_sequence
from cutpoint.data.parquet import open_data, write_data
from cutpoint.networks import noise
from cutpoint.networks.network import read_network
from cutpoint.networks.targets import choose_targets
from cutpoint.runs.jobs import job


def blur_codes(codes, data, options, identity, networks):
    """Return each code plus normal noise, and the thresholds between codes; `gaussian` of the config."""
    rng = np.random.default_rng(seed_sequence(*identity, data.about["replicate"], "noise"))
    thresholds = noise.code_thresholds(data.about["cardinalities"][v] for v in data.variables)
    return noise.gaussian(codes, options["sigma"], rng), thresholds, []


def fill_intervals(codes, data, options, identity, networks):
    """Return values in intervals of random lengths, and the limits between them; some variables may stay codes.

    Intervals and targets belong to the network and the replicate: they are the same for all sizes and noises, and
    for the records learned from and held out.
    """
    about = data.about
    seed, study, network, *_ = identity
    fixed = (seed, study, network, about["replicate"])
    intervals = noise.draw_intervals(
        [about["cardinalities"][v] for v in data.variables],
        np.random.default_rng(seed_sequence(*fixed, "intervals")),
        lengths=options["lengths"],
        sd=options.get("sd"),
    )
    targets = []
    if options["targets"]:
        true = read_network(networks[about["truth"]])
        rng = np.random.default_rng(seed_sequence(*fixed, "targets"))
        targets = [true.variables[i] for i in choose_targets(true.dag, options["targets"], rng)]
    rng = np.random.default_rng(seed_sequence(*identity, about["replicate"], about["part"]))
    values = noise.in_intervals(codes.astype(int), intervals, rng)
    thresholds = [interval.edges[1:-1] for interval in intervals]
    for i, name in enumerate(data.variables):
        if name in targets:
            values[:, i], thresholds[i] = codes[:, i], np.arange(len(thresholds[i])) + 0.5
    return values, thresholds, targets


KINDS = {"gaussian": blur_codes, "truncated_gaussian": fill_intervals, "uniform": fill_intervals}


def blur(source, networks, output, *, name, options, part, seed):
    """Write the continuous values of one part of all replicates of a file of codes.

    Args:
        networks: BIF files of the true networks, which choose the variables that stay discrete.
        part: "noise" for the records to learn from, "test" for those held out, the last ones.
    """
    file = open_data(source)
    networks = {Path(path).stem: path for path in networks}
    about = {key: file.metadata[key] for key in ("study", "network", "n")}
    identity = (seed, *about.values(), name)
    learned = about["n"] - round(about["n"] * options.get("test", 0))
    blocks, each = [], {}
    for r, data in file:
        data.about.update(replicate=r, part=part)
        codes = data.values[learned:] if part == "test" else data.values[:learned]
        values, thresholds, targets = KINDS[options["kind"]](codes, data, options, identity, networks)
        blocks.append((r, values))
        each[r] = {key: data.about[key] for key in ("variables", "truth")} | {
            "thresholds": dict(zip(data.variables, map(list, thresholds), strict=True)),
            "discrete": targets,
        }
    variables = sorted({name for about in each.values() for name in about["variables"]})
    about |= {"cell": f"{about['network']}-n{about['n']}-{name}", "noise": name, "sigma": options.get("sigma")}
    write_data(output, variables, blocks, each=each, seed=seed, part=part, **about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        blur(
            snakemake.input.codes,
            snakemake.input.networks,
            snakemake.output[0],
            name=snakemake.wildcards.noise,
            options=snakemake.params.noise,
            part=snakemake.params.part,
            seed=snakemake.params.seed,
        )

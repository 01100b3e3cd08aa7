"""Make continuous values of sampled codes, or of equations on the same graph, under names that say nothing of them."""

from pathlib import Path

import numpy as np

from cutpoint.bench.data.parquet import open_data, write_data
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.simulation.column_orders import in_order
from cutpoint.bench.simulation.gaps import with_gaps
from cutpoint.bench.simulation.noise import Origin, make_continuous
from cutpoint.data.anonymous import anonymous
from cutpoint.data.imputation import complete, impute
from cutpoint.data.resampling import some_records
from cutpoint.networks.network import read_network


def blur(source, networks, output, *, name, replicates, options, part, seed):
    """Write the continuous values of one part of some replicates of a file of codes.

    Args:
        networks: BIF files of the true networks, which choose the variables that stay discrete.
        replicates: of the noise, of which `orders` successive ones hold the same records.
        part: "noise" for the records to learn from, "test" for those held out, the last ones.
    """
    file = open_data(source)
    networks = {Path(path).stem: path for path in networks}
    about = {key: file.metadata[key] for key in ("study", "network", "n")}
    learned = about["n"] - round(about["n"] * options.get("test", 0))
    blocks, each = [], {}
    for r in replicates:
        records = r // options["orders"]
        data = file.read(records)
        codes = data.values[learned:] if part == "test" else data.values[:learned]
        cardinalities = {v: data.about["cardinalities"][v] for v in data.variables}
        truth = read_network(networks[data.about["truth"]])
        made = make_continuous(codes, cardinalities, options, Origin(seed, *about.values(), records, part), truth)
        values = made.values
        if "missing" in options and part == "noise":
            discrete = np.isin(data.variables, made.discrete)
            values = without_gaps(values, discrete, Origin(seed, *about.values(), records, part), **options["missing"])
        order = in_order(truth, options["columns"], Origin(seed, *about.values(), r, part).of_values("columns"))
        variables, place = anonymous(order), {v: i for i, v in enumerate(data.variables)}
        blocks.append((r, values[:, [place[v] for v in order]]))
        each[r] = {
            "variables": variables,
            "truth": data.about["truth"],
            "thresholds": made.thresholds and {c: list(made.thresholds[place[v]]) for c, v in variables.items()},
            "discrete": [column for column, v in variables.items() if v in made.discrete],
        }
    columns = sorted({column for about in each.values() for column in about["variables"]})
    about |= {"cell": f"{about['network']}-n{about['n']}-{name}", "noise": name, "sigma": options.get("sigma")}
    write_data(output, columns, blocks, each=each, seed=seed, part=part, **about)


def without_gaps(values, discrete, origin, *, treatment, **gaps):
    """Return values of which some cells were missing, and were imputed or dropped with their records."""
    gapped = with_gaps(values, origin.of_values("gaps"), **gaps)
    if treatment == "impute":
        return impute(gapped, discrete, origin.of_values("impute"))
    return some_records(values, discrete, np.flatnonzero(complete(gapped)))


if __name__ == "__main__":
    with job(snakemake.log[0]):
        given, params = snakemake.input, snakemake.params
        for codes, output, about in zip(given.codes, snakemake.output, params.files, strict=True):
            first, last = about["replicates"]
            blur(
                codes,
                given.networks,
                output,
                name=about["noise"],
                replicates=range(first, last + 1),
                options=about["options"],
                part=about["part"],
                seed=params.seed,
            )

"""The methods section of a study in sentences, with the settings of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cutpoint.base.text import listed
from cutpoint.bench.report.study import MOST_ROWS

if TYPE_CHECKING:
    from cutpoint.bench.workflow.settings import (
        AdditiveEquations,
        Beta,
        Grid,
        LinearEquations,
        Noise,
        NonadditiveEquations,
        RandomNetworks,
        Resample,
        Study,
        TruncatedGaussian,
        Uniform,
    )

Row = Mapping[str, Any]
GAPS = {
    "mechanism": {"mcar": "completely at random", "mar": "at random given another column"},
    "treatment": {"drop": "records with missing cells were left out", "impute": "missing cells were filled in"},
}


def sentences(study: Study, scale: str, seed: int, limits: tuple[float, float], rows: Mapping[str, Row]) -> list[str]:
    """Return the paragraphs of a methods section.

    Args:
        study: its grids.
        scale: the one that was run.
        seed: of the run.
        limits: wall seconds and megabytes of a run.
        rows: of `methods.yaml`, those that ran, by name.
    """
    paragraphs = [of_grid(name, study, scale) for name in study.grids]
    if 0 < len(rows) <= MOST_ROWS:  # of more the report names the file
        paragraphs.append("Methods. " + " ".join(f"{row['label']}: {of_row(row)}." for row in rows.values()))
    if rows and study.grids:
        paragraphs.append(
            f"The settings allow a run {limits[0]:g} s of wall time and {limits[1]:g} MB of memory; of a run that "
            f"another limit stopped the message says so. All random numbers derive from the seed {seed}. Times are "
            "CPU seconds of the method alone. Intervals are at "
            f"95 %, by Student's t from what changes when one {_unit(study, scale)} is left out."
        )
    if study.experiments:
        paragraphs.append(
            f"Computations without a grid: {listed([name.replace('_', ' ') for name in study.experiments])}."
        )
    return paragraphs


def _unit(study: Study, scale: str) -> str:
    """Return what the intervals of a study are over."""
    if any(map(study.folds_of, study.grids)):
        return "fold"
    single = any(study.scales[scale].of("replicates", name) == 1 for name in study.grids)
    return "network" if single else "replicate"


def of_grid(name: str, study: Study, scale: str) -> str:
    """Return how the data of a grid were made."""
    grid, size = study.grids[name], study.scales[scale]
    count = size.of("replicates", name)
    if grid.datasets:
        return f"Data ({name}). {_of_datasets(grid, study, count)}"
    networks = size.of("networks", name) or grid.networks
    sizes = size.of("n", name) or grid.n
    noises = of_noises([study.noises[noise] for noise in grid.noises])
    drawn = "one data set of each size was" if count == 1 else f"{count} data sets of each size were"
    text = f"Data ({name}). From each of {_of_networks(networks, study.random_networks)} {drawn} drawn: "
    text += f"{listed(sizes)} records. {noises[:1].upper()}{noises[1:]}."
    if grid.predict:
        text += f" Targets were predicted from {listed([f'{share:.0%}' for share in grid.predict])} of their blankets."
    return text


def _of_datasets(grid: Grid, study: Study, count: int | None) -> str:
    sets = f"The real data set{'s' * (len(grid.datasets) > 1)} {listed(grid.datasets)}"
    if not grid.resamples:
        return f"{sets}."
    return " ".join(f"{sets}, {of_resample(study.resamples[name], count)}." for name in grid.resamples)


def of_resample(resample: Resample, count: int | None) -> str:
    """Return how replicates were drawn from real data."""
    if resample.kind == "cross_validation":
        return f"in {count} folds, each held out once"
    if resample.kind == "jackknife":
        left = f"{resample.delete} records" if resample.delete else f"{resample.share:.0%} of the records"
        return f"{count} times with {left} left out at random"
    return f"{count} bootstrap samples" + (f" of at most {resample.most} records" if resample.most else "")


def _of_networks(networks: Sequence[str], families: Mapping[str, RandomNetworks]) -> str:
    fixed = [name for name in networks if name not in families]
    texts = [f"the network{'s' * (len(fixed) > 1)} {listed(fixed)}"] if fixed else []
    drawn = [
        f"{_range(family.nodes)} nodes, {_range(family.density)} arcs per node, at most {family.max_parents} parents, "
        f"{_range(family.domains)} states"
        for family in (families[name] for name in networks if name in families)
    ]
    return " and ".join([*texts, *([f"random networks ({'; '.join(drawn)})"] if drawn else [])])


def of_noises(noises: Sequence[Noise]) -> str:
    """Return how continuous values came about, which cells were removed, and the order of the columns, each once."""
    made = dict.fromkeys(f"{_of_values(noise)}{_of_measurement(noise)}" for noise in noises)
    return "; ".join(filter(None, (*made, _of_gaps(noises), _of_orders(noises))))


def _of_orders(noises: Sequence[Noise]) -> str:
    called = {"shuffled": "random", "reversed": "reverse topological"}
    return f"the columns stood in {listed([*dict.fromkeys(called.get(n.columns, n.columns) for n in noises)])} order"


def _of_gaps(noises: Sequence[Noise]) -> str:
    gaps = [noise.missing for noise in noises if noise.missing]
    if not gaps:
        return ""
    whole = "; of some data sets none were removed" if len(gaps) < len(noises) else ""
    columns, shares = ({f"{getattr(gap, key):.0%}": None for gap in gaps} for key in ("columns", "share"))
    how, then = (" or ".join({words[getattr(gap, key)]: None for gap in gaps}) for key, words in GAPS.items())
    removed = f"in {listed([*columns])} of the columns {listed([*shares])} of the cells were removed {how}"
    return f"{removed}{whole}; {then}"


def _of_values(noise: Noise) -> str:
    if noise.kind == "gaussian":
        return f"normal noise of standard deviation {noise.sigma:g} was added to each code"
    if noise.kind == "own_sem":
        return "in place of its code each variable came from the linear equation that was published with the network"
    if noise.kind == "linear_sem" or noise.kind == "additive_sem" or noise.kind == "nonadditive_sem":
        return _of_equations(noise)
    if noise.kind == "latent_normal":
        text = "each code became an interval of a standard normal value, as likely as the code"
    else:
        text = f"each code became an interval of length {_range(noise.lengths)} with a {_of_density(noise)}"
    if noise.targets:
        text += f"; {noise.targets} variables stayed discrete"
    return text + (f"; {noise.test:.0%} of the records were held out" if noise.test else "")


def _of_equations(noise: LinearEquations | AdditiveEquations | NonadditiveEquations) -> str:
    text = f"in place of its code each variable was a sum of {_terms(noise)}, and a standard "
    if noise.spread:
        text += f"{noise.errors} error times a scale that depends on its parents (its logarithm has standard deviation "
        return f"{text}{noise.spread:g}), standardised"
    return f"{text}{noise.errors} error, standardised"


def _terms(noise: LinearEquations | AdditiveEquations | NonadditiveEquations) -> str:
    if noise.kind == "nonadditive_sem":
        return (
            f"a smooth random function (length scale {noise.length:g}) of all its parents, times the length of their "
            f"weights of {_range(noise.weights)}"
        )
    terms = "its parents"
    if noise.kind == "additive_sem":
        terms = f"smooth random functions (length scale {noise.length:g}) of its parents"
    return f"{terms}, times weights of {_range(noise.weights)} with random signs"


def _of_density(noise: Uniform | TruncatedGaussian | Beta) -> str:
    if noise.kind == "truncated_gaussian":
        return f"truncated normal density, standard deviation {_range(noise.sd)} lengths, mean anywhere in it"
    if noise.kind == "beta":
        return f"beta density, both parameters {_range(noise.shapes)}"
    return "uniform density"


def _of_measurement(noise: Noise) -> str:
    """Return what was done with the columns after their values had come about."""
    text = f"; {noise.discrete:.0%} of the variables stayed discrete" if noise.discrete else ""
    if (how := noise.measured) is None:
        return text
    if how.skew:
        text += f"; the scales of the columns were skewed by {_range(how.skew)}"
    for share, end in ((how.below, "lower"), (how.above, "upper")):
        if share:
            text += f"; {share:.0%} of the records were at the {end} limit of detection of each"
    return text + (f"; values were rounded to {how.step:g} standard deviations" if how.step else "")


def _range(limits: tuple[float, float]) -> str:
    low, high = limits
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def of_row(row: Row) -> str:
    """Return what a method is made of, with its options."""
    named = ("discretizer", "policy", "learner", "score")
    parts = [str(row[key]).replace("_", " ") for key in named if key in row]
    hidden = (*named, "label", "category", "job", "studies", "note", "group", "rule")
    shown = {key: value for key, value in row.items() if key not in hidden}
    first = shown.pop("initial") if isinstance(row.get("initial"), Mapping) else {}
    options = [f"{key.replace('_', ' ')} {'unlimited' if v is None else v}" for key, v in shown.items()]
    options += [f"initial thresholds by {name.replace('_', ' ')} {bins}" for name, bins in first.items()]
    kind = {"external": f"external, rule {row.get('rule')}"}.get(row["category"], row["category"])
    return f"{kind}, {', '.join(parts)}" + (f" ({', '.join(options)})" if options else "")

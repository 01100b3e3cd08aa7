"""What is special in the field of 2026: choices judged on networks that were left out, and tiers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
from cutpoint.bench.studies.field2026.choices import honest, interval, tuned, weights_of
from cutpoint.bench.studies.field2026.losses import Losses, averaged, by_network, losses_of

from cutpoint.bench.artefacts.table import Cell, Row, RunScale
from cutpoint.bench.data.status import FAILED, OK
from cutpoint.bench.engine import samples
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.tables import Absent, Content
from cutpoint.bench.evaluation.tiers import TIERS
from cutpoint.bench.plots import lines
from cutpoint.bench.plots.lines import Line, LinePanel
from cutpoint.bench.report.explorer import CELL, MEASURES
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.method import DEFAULT
from cutpoint.plots.style import Figure

TYPES = {
    "codes": "noisy discrete states",
    "latent": "discretized latent Gaussian",
    "linear": "linear equations",
    "skewed_errors": "linear, skewed errors",
    "nonlinear": "nonlinear equations",
    "mixed": "mixed data",
    "scales": "answers on scales",
    "counts": "counts",
}
RULE, CEILING = "eqfreq3", "true_codes"
NEITHER = ("miic", DEFAULT)  # discretize pairs, or not all members do
OF_BINS = {  # by what methods with bins are compared with those without, and which sign makes less the better
    "SHD": ("loss", 1),
    "F1 of the skeleton": ("f1_skeleton", -1),
    "F1 of the pattern": ("f1_pattern", -1),
    "AID": ("parent_aid", 1),
}
OF_STRATEGIES = ("SHD", "F1 of the pattern", "AID")
ALWAYS = f"Always {DEFAULT} (the default)"
FAMILIES = {  # the default of a method and two other settings
    "Eqfreq, levels": ("eqfreq3", "levels2.equal_frequency", "levels5.equal_frequency"),
    "Eqwidth, levels": ("eqwidth3", "levels2.equal_width", "levels5.equal_width"),
    "K-means, levels": ("kmeans3", "levels2.kmeans", "levels5.kmeans"),
    "Eqfreq3, ess": ("eqfreq3", "tuned_ess.0_1", "tuned_ess.10"),
    "BOSS, ess": ("boss3", "tuned_boss.0_1", "tuned_boss.10"),
    "PC G2, alpha": ("pc_g2", "tuned_g2.0_01", "tuned_g2.0_001"),
    "PC, alpha": ("pc_fisherz", "tuned_pc.pc_fisherz.0_01", "tuned_pc.pc_fisherz.0_001"),
    "Rank PC, alpha": ("pc_rank", "tuned_pc.pc_rank.0_01", "tuned_pc.pc_rank.0_001"),
    "Copula PC, alpha": ("pc_copula", "tuned_pc.pc_copula.0_01", "tuned_pc.pc_copula.0_001"),
    "Steck, levels and ess": ("steck3", "steck2", "tuned_steck"),
}
SEARCHES = {  # rows that differ in the search alone: hill climbing first
    "Equal frequency, BDeu: GES": ("eqfreq3", "ges3"),
    "Equal frequency, BDeu: BOSS": ("eqfreq3", "boss3"),
    "Steck, BDeu: BOSS": ("steck3", "steck3_boss"),
    "MODL, BDeu: BOSS": ("modl3", "modl3_boss"),
    "Gaussian BIC: GES": ("gaussian_bic", "ges_gaussian"),
    "Gaussian BIC: BOSS": ("gaussian_bic", "boss_gaussian"),
}
FIXED = (
    *("bach_stable", "miic", "boss_polynomial", "boss_gaussian", "latent", "steck3_boss"),
    *("pc_fisherz", "eqfreq3", "eqwidth3"),
)


def all_methods(inputs: Inputs) -> Inputs:
    """Return all methods on the thinned data sets, networks as replicates, by number of records and data type."""
    return averaged(inputs, "fourth", ("n", "mechanism"))


def by_measurement_of(inputs: Inputs) -> Inputs:
    """Return all methods on the thinned data sets, by measurement."""
    return averaged(inputs, "fourth", ("measurement",))


def by_group_of(inputs: Inputs) -> Inputs:
    """Return all methods on the thinned data sets, by type of network."""
    return averaged(inputs, "fourth", ("group",))


def wide_of(inputs: Inputs) -> Inputs:
    """Return the methods that ran on all data sets, by number of records and data type."""
    return averaged(inputs, "field", ("n", "mechanism"))


def few_of(inputs: Inputs) -> Inputs:
    """Return the posterior and others on few variables, by data type."""
    return averaged(inputs, "few", ("mechanism",))


def basis(inputs: Inputs, grids: Sequence[str] | None) -> RunScale:
    """Return the scale, with the numbers of networks and of data sets of some grids, all for None."""
    runs = inputs.metrics
    counted = runs if grids is None else runs[runs["grid"].isin(grids)]
    graphs = {
        *zip(counted["network"], counted["replicate"].where(counted["network"].str.contains("_"), 0), strict=True)
    }
    data = counted[["network", "n", "noise", "replicate"]].drop_duplicates()
    text = f"{len(graphs)} networks, {len(data):,} data sets; " if len(data) else ""
    about = inputs.scale
    return replace(about, replicates=len(data), text=f"{about.name.capitalize()} scale; {text}seed {about.seed}.")


def _sorts(losses: Losses) -> dict[str, list[int]]:
    """Return which methods to choose from: with bins, without, and all but the default."""
    competing = [(i, method) for i, method in enumerate(losses.methods) if method.competes]
    single = [(i, method) for i, method in competing if method.name not in NEITHER]
    return {
        "bins": [i for i, method in single if method.category not in ("direct", "external")],
        "none": [i for i, method in single if method.category in ("direct", "external")],
        "other": [i for i, method in competing if method.name != DEFAULT],
    }


def _kinds(losses: Losses) -> list[tuple[str, str, int, int]]:
    """Return the kinds of data: key, label, and the places of the data type and of the number of records."""
    return [
        (f"{name}_{n}", f"{TYPES.get(name, name)}, {n}", m, k)
        for m, name in enumerate(losses.mechanisms)
        for k, n in enumerate(losses.sizes)
    ]


def _cell(numbers: np.ndarray, digits: int = 2) -> Cell:
    value, low, high = interval(numbers)
    return Cell(value, low=low, high=high, digits=digits)


def text_of(cell: Cell) -> str:
    """Return a cell as text, such as 0.45 [0.40, 0.50]."""
    if cell.reproduced is None:
        return ""
    if isinstance(cell.reproduced, str):
        return cell.reproduced
    value = f"{cell.reproduced:.{cell.digits}f}"
    if cell.low is None or not np.isfinite(cell.low):
        return value
    return f"{value} [{cell.low:.{cell.digits}f}, {cell.high:.{cell.digits}f}]"


def _mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean of values [K] over networks in each sample; NaN counts for nothing."""
    there = np.isfinite(values)
    counts = weights[:, there]
    return (counts @ values[there]) / np.maximum(counts.sum(1), 1)


def _too_few(losses: Losses) -> str:
    if len(losses.networks) < FEWEST:
        return f"fewer than {FEWEST} networks"
    wanting = losses.row(DEFAULT) is None or losses.row(RULE) is None or not all(_sorts(losses).values())
    return "no runs of the default" if wanting else ""


def advice_table(inputs: Inputs) -> Content:
    """Return whether to discretize data of each type, by number of records, and what methods cost there."""
    losses, f1 = losses_of(inputs), losses_of(inputs, "f1_skeleton")
    heads = ["Discretize?", "Default", "Best other method", "Best other", "Three bins", "True states"]
    heads += ["F1 of the default"]
    if missing := _too_few(losses):
        return Content("kind", heads, (), missing=missing)
    weights, sorts, rows = weights_of(len(losses.networks)), _sorts(losses), []
    default, rule, ceiling = (losses.row(name) for name in (DEFAULT, RULE, CEILING))
    gaps = _gaps(inputs)
    for key, label, m, n in _kinds(losses):
        values = losses.values[:, m, n]  # [M, K]
        best = sorts["other"][int(values[sorts["other"]].mean(-1).argmin())]
        has_ceiling = ceiling is not None and np.isfinite(values[ceiling]).any()
        cells = (
            Cell(_answer([interval(gap) for gap in gaps[key].values() if gap is not None])),
            _cell(_mean(values[default], weights)),
            Cell(losses.methods[best].label),
            _cell(honest(values[sorts["other"]], weights)),
            _cell(_mean(values[rule], weights)),
            _cell(_mean(values[ceiling], weights)) if has_ceiling else Cell(reason="no states"),
            _cell(_mean(f1.values[f1.row(DEFAULT), m, n], weights)),
        )
        rows.append(Row(key, label, "", cells))
    return Content("kind", heads, rows)


@once
def _gaps(inputs: Inputs) -> dict[str, dict[str, np.ndarray | None]]:
    """Return by kind of data and measure the best methods with bins less the best without; below 0 bins are better."""
    weights = weights_of(len(losses_of(inputs).networks))
    gaps: dict[str, dict[str, np.ndarray | None]] = {}
    for head, (metric, sign) in OF_BINS.items():
        each = losses_of(inputs, metric)
        for key, _, m, n in _kinds(each):
            values = sign * each.values[:, m, n]
            bins, none = ([i for i in _sorts(each)[sort] if np.isfinite(values[i]).all()] for sort in ("bins", "none"))
            there = bins and none
            gap = honest(values[bins], weights) - honest(values[none], weights) if there else None
            gaps.setdefault(key, {})[head] = gap
    return gaps


def _answer(gaps: Sequence[tuple[float, float, float]]) -> str:
    """Return whether to discretize: a side that SHD and another measure bear, and none contradicts."""
    sides = ["yes" if high < 0 else "no" if low > 0 else "" for _, low, high in gaps]
    answers = {*sides} - {""}
    if len(answers) != 1:
        return "measures disagree" if answers else "no difference"
    if sides.count("") < len(sides) - 1 and sides[0]:
        return answers.pop()
    alone = sides.count("") == len(sides) - 1
    return f"{answers.pop()}, by {'one measure' if alone else 'other measures'}"


def bins_table(inputs: Inputs) -> Content:
    """Return by how much methods with bins beat those without, by four measures."""
    losses = losses_of(inputs)
    if missing := _too_few(losses):
        return Content("kind", [*OF_BINS], (), missing=missing)
    rows = []
    for key, label, *_ in _kinds(losses):
        cells = (Cell(reason="no values") if gap is None else _cell(gap) for gap in _gaps(inputs)[key].values())
        rows.append(Row(key, label, "", tuple(cells)))
    return Content("kind", [*OF_BINS], rows)


def strategies_table(inputs: Inputs) -> Content:
    """Return what it costs to use one method always, or the best of other networks, for all data or for each kind.

    A row is a strategy. Beside its mean loss stands what the default loses less by three measures; a method is chosen
    by the measure by which it is judged.
    """
    heads = ["Mean loss", *(f"{measure}, minus the default" for measure in OF_STRATEGIES)]
    if missing := _too_few(losses_of(inputs)):
        return Content("strategy", heads, (), missing=missing)
    of_measures = [
        _strategies(losses_of(inputs, OF_BINS[measure][0]), OF_BINS[measure][1]) for measure in OF_STRATEGIES
    ]
    rows = []
    for name, loss in of_measures[0].items():
        others = [
            _cell(each[name] - each[ALWAYS], 3) if name in each else Cell(reason="no values") for each in of_measures
        ]
        rows.append(Row(re.sub(r"\W+", "_", name), name, "", (_cell(loss, 3), *others)))
    return Content("strategy", heads, rows)


def _strategies(losses: Losses, sign: int) -> dict[str, np.ndarray]:
    """Return the mean of a measure, turned so that less is better, by strategy in each bootstrap sample."""
    weights, values = weights_of(len(losses.networks)), sign * losses.values
    others = [i for i in _sorts(losses)["other"] if np.isfinite(values[i]).all()]
    whole = values.mean((1, 2))
    strategies = {ALWAYS: _mean(whole[losses.row(DEFAULT)], weights)}
    strategies["The best other method, chosen on other networks"] = honest(whole[others], weights)
    by_type = [honest(each, weights) for each in values[others].mean(2).swapaxes(0, 1)]
    strategies["The best other method for each data type"] = np.mean(by_type, axis=0)
    rows = {f"Always {losses.methods[row].label}": row for name in FIXED if (row := losses.row(name)) is not None}
    fixed = {name: _mean(whole[row], weights) for name, row in rows.items() if np.isfinite(values[row]).all()}
    return strategies | fixed


def tuned_table(inputs: Inputs) -> Content:
    """Return by how much settings that were tuned on other networks beat the defaults."""
    losses = losses_of(inputs)
    heads = ["Default", "Tuned less default", "Chosen on all networks"]
    families = {name: [losses.row(method) for method in methods] for name, methods in FAMILIES.items()}
    families = {name: places for name, places in families.items() if None not in places}
    if len(losses.networks) < FEWEST or not families:
        return Content("method", heads, (), missing="no runs of other settings")
    weights, whole = weights_of(len(losses.networks)), losses.values.mean((1, 2))
    rows = []
    for (name, places), gain in zip(families.items(), tuned(whole, [*families.values()], weights), strict=True):
        best = places[int(whole[places].mean(-1).argmin())]
        cells = (_cell(_mean(whole[places[0]], weights), 3), _cell(gain, 3), Cell(losses.methods[best].label))
        rows.append(Row(re.sub(r"\W+", "_", name), name, "", cells))
    return Content("method", heads, rows)


def searches_table(inputs: Inputs) -> Content:
    """Return by how much a better search with the same score changes the loss, by data type and number of records."""
    losses = losses_of(inputs)
    heads = [f"N = {n}" for n in losses.sizes]
    pairs = {name: [losses.row(method) for method in pair] for name, pair in SEARCHES.items()}
    pairs = {name: pair for name, pair in pairs.items() if None not in pair}
    if len(losses.networks) < FEWEST or not pairs:
        return Content("search", heads, (), missing="no runs of other searches")
    weights, rows = weights_of(len(losses.networks)), []
    for name, (climbing, better) in pairs.items():
        for m, mechanism in enumerate(losses.mechanisms):
            gains = losses.values[better, m] - losses.values[climbing, m]  # [sizes, K]
            label = f"{name}; {TYPES.get(mechanism, mechanism)}"
            cells = tuple(_cell(_mean(gain, weights)) for gain in gains)
            rows.append(Row(re.sub(r"\W+", "_", label), label, "", cells))
    return Content("search", heads, rows)


def components_table(inputs: Inputs) -> Content:
    """Return which shares of the variance of the loss the factors of the design have, by method (main effects)."""
    runs = by_network(inputs).metrics
    runs = runs[runs["grid"] == "field"]
    factors = {"unit": "Network", "n": "Records", "mechanism": "Data type", "measurement": "Measurement"}
    heads = [*factors.values(), "Rest"]
    rows = []
    for method in inputs.methods:
        each = runs[runs["method"] == method.name]
        if not method.competes or len(each) < 2 or not (total := float(each["loss"].var(ddof=0))) > 0:
            continue
        mean = each["loss"].mean()
        shares = [float(((each.groupby(key)["loss"].transform("mean") - mean) ** 2).mean()) / total for key in factors]
        rows.append(method.row(*(Cell(100 * share, digits=0) for share in (*shares, max(1 - sum(shares), 0.0)))))
    return Content("method", heads, rows, missing="" if rows else "no runs")


def controls_of(inputs: Inputs) -> list[str]:
    """Return what guessing gives, and how far the data give the order of the variables away."""
    runs = by_network(inputs).metrics
    if runs.empty:
        return []
    each = runs[runs["status"] == OK].drop_duplicates(["unit", "draw"])
    density = (each["true_edges"] / (each["variables"] * (each["variables"] - 1) / 2)).mean()
    notes = [
        f"A random graph with the true number of edges has an F1 of the skeleton of {density:.2f}, and an SHD per true "
        f"edge of at least {2 * (1 - density):.2f}."
    ]
    if {"var_sortability", "r2_sortability"} <= {*runs}:
        data = runs.drop_duplicates(["unit", "n", "noise", "draw"])
        by_variance, by_r2 = data["var_sortability"].mean(), data["r2_sortability"].mean()
        notes += [
            f"Var-sortability is {by_variance:.2f} and R2-sortability {by_r2:.2f} on average, read backwards "
            f"{1 - by_r2:.2f}; 0.5 gives nothing of the order of the variables away (Reisach et al. 2021, 2023)."
        ]
    return notes


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the loss against the number of records, a panel for each data type."""
    losses = losses_of(inputs)
    if _too_few(losses):
        raise Absent("too few networks, or no runs of the default")
    weights, sorts = weights_of(len(losses.networks))[:1], _sorts(losses)
    panels = []
    for m, name in enumerate(losses.mechanisms):
        values = losses.values[:, m]  # [M, sizes, K]
        sizes = range(len(losses.sizes))
        rows = {
            "Default": values[losses.row(DEFAULT)].mean(-1),
            "Best other with bins": np.array([honest(values[sorts["bins"], s], weights)[0] for s in sizes]),
            "Best other without bins": np.array([honest(values[sorts["none"], s], weights)[0] for s in sizes]),
            "Three bins": values[losses.row(RULE)].mean(-1),
        }
        if (ceiling := losses.row(CEILING)) is not None and np.isfinite(values[ceiling]).any():
            rows["True states"] = values[ceiling].mean(-1)
        drawn = [Line(label, np.array(losses.sizes, float), numbers) for label, numbers in rows.items()]
        ticks = losses.sizes[:: 1 + len(losses.sizes) // 4]
        panels.append(LinePanel(TYPES.get(name, name), drawn, "records", log=True, named=ticks))
    ylabel = "SHD / true edges (1: no edges)"
    return lines.rows_of_lines(panels, ylabel=ylabel, title=title, columns=3, height=1.6, scale=scale)


def explored(runs: pa.Table) -> tuple[pa.Table, str]:
    """Return the runs on the thinned data sets, networks as replicates, with SHD per true edge as in `by_network`."""
    table = runs.to_pandas()
    data = ["network", "n", "noise", "replicate"]
    there = table.loc[table["grid"] == "fourth", data].drop_duplicates()
    kept = table.merge(there, on=data).drop_duplicates([*data, "method"]).to_dict("records")
    turn = {pair: k for k, pair in enumerate(sorted({(row["network"], row["replicate"]) for row in kept}))}
    rows = []
    for row in kept:
        one = {name: row[name] for name in (*CELL, "replicate", "method", "status")}
        one |= {"network": "all", "replicate": turn[row["network"], row["replicate"]], "grid": "fourth"}
        good = row["status"] == OK
        if row["status"] in FAILED:
            one |= {"status": OK, "loss": 1.0}
        measured = {name: row[name] if good else None for name, *_ in MEASURES if name in row and "shd" not in name}
        loss = row["shd_standard"] / row["true_edges"] if good and row["shd_standard"] is not None else None
        rows.append({**measured, "loss": loss, **one})
    return pa.Table.from_pylist(rows), "networks"


def tiers_ended(inputs: Inputs) -> pd.DataFrame:
    """Return the rows of the experiment on tiers whose runs succeeded."""
    rows = samples.rows_of(inputs, "tiers")
    return rows if rows.empty else rows[rows["status"] == OK]


def systems_ended(inputs: Inputs) -> pd.DataFrame:
    """Return the means of methods on known systems, one of all samples that overlap: they are no draws of their own."""
    rows = samples.rows_of(inputs, "systems")
    if rows.empty:
        return rows
    keys = ["method", "system", rows["sample"].where(rows["system"].str.endswith("one condition"))]
    ended = rows.drop(columns="sample")[rows["status"] == OK]
    return ended.groupby(keys, sort=False, dropna=False).mean(numeric_only=True).reset_index()


def tiers_table(inputs: Inputs) -> Content:
    """Return how the learned arcs agree with the tiers, means over data sets, a row for each method.

    Shares are over all samples of a data set: of the edges between tiers that would break them if a coin directed those
    without direction, of the arcs that do, and of the edges without direction; a share of nothing is left out.
    """
    ended, methods = tiers_ended(inputs), {method.name: method for method in inputs.methods}
    heads = ["Edges against the order", "Arrows against the order", "Edges without direction"]
    if ended.empty:
        return Content("method", heads, [])
    sums = ended.groupby(["method", "dataset"], sort=False)[["edges", "arcs", "breaks"]].sum()
    edges, arcs, breaks = (sums[key].where(sums[key] > 0) for key in sums)
    breaks, directed = breaks.fillna(0), arcs.fillna(0)
    each_share = ((breaks + (edges - directed) / 2) / edges, breaks / arcs, 1 - directed / edges)
    shares = pd.concat(each_share, axis=1, keys=heads)
    rows = []
    for name, each in shares.groupby(level="method", sort=False):
        cells = [
            samples.cell(samples.means(each[column].to_numpy()), reason="no such arcs", within=(0.0, 1.0))
            for column in each
        ]
        rows.append(methods[name].row(*cells) if name in methods else Row(name, name, "", tuple(cells)))
    return Content("method", heads, rows)


def tiers_of_data(inputs: Inputs) -> list[str]:
    """Return the tiers of each data set that was available, with their reasons."""
    texts = {
        name: "; then ".join(f"{', '.join(tier.columns)} ({tier.why})" for tier in TIERS[name])
        for name in tiers_ended(inputs).get("dataset", ())
    }
    return [f"Tiers of {name}: {texts[name]}." for name in sorted(texts)]


def tiers_failed(inputs: Inputs) -> list[str]:
    """Return which data sets were not available, and how many runs failed."""
    rows = samples.rows_of(inputs, "tiers")
    if rows.empty:
        return []
    lost = sorted({*rows["dataset"][rows["sample"].isna()]})
    failed = int((rows["status"][rows["sample"].notna()] != OK).sum())
    notes = [f"Not available: {', '.join(lost)}; config key mirror names a folder with the files."] if lost else []
    return notes + ([f"{failed} runs failed and are left out."] if failed else [])

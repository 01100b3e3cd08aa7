"""What is special in the field of 2026: decisions, effects of the choices, regret of the advice, and failures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from cutpoint.base.text import listed
from cutpoint.plots import heat
from cutpoint.plots.style import Figure
from cutpoint.report.artefacts import Cell, Row, Scale, number
from cutpoint.report.explorer import CELL, MEASURES
from cutpoint.statistics.estimates import Estimate, Statistic
from cutpoint.statistics.recommending import MARGIN, over_networks
from cutpoint.statistics.variance_shares import REST, variance_shares
from cutpoint.statistics.verdicts import FEWEST
from cutpoint.studies.content import Content
from cutpoint.studies.field2026 import decisions
from cutpoint.studies.field2026.losses import FAILED, Losses, by_network, losses_of
from cutpoint.studies.figures import Absent
from cutpoint.studies.inputs import Inputs, once, short
from cutpoint.studies.sentences import shortened

CROSSED = re.compile(
    r"field(?P<levels>[235k])(?P<stable>_stable)?\.(?P<discretizer>\w+)\.(?P<score>\w+)(\.(?P<search>\w+))?"
)
FACTORS = ("discretization", "score", "search", "records", "mechanism", "network")
CHOICES = FACTORS[:3]
BESIDE = (  # rows of the factorial that are nearest to programs of others
    "field3.equal_frequency.bdeu.hill_climbing",
    "field3.equal_frequency.bic.tabu",
    "field3.equal_frequency.fnml.hill_climbing",
    "field3.hartemink.bdeu.hill_climbing",
    "field_integrated.friedman.bdeu.hill_climbing",
    *("gaussian_bic", "bge", "degenerate_gaussian", "pc_rank"),
)
DEFAULT = re.compile(r"field([235k])\.(\w+)\.bdeu\.hill_climbing|field_integrated\.(\w+)\.bdeu\.hill_climbing")


def panel_of(inputs: Inputs) -> Inputs:
    """Return the runs of the sensitivity panel and the rows that it has, networks as replicates."""
    inputs = by_network(inputs)
    mine = {str(m) for m, name in zip(inputs.metrics["method"], inputs.metrics["grid"], strict=True) if name == "panel"}
    methods = [method for method in inputs.methods if method.name in mine]
    return inputs.with_metrics(inputs.metrics, methods=methods)


def factorial_of(inputs: Inputs) -> Inputs:
    """Return the runs of the factorial and the rows that it has, networks as replicates."""
    inputs = by_network(inputs)
    inside = (method for method in inputs.methods if method.category != "external")  # else of the grid others
    methods = [method for method in inside if not method.name.startswith("panel_")]
    return inputs.with_metrics(inputs.metrics, methods=methods)


def others_of(inputs: Inputs) -> Inputs:
    """Return the runs of other programs, and of rows of the factorial on their data sets, networks as replicates."""
    inputs = by_network(inputs)
    table = inputs.metrics
    theirs = np.isin(table["grid"].astype(str), ("others", "densities"))
    beside = (table["grid"] == "factorial") & np.isin(table["method"].astype(str), BESIDE)
    kept = theirs | beside & np.isin(table["cell"].astype(str), table["cell"][theirs].astype(str))
    metrics = {name: column[kept] for name, column in table.items()} | {"grid": np.full(kept.sum(), "others", object)}
    mine = {str(name) for name in metrics["method"]}
    return inputs.with_metrics(metrics, methods=[method for method in inputs.methods if method.name in mine])


def basis(inputs: Inputs, grids: Sequence[str] | None) -> Scale:
    """Return the scale, with the number of networks of some grids, all for None."""
    table = inputs.metrics
    of = {
        (a, b)
        for a, b, grid in zip(table["network"], table["replicate"], table["grid"], strict=True)
        if grids is None or grid in grids
    }
    networks = f"{len(of)} networks; " if of else ""
    about = inputs.scale
    return replace(about, replicates=len(of), text=f"{about.name.capitalize()} scale; {networks}seed {about.seed}.")


# What to take


def decision_table(inputs: Inputs) -> Content:
    """Return what to take on data of each kind."""
    losses = losses_of(inputs)
    heads = ["Discrete columns, %", "Take", "As good", "SHD per true edge", *_heads(losses), "Networks"]
    rows = [_decision(losses, kind) for kind in decisions.kinds_of(losses)]
    return Content("kind", heads, rows, missing="" if rows else "no runs of the factorial grid")


def _heads(losses: Losses) -> list[str]:
    return [f"Above it: {name}" for name, method in decisions.USUAL.items() if losses.row(method) is not None]


def _decision(losses: Losses, kind: decisions.Kind) -> Row:
    name = f"{kind.mechanism.capitalize()}, N = {kind.n}, {kind.variables} variables"
    key = f"{kind.mechanism}_{kind.n}_{kind.variables.replace(' ', '_')}"
    share, found = Cell(100 * kind.discrete, digits=0), kind.found
    if found is None:
        none = Cell(reason=f"preview: fewer than {FEWEST} networks")
        return Row(key, name, "", (share, *[none] * (3 + len(_heads(losses))), Cell(kind.networks)))
    usual = [row for method in decisions.USUAL.values() if (row := losses.row(method)) is not None]
    as_good = shortened([losses.methods[i].label for i in found.as_good]) or "none"
    cells = (
        Cell(losses.methods[found.best].label),
        Cell(as_good),
        _cell(found.loss[found.best]),
        *(_cell(found.above[row]) for row in usual),
    )
    return Row(key, name, "", (share, *cells, Cell(kind.networks)))


def _cell(found: Estimate, digits: int = 3) -> Cell:
    return Cell(float(found.value), low=float(found.low), high=float(found.high), digits=digits)


def discretize_table(inputs: Inputs) -> Content:
    """Return what discretizing costs on data of each mechanism, against not doing it."""
    losses = losses_of(inputs)
    heads = ["With levels", "Without", "Difference, all N", *(f"Difference, N = {n}" for n in losses.sizes)]
    rows = [
        Row(
            each.mechanism,
            each.mechanism.capitalize(),
            "",
            (
                *(Cell(losses.methods[row].label) for row in (each.cut, each.uncut)),
                *(_cell(gain) for gain in each.gain),
            ),
        )
        for each in decisions.discretize_or_not(losses)
    ]
    return Content("mechanism", heads, rows, missing="" if rows else f"not more than {FEWEST} networks")


@once
def regrets_of(inputs: Inputs) -> decisions.Regrets | None:
    """Return the regret of the advice by leaving one network out."""
    return decisions.regrets(losses_of(inputs))


def regret_table(inputs: Inputs) -> Content:
    """Return what strategies cost above the best row of each data set."""
    losses, found = losses_of(inputs), regrets_of(inputs)
    heads = ["All", *(f"N = {n}" for n in losses.sizes), f"Less that of {decisions.ADVISED}"]
    if found is None:
        return Content("strategy", heads, (), missing=f"not more than {FEWEST} networks")
    rows = [
        Row(
            name.replace(" ", "_").replace(",", ""),
            name.capitalize(),
            "",
            (
                _cell(found.regret(name)),
                *(_cell(found.regret(name, s)) for s in range(len(losses.sizes))),
                _cell(found.against(name, decisions.ADVISED)),
            ),
        )
        for name in found.loss
    ]
    count = losses.values[0].size
    guess = f"The kind of data was told by their features in {round(found.guessed * count)} of {count} data sets."
    return Content("strategy", heads, rows, notes=[guess])


# What matters


def _design(losses: Losses) -> tuple[np.ndarray, tuple[list[str], ...]] | None:
    """Return the losses of the full design, float64 [discretization, score, search, N, mechanism, network].

    With the names of the first three factors; None where the runs are no full design of at least two levels each.
    """
    places: dict[tuple[str, str, str], int] = {}
    for i, method in enumerate(losses.methods):
        if found := CROSSED.fullmatch(method.name):
            levels = "" if found["levels"] == "k" else f" {found['levels']}"
            search = "stable" if found["stable"] else str(found["search"])
            places[found["discretizer"] + levels, str(found["score"]), search] = i
    names = tuple(list(dict.fromkeys(key[axis] for key in places)) for axis in range(3))
    full = [(a, b, c) for a in names[0] for b in names[1] for c in names[2]]
    if len(full) != len(places) or min(map(len, names), default=0) < 2:
        return None
    values = losses.values[[places[key] for key in full]]
    values = values.reshape(*map(len, names), *values.shape[1:])
    return np.moveaxis(values, 3, 4), names


@once
def effects(inputs: Inputs) -> tuple[list[tuple[str, ...]], Statistic, Statistic] | None:
    """Return the effects, their shares of all variance, and those of the choices of their part of it."""
    losses = losses_of(inputs)
    design = _design(losses)
    if design is None or len(losses.networks) < FEWEST:
        return None
    values, _ = design
    parts = [values, *(np.delete(values, k, -1) for k in range(values.shape[-1]))]
    found = [variance_shares(part, FACTORS) for part in parts]
    names = list(found[0])
    shares = np.array([[each[name] for name in names] for each in found])
    chosen = np.array([name != REST and bool({*name} & {*CHOICES}) for name in names])
    with np.errstate(invalid="ignore", divide="ignore"):
        relative = np.where(chosen, shares / shares[:, chosen].sum(1, keepdims=True), np.nan)
    units = tuple(("networks", network) for network in losses.networks)
    return names, Statistic(shares, units), Statistic(relative, units)


def means_table(inputs: Inputs) -> Content:
    """Return the mean loss of each discretization, score and search over all that is crossed with it."""
    losses = losses_of(inputs)
    heads = ["All", *(mechanism.capitalize() for mechanism in losses.mechanisms)]
    design = _design(losses)
    if design is None or len(losses.networks) < FEWEST:
        return Content("level", heads, (), missing="no full design of discretizations, scores and searches")
    values, names = design  # [discretization, score, search, N, mechanism, network]
    rows = []
    for axis, (factor, levels) in enumerate(zip(CHOICES, names, strict=True)):
        crossed = tuple(k for k in range(4) if k != axis)  # and N
        by = values.mean(crossed)  # [levels, mechanisms, networks]
        columns = [over_networks(each).estimate() for each in (by.mean(1), *np.moveaxis(by, 1, 0))]
        for k, level in enumerate(levels):
            rows.append(Row(f"{factor}.{level}", level.replace("_", " "), factor, tuple(_cell(c[k]) for c in columns)))
    return Content("level", heads, rows)


def effects_table(inputs: Inputs) -> Content:
    """Return how much of the variance of the loss each factor and each pair of them accounts for."""
    heads = ["Share of all variance, %", "Share of what choices make, %"]
    found = effects(inputs)
    if found is None:
        return Content("effect", heads, (), missing="no full design of discretizations, scores and searches")
    names, *shares = found
    estimates = [share.map(lambda rows: 100 * rows).estimate() for share in shares]
    order = sorted(range(len(names)), key=lambda i: (len(names[i]), names[i] == REST, -estimates[0].value[i]))
    rows = [
        Row("_".join(names[i]), " x ".join(names[i]), "", tuple(_share(each[i]) for each in estimates)) for i in order
    ]
    return Content("effect", heads, rows)


def _share(found: Estimate) -> Cell:
    if not np.isfinite(found.value):
        return Cell(reason="no choice")
    return Cell(float(found.value), low=max(float(found.low), 0.0), high=min(float(found.high), 100.0), digits=1)


# What failed


def failures_table(inputs: Inputs) -> Content:
    """Return how many runs ended in which way, and of which rows."""
    table = inputs.metrics
    ended = Counter(zip(table["status"], map(_reason, table["status"], table["message"]), strict=True))
    heads = ["Runs", "Of all, %", "Rows"]
    rows = []
    for (status, reason), count in sorted(ended.items(), key=lambda item: -item[1]):
        mine = [s == status and _reason(s, m) == reason for s, m in zip(table["status"], table["message"], strict=True)]
        methods = sorted({str(name) for name in table["method"][mine]})
        labels = {method.name: method.label for method in inputs.methods}
        shown = "all" if status == "ok" else shortened([labels.get(name, name) for name in methods])
        name = f"{status}: {reason}" if reason else str(status)
        rows.append(Row(name, name, "", (Cell(count), Cell(100 * count / len(table["status"]), digits=2), Cell(shown))))
    return Content("ending", heads, rows)


def _reason(status: object, message: object) -> str:
    """Return a message without its numbers, so that equal reasons are counted together."""
    return "" if status == "ok" else short(re.sub(r"\d[\d,.]*", "k", str(message or "")))


# What to look at


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the loss of each discretization above the best row, by mechanism and number of records."""
    losses = losses_of(inputs)
    shown = [(i, _name(method.name) or method.label) for i, method in enumerate(losses.methods) if _shown(method.name)]
    if not shown or not losses.networks:
        raise Absent("no runs of the factorial grid")
    means = losses.values.mean(-1)
    above = means - means.min(0)
    columns = [f"{mechanism}, {n}" for mechanism in losses.mechanisms for n in losses.sizes]
    values = above[[i for i, _ in shown]].reshape(len(shown), -1)
    return heat.heat_maps(
        [name for _, name in shown], columns, [heat.Map("", values, heat.percents(values))], title=title, scale=scale
    )


def _shown(name: str) -> bool:
    return bool(DEFAULT.fullmatch(name)) or not name.startswith("field")


def _name(name: str) -> str:
    found = DEFAULT.fullmatch(name)
    if not found:
        return ""
    levels, discretizer, policy = found.groups()
    return policy or discretizer + ("" if levels == "k" else f" {levels}")


def explored(runs: pa.Table) -> pa.Table:
    """Return the runs of the rows in the figure, networks as replicates, with SHD per true edge as in `by_network`."""
    kept = [row for row in runs.to_pylist() if row["grid"] == "factorial" and _shown(row["method"])]
    turn = {pair: k for k, pair in enumerate(sorted({(row["network"], row["replicate"]) for row in kept}))}
    rows = []
    for row in kept:
        one = {name: row[name] for name in (*CELL, "replicate", "method", "status")}
        one |= {"network": "all, as replicates", "replicate": turn[row["network"], row["replicate"]]}
        good = row["status"] == "ok"
        if row["status"] in FAILED:
            one |= {"status": "ok", "loss": 1.0}
        measured = {name: row[name] if good else None for name, *_ in MEASURES if name in row and "shd" not in name}
        loss = row["shd_standard"] / row["true_edges"] if good and row["shd_standard"] is not None else None
        rows.append({**measured, "loss": loss, **one})
    return pa.Table.from_pylist(rows)


# What to say


def taken_answer(inputs: Inputs) -> str | None:
    """Say which row has the lowest mean loss on all data and on those of each mechanism."""
    losses = losses_of(inputs)
    if len(losses.networks) < FEWEST or not losses.methods:
        return None
    kinds = [_taken(losses, f"on {name}", m) for m, name in enumerate(losses.mechanisms)]
    said = "; ".join([_taken(losses, "on all data", None), *kinds])
    return (
        f"What to take, and its wrong pairs per true edge: {said}. As good: not surely worse, at most {MARGIN} above."
    )


def _taken(losses: Losses, where: str, mechanism: int | None) -> str:
    found = decisions.best_of(losses, mechanism)
    loss, others = found.loss[found.best], len(found.as_good)
    as_good = f"{others} more as good" if others else "no other as good"
    spread = f"{number(float(loss.value), 2)} [{number(float(loss.low), 2)}, {number(float(loss.high), 2)}]"
    return f"{where} {losses.methods[found.best].label} ({spread}, {as_good})"


def discretize_answer(inputs: Inputs) -> str | None:
    """Say on which data discretizing loses less than not doing it."""
    found = [(each.mechanism, each.gain[0]) for each in decisions.discretize_or_not(losses_of(inputs))]
    if not found:
        return None
    kinds: dict[str, list[str]] = {"surely better": [], "surely worse": [], "not told apart from those without": []}
    for mechanism, gain in found:
        low, high = gain.interval(comparisons=len(found))
        better, worse, neither = kinds
        verdict = better if high < 0 else worse if low > 0 else neither
        kinds[verdict].append(f"{mechanism} ({_signed(gain.value, low, high)})")
    said = [f"{verdict} on {listed(each)}" for verdict, each in kinds.items() if each]
    return (
        f"Discretize or not: rows with levels are {'; '.join(said)}. The numbers are SHD (standard) per true edge with "
        "levels less that without, by the best row of each sort on all other networks; their intervals hold together."
    )


def _signed(*numbers: Any, digits: int = 2) -> str:
    """Return a number and the ends of its interval with their signs."""
    value, low, high = (f"{round(float(x), digits) + 0.0:+.{digits}f}" for x in numbers)
    return f"{value} [{low}, {high}]".replace("-", "−")


def advice_answer(inputs: Inputs) -> str | None:
    """Say what following the advice saves or costs beside always doing the same, on networks that it has not seen."""
    found, losses = regrets_of(inputs), losses_of(inputs)
    if found is None:
        return None
    kinds: dict[str, list[str]] = {"less than": [], "more than": [], "not surely more or less than": []}
    others = [name for name in (*decisions.USUAL, decisions.ONE) if name in found.loss]
    for name in others:
        gain = found.against(decisions.ADVISED, name)
        low, high = gain.interval(comparisons=len(others))
        kind = "less than" if high < 0 else "more than" if low > 0 else "not surely more or less than"
        kinds[kind].append(f"{_doing(name)} ({_signed(gain.value, low, high, digits=3)})")
    said = [f"{kind} {listed(names)}" for kind, names in kinds.items() if names]
    regret = found.regret(decisions.ADVISED)
    return (
        f"Does the advice help? Each of {len(losses.networks)} networks was left out of it in turn. Followed there, it "
        f"loses {'; '.join(said)} in wrong pairs per true edge (intervals that hold together). Above the best row of "
        f"each data set, which nobody knows beforehand, it is {number(float(regret.value), 3)} "
        f"[{number(float(regret.low), 3)}, {number(float(regret.high), 3)}]."
    )


def _doing(strategy: str) -> str:
    return f"the {strategy}" if strategy == decisions.ONE else strategy


def effects_answer(inputs: Inputs) -> str | None:
    """Say how much of what the choices make is the same on all data, and what it depends on."""
    found = effects(inputs)
    if found is None:
        return None
    names, shares, relative = found
    estimate, mine = shares.estimate(), relative.estimate()
    choices = [k for k, name in enumerate(names) if np.isfinite(mine.value[k])]
    if not choices:
        return None
    data = sum(float(estimate.value[k]) for k, name in enumerate(names) if name != REST and not {*name} & {*CHOICES})
    groups = {"the same on all data": 0.0, "another one on other data": 0.0, "of two choices together": 0.0}
    for k in choices:
        depends = {*names[k]} - {*CHOICES}
        kind = "another one on other data" if depends else "of two choices together"
        groups["the same on all data" if len(names[k]) == 1 else kind] += float(mine.value[k])
    largest = sorted(choices, key=lambda k: -mine.value[k])[:3]
    first = [f"{' x '.join(names[k])} {100 * mine.value[k]:.0f} %" for k in largest]
    return (
        f"What matters: {100 * data:.0f} % of the variance of SHD (standard) per true edge are of the data themselves "
        f"(network, mechanism, records). Of what the choice of discretization, score and search makes, "
        f"{listed([f'{100 * share:.0f} % is {kind}' for kind, share in groups.items()])}; the largest: {listed(first)}."
    )


def failures_answer(inputs: Inputs) -> str | None:
    """Say how many graphs were learned and how many runs failed."""
    status = Counter(str(each) for each in inputs.metrics["status"])
    if not status:
        return None
    lost = [f"{status[name]:,} {name}" for name in (*FAILED, "unavailable") if status[name]]
    failed = listed(lost) if lost else "none failed"
    return f"Runs: {status['ok']:,} graphs were learned; {failed}."

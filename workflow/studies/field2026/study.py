"""What is special in the field of 2026: decisions, effects of the choices, regret of the advice, and failures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from cutpoint.bench.studies.field2026 import decisions
from cutpoint.bench.studies.field2026.losses import FAILED, Losses, by_network, losses_of, restricted

from cutpoint.base.text import listed
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Inputs, once, short
from cutpoint.bench.engine.sentences import shortened
from cutpoint.bench.plots import heat
from cutpoint.bench.report.artefacts import Cell, Row, Scale, number
from cutpoint.bench.report.explorer import CELL, MEASURES
from cutpoint.bench.statistics.variance_shares import REST, variance_shares
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import Estimate, Statistic
from cutpoint.statistics.recommending import MARGIN, over_networks

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
READINGS = (decisions.LEFT_OUT, decisions.UNCUT, decisions.CUT)
USUALLY = " / bdeu / hill climbing"  # how the labels of most rows of the figure end
FEW = 500  # records; more are many
ANSWERS = ("Take", "Wrong pairs", "Seconds", "As good")
OTHERS = ("others", "densities")  # grids of rows of other programs
DEFAULT = re.compile(r"field([235k]|_integrated)\.\w+\.bdeu\.hill_climbing")


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
    theirs = np.isin(table["grid"].astype(str), OTHERS)
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


def answer_table(inputs: Inputs) -> Content:
    """Return what to take on data of each mechanism with few and with many records, and whether levels are better."""
    losses = losses_of(inputs)
    blocks = _blocks(losses)
    heads = [f"{head}, {words}" for words in blocks for head in ANSWERS]
    if len(losses.networks) < FEWEST or not losses.methods:
        return Content("data", heads, (), missing=f"fewer than {FEWEST} networks")
    rows = [
        Row(name, name.capitalize(), "", tuple(cell for block in blocks.values() for cell in _taken(block, m)))
        for name, m in _kinds(losses)
    ]
    return Content("data", heads, rows, notes=[_useless(losses), *filter(None, [others_answer(inputs)])])


def _kinds(losses: Losses) -> list[tuple[str, int | None]]:
    """Return all data, and those of each mechanism, with its place."""
    return [("all", None), *((mechanism, m) for m, mechanism in enumerate(losses.mechanisms))]


def _blocks(losses: Losses) -> dict[str, Losses]:
    """Return the losses on data of few and of many records, by what these are called."""
    few = [n for n in losses.sizes if n <= FEW]
    many = [n for n in losses.sizes if n > FEW]
    parts = {f"up to {FEW}": few, f"above {FEW}": many}
    return {words: restricted(losses, sizes) for words, sizes in parts.items() if sizes}


def _taken(losses: Losses, mechanism: int | None) -> tuple[Cell, ...]:
    found = decisions.best_of(losses, mechanism)
    loss = _followed(losses, mechanism)
    seconds = losses.seconds[found.best] if mechanism is None else losses.seconds[found.best, mechanism]
    cost = Cell(decisions.middle(seconds), digits=3) if np.isfinite(seconds).any() else Cell(reason="no data")
    return Cell(losses.methods[found.best].label), _loss(loss, 2), cost, Cell(len(found.as_good))


def _followed(losses: Losses, mechanism: int | None) -> Estimate:
    """Return what the row with the lowest mean on other networks loses."""
    return decisions.without_each(decisions.elsewhere, decisions.of_mechanism(losses, mechanism)).estimate()


def _useless(losses: Losses) -> str:
    """Say on how many kinds of data the row to take may be no better than no edges at all."""
    kinds = [kind for kind in decisions.kinds_of(losses) if kind.found is not None]
    lost = Counter(kind.mechanism for kind in kinds if not kind.recovers)
    said = f"the row to take is surely below it on {len(kinds) - lost.total()} of {len(kinds)} kinds"
    rest = listed([f"{name} ({count})" for name, count in lost.most_common()])
    where = f"; the others are of {rest}" if lost else ""
    return (
        f"The empty graph has 1 wrong pair per true edge; by mechanism, N and variables, {said}{where} (not corrected "
        "for the choice)."
    )


def decision_table(inputs: Inputs) -> Content:
    """Return what to take on data of each kind."""
    losses = losses_of(inputs)
    heads = ["Take", "As good", "SHD per true edge", "CPU seconds", *_heads(losses), "Networks"]
    rows = [_decision(losses, kind) for kind in decisions.kinds_of(losses)]
    return Content("kind", heads, rows, missing="" if rows else "no runs of the factorial grid")


def _heads(losses: Losses) -> list[str]:
    return [f"Above it: {name}" for name, method in decisions.USUAL.items() if losses.row(method) is not None]


def _decision(losses: Losses, kind: decisions.Kind) -> Row:
    discrete = f" ({100 * kind.discrete:.0f} % discrete)" if kind.discrete else ""
    name = f"{kind.mechanism.capitalize()}{discrete}, N = {kind.n}, {kind.variables} variables"
    key = f"{kind.mechanism}_{kind.n}_{kind.variables.replace(' ', '_')}"
    found = kind.found
    if found is None:
        none = Cell(reason=f"preview: fewer than {FEWEST} networks")
        return Row(key, name, "", (*[none] * (4 + len(_heads(losses))), Cell(kind.networks)))
    usual = [row for method in decisions.USUAL.values() if (row := losses.row(method)) is not None]
    as_good = shortened([losses.methods[i].label for i in found.as_good]) or "none"
    cells = (
        Cell(losses.methods[found.best].label),
        Cell(as_good),
        _loss(found.loss[found.best]),
        Cell(kind.seconds, digits=3) if np.isfinite(kind.seconds) else Cell(reason="no data"),
        *(_cell(found.above[row]) for row in usual),
    )
    return Row(key, name, "", (*cells, Cell(kind.networks)))


def _loss(found: Estimate, digits: int = 3) -> Cell:
    """Return a loss, which nothing has below 0."""
    return Cell(float(found.value), low=max(float(found.low), 0.0), high=float(found.high), digits=digits)


def _cell(found: Estimate, digits: int = 3) -> Cell:
    return Cell(float(found.value), low=float(found.low), high=float(found.high), digits=digits)


@once
def levels_of(inputs: Inputs, counted: str = decisions.LEFT_OUT) -> list[decisions.Levels]:
    """Return what discretizing costs on data of each mechanism, with MIIC counted as one sort or neither."""
    return list(decisions.discretize_or_not(losses_of(inputs), counted))


def discretize_table(inputs: Inputs) -> Content:
    """Return what discretizing costs on data of each mechanism, against not doing it."""
    losses = losses_of(inputs)
    blocks = _blocks(losses)
    found = [levels_of(inputs, counted) for counted in READINGS]
    by_block = [list(decisions.discretize_or_not(block)) for block in blocks.values()]
    heads = ["With levels", "Without", "Difference, all N", *(f"Difference, {words}" for words in blocks)]
    heads += [f"Difference, N = {n}" for n in losses.sizes]
    heads += [f"MIIC counted as {counted}" for counted in READINGS[1:]]
    count = len(found[0])
    rows = [
        Row(
            each.mechanism,
            each.mechanism.capitalize(),
            "",
            (
                *(Cell(losses.methods[row].label) for row in (each.cut, each.uncut)),
                _together(each.gain[0], count),
                *(_together(block[m].gain[0], count * len(blocks)) for block in by_block),
                *(_together(gain, count) for gain in (*each.gain[1:], *(other.gain[0] for other in others))),
            ),
        )
        for m, (each, *others) in enumerate(zip(*found, strict=True))
    ]
    return Content("mechanism", heads, rows, missing="" if rows else f"not more than {FEWEST} networks")


def _together(found: Estimate, comparisons: int, digits: int = 3) -> Cell:
    """Return a number with an interval that holds together with those of as many others."""
    low, high = found.interval(comparisons=comparisons)
    return Cell(float(found.value), low=float(low), high=float(high), digits=digits)


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
                _together(found.against(name, decisions.ADVISED), len(found.loss) - 1),
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
        made = 1 - np.array([_of_the_data(part) for part in parts])
        relative = np.where(chosen, shares / made[:, None], np.nan)
    relative[:, names.index(REST)] = 1 - np.nansum(relative, axis=1)
    units = tuple(("networks", network) for network in losses.networks)
    return names, Statistic(shares, units), Statistic(relative, units)


def _of_the_data(values: np.ndarray) -> float:
    """Return the share of the variance that is between data sets, whatever is chosen for them."""
    return values.mean(tuple(range(len(CHOICES)))).var() / values.var()


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
    """Draw the loss of each discretization, of what does without and of what is taken, by mechanism and by N."""
    losses = losses_of(inputs)
    if not losses.networks or not losses.methods:
        raise Absent("no runs of the factorial grid")
    taken = {decisions.best_of(losses, m).best for m in (None, *range(len(losses.mechanisms)))}
    shown = [i for i, method in enumerate(losses.methods) if i in taken or _shown(method.name)]
    means = losses.values[shown].mean(-1)  # [rows, mechanisms, sizes]
    values = np.column_stack([means.mean((1, 2)), means.mean(2), means.mean(1)])
    categories = list(dict.fromkeys(method.category for method in losses.methods))
    order = sorted(range(len(shown)), key=lambda k: (categories.index(losses.methods[shown[k]].category), values[k, 0]))
    columns = ["all", *losses.mechanisms, *(f"N = {n}" for n in losses.sizes)]
    texts = [[f"{100 * value:.0f}" for value in values[k]] for k in order]
    rows = [losses.methods[shown[k]].label.removesuffix(USUALLY) for k in order]
    return heat.heat_maps(rows, columns, [heat.Map("", values[order], texts)], ends=None, title=title, scale=scale)


def _shown(name: str) -> bool:
    return bool(DEFAULT.fullmatch(name)) or not name.startswith("field")


def explored(runs: pa.Table) -> pa.Table:
    """Return the runs of the rows in the figure, networks as replicates, with SHD per true edge as in `by_network`."""
    kept = [row for row in runs.to_pylist() if row["grid"] == "factorial" and _shown(row["method"])]
    turn = {pair: k for k, pair in enumerate(sorted({(row["network"], row["replicate"]) for row in kept}))}
    rows = []
    for row in kept:
        one = {name: row[name] for name in (*CELL, "replicate", "method", "status")}
        one |= {"network": "all", "replicate": turn[row["network"], row["replicate"]]}
        good = row["status"] == "ok"
        if row["status"] in FAILED:
            one |= {"status": "ok", "loss": 1.0}
        measured = {name: row[name] if good else None for name, *_ in MEASURES if name in row and "shd" not in name}
        loss = row["shd_standard"] / row["true_edges"] if good and row["shd_standard"] is not None else None
        rows.append({**measured, "loss": loss, **one})
    return pa.Table.from_pylist(rows)


# What to say


def taken_answer(inputs: Inputs) -> str | None:
    """Say which row has the lowest mean loss on all data and on those of each mechanism, with few and many records."""
    losses = losses_of(inputs)
    if len(losses.networks) < FEWEST or not losses.methods:
        return None
    said = [
        f"N {words}: {'; '.join(_said(block, name, m) for name, m in _kinds(losses))}"
        for words, block in _blocks(losses).items()
    ]
    return (
        "What to take, the wrong pairs per true edge of a row chosen on other networks, and how many more are as "
        f"good (not surely worse, at most {MARGIN} above). {'. '.join(said)}. {_useless(losses)}"
    )


def _said(losses: Losses, name: str, mechanism: int | None) -> str:
    found = decisions.best_of(losses, mechanism)
    loss = _followed(losses, mechanism)
    spread = f"{number(float(loss.value), 2)} [{number(float(loss.low), 2)}, {number(float(loss.high), 2)}]"
    return f"{name} {losses.methods[found.best].label} ({spread}; {len(found.as_good)})"


def discretize_answer(inputs: Inputs) -> str | None:
    """Say on which data discretizing loses less than not doing it."""
    found = levels_of(inputs)
    if not found:
        return None
    mine = _verdicts(found)
    signed = {
        each.mechanism: _signed(each.gain[0].value, *each.gain[0].interval(comparisons=len(found))) for each in found
    }
    said = "; ".join(
        f"{verdict} on {listed([f'{name} ({signed[name]})' for name in names])}" for verdict, names in mine.items()
    )
    return (
        f"Discretize or not? Over all N, rows with levels are {said}. The numbers are wrong pairs per true edge with "
        "levels less those without, by the best row of each sort on other networks; simultaneous 95 % intervals. With "
        "few and with many records it can be otherwise: table_discretize."
    )


BETTER, WORSE, OPEN = "surely better", "surely worse", "not told apart from those without"


def _verdicts(found: Sequence[decisions.Levels]) -> dict[str, list[str]]:
    """Return the mechanisms by what is sure of them all together; verdicts that have none are left out."""
    kinds: dict[str, list[str]] = {BETTER: [], WORSE: [], OPEN: []}
    for each in found:
        low, high = each.gain[0].interval(comparisons=len(found))
        kinds[BETTER if high < 0 else WORSE if low > 0 else OPEN].append(each.mechanism)
    return {verdict: names for verdict, names in kinds.items() if names}


def miic_answer(inputs: Inputs) -> str | None:
    """Say which verdicts on discretizing are others where the rows that cut pair by pair are counted."""
    losses = losses_of(inputs)
    found = levels_of(inputs)
    if not found or losses.row(decisions.PAIRWISE[0]) is None:
        return None
    mine, said = _verdicts(found), []
    for counted in READINGS[1:]:
        other = _verdicts(levels_of(inputs, counted))
        moved = {verdict: [x for x in names if x not in mine.get(verdict, ())] for verdict, names in other.items()}
        changes = listed([f"{listed(names)} {_are(verdict, names)}" for verdict, names in moved.items() if names])
        said.append(f"counted as {counted}, {changes or 'nothing changes'}")
    return f"MIIC, which cuts each pair of variables by itself, has no part in this comparison; {'; '.join(said)}."


def _are(verdict: str, names: Sequence[str]) -> str:
    return f"{'are' if len(names) > 1 else 'is'} {verdict.replace(' from those without', '')}"


def _signed(*numbers: Any, digits: int = 2) -> str:
    """Return a number, if any, and the ends of its interval with their signs."""
    *value, low, high = (f"{round(float(x), digits) + 0.0:+.{digits}f}" for x in numbers)
    return " ".join((*value, f"[{low}, {high}]")).replace("-", "−")


def others_answer(inputs: Inputs) -> str | None:
    """Say which programs of others have a lower mean than the row to take, where any were run."""
    losses = losses_of(inputs)
    found = [each for name in OTHERS for each in decisions.beside(losses, losses_of(inputs, name))]
    if not found:
        return None
    rows, networks = len({each.other.name for each in found}), max(each.networks for each in found)
    lower = sorted((each for each in found if each.gain.value < 0), key=lambda each: float(each.gain.value))
    where = f"{rows} rows of other programs, run on {networks} of these networks (table_others)"
    if not lower:
        return f"None of {where}, has a lower mean than the row to take on the same data."
    said = [
        f"{each.other.label} on {each.mechanism} ({_signed(each.gain.value, each.gain.low, each.gain.high)} by itself, "
        f"{_signed(*each.gain.interval(comparisons=len(found)))} with all {len(found)} comparisons together)"
        for each in lower
    ]
    return f"Of {where}, these have a lower mean than the row to take on the same data: {listed(said)}."


def advice_answer(inputs: Inputs) -> str | None:
    """Say what following the advice saves or costs beside always doing the same, on networks that it has not seen."""
    found, losses = regrets_of(inputs), losses_of(inputs)
    if found is None:
        return None
    saves, costs, neither = "saves wrong pairs per true edge against", "costs some against", "is not told apart from"
    kinds: dict[str, list[str]] = {saves: [], costs: [], neither: []}
    for name in (name for name in found.loss if name not in (decisions.ADVISED, decisions.KNOWN)):
        gain = found.against(name, decisions.ADVISED)
        low, high = gain.interval(comparisons=len(found.loss) - 1)
        kinds[saves if low > 0 else costs if high < 0 else neither].append(
            f"{_doing(name)} ({_signed(gain.value, low, high, digits=3)})"
        )
    said = [f"it {kind} {listed(names)}" for kind, names in kinds.items() if names]
    regret = found.regret(decisions.ADVISED)
    return (
        f"Does the advice help? Each of {len(losses.networks)} networks was left out of it in turn. Followed there, "
        f"{'; '.join(said)} (simultaneous intervals). Above the best row of each data set, which nobody knows "
        f"beforehand, it is {number(float(regret.value), 3)} [{number(float(regret.low), 3)}, "
        f"{number(float(regret.high), 3)}], and {number(float(found.regret(decisions.KNOWN).value), 3)} where the kind "
        "of data is known."
    )


def _doing(strategy: str) -> str:
    return strategy if strategy.startswith("always") else f"the {strategy}"


def effects_answer(inputs: Inputs) -> str | None:
    """Say how much of what the choices make is the same on all data, and what it depends on."""
    found = effects(inputs)
    if found is None:
        return None
    names, _, relative = found
    mine = relative.estimate()
    choices = [k for k, name in enumerate(names) if name != REST and np.isfinite(mine.value[k])]
    if not choices:
        return None
    of = {name: float(mine.value[k]) for k, name in enumerate(names)}
    alone = {name: of[name,] for name in CHOICES}
    groups = {
        "is the same on all data": sum(alone.values()),
        "depends on one of network, mechanism and records": 0.0,
        "comes of two choices together": 0.0,
        "is of three and more of these together, and chance, as each kind of data was drawn once": of[REST],
    }
    _, depends, together, _ = groups
    for k in choices:
        if len(names[k]) == 2:
            groups[depends if {*names[k]} - {*CHOICES} else together] += float(mine.value[k])
    losses = losses_of(inputs)
    design = _design(losses)
    data = 0.0 if design is None else _of_the_data(design[0])
    return (
        f"What matters, of rows that cut before they search? {100 * data:.0f} % of the variance of the wrong pairs per "
        "true edge is of the data alone. Of the rest, which discretization, score and search make, "
        f"{listed([f'{100 * share:.0f} % {kind}' for kind, share in groups.items()])}. The same on all data: "
        f"{listed([f'{name} {100 * share:.1f} %' for name, share in alone.items()])}.{_searches(losses)}"
    )


def _searches(losses: Losses) -> str:
    """Say whether tabu is better than hill climbing where thresholds and graph take turns."""
    pairs = [
        (row, losses.row(method.name.replace("hill_climbing", "tabu")))
        for row, method in enumerate(losses.methods)
        if method.name.startswith("field_integrated.") and method.name.endswith("hill_climbing")
    ]
    if not pairs:
        return ""
    climbing, tabu = (losses.values[list(rows)].mean((0, 1, 2)) for rows in zip(*pairs, strict=True))
    gain = over_networks((tabu - climbing)[None])[0].estimate()
    low, high = gain.interval()
    verdict = "surely fewer" if high < 0 else "surely more" if low > 0 else "not surely fewer or more"
    return (
        f" Where thresholds and graph are learned in turns, tabu search leaves {verdict} wrong pairs than hill "
        f"climbing ({_signed(gain.value, low, high, digits=3)})."
    )


def failures_answer(inputs: Inputs) -> str | None:
    """Say how many graphs were learned and how many runs failed."""
    status = Counter(str(each) for each in inputs.metrics["status"])
    if not status:
        return None
    ended = dict(zip(FAILED, ("ran out of time", "ran out of memory", "ended with an error"), strict=True))
    ended["unavailable"] = "had no data"
    lost = [f"{status[name]:,} {words}" for name, words in ended.items() if status[name]]
    failed = listed(lost) if lost else "none failed"
    return f"Runs: {status['ok']:,} graphs were learned; {failed}."

"""What to use and what the methods learned, side by side, and what to worry about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import reasons
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.studies.own import confidence, held_out
from cutpoint.bench.studies.own.columns import DIRECT
from cutpoint.bench.studies.own.models import network_cell
from cutpoint.bench.studies.own.outcomes import CONFIDENCE, WHOLE, Outcome, continuous, data, lost, outcomes, truth
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.metrics import shd
from cutpoint.method import DEFAULT

YES, NO, KNOWN = "yes", "no", "known"
NO_TRUTH = "no true network; give one with truth=FILE.bif"


def network_table(inputs: Inputs) -> Content:
    """Return the edges of the network that is shown, the surest first, then what most methods have beside it."""
    columns = ("Confidence", "This direction", "Methods", "Mean confidence", "In the network")
    place = shown(inputs)
    if place is None:
        return Content("edge", columns, (), missing=lost(inputs, WHOLE) or "no method with levels has succeeded")
    learned = np.array([skeleton(each.graph) for each in outcomes(inputs) if each.graph is not None])
    graph, votes = outcomes(inputs)[place].graph, learned.sum(0)
    assert graph is not None
    own = skeleton(graph)
    sure = np.nan_to_num(confidence.adjacent(inputs)[place])
    pairs = np.argwhere(np.triu(own | (2 * votes > len(learned)))).tolist()
    pairs.sort(key=lambda pair: (not own[*pair], -sure[*pair], -votes[*pair]))
    rows = [_edge(inputs, place, i, j, f"{votes[i, j]} of {len(learned)}") for i, j in pairs]
    return Content("edge", columns, rows, missing="" if rows else "no edge that one learned, or most others share")


def _edge(inputs: Inputs, place: int, i: int, j: int, votes: str) -> Row:
    """Return the row of two variables, with an arrow where its class and enough of the resamples have one."""
    graph, names, shares = outcomes(inputs)[place].graph, data(inputs).variables, confidence.frequencies(inputs)[place]
    assert graph is not None
    often = shares.directed if shares else np.zeros(graph.shape)
    start, end = max((i, j), (j, i), key=lambda pair: (bool(graph[pair]), often[pair]))
    arrow = graph[start, end] and not graph[end, start] and (shares is None or shares.settled[start, end])
    sign, why = confidence.ARROWS[confidence.FORWARD if arrow else confidence.NEITHER], confidence.reason(inputs, place)
    inside, mean = bool(graph[start, end]), float(confidence.average(inputs)[i, j])
    known = Cell(KNOWN) if [names[start], names[end]] in required(inputs) else None
    each = (shares.adjacent[i, j], shares.directed[start, end]) if shares else (None, None)
    sure, so = (Cell(share if share is None else float(share), reason=why) for share in each)
    cells = [known] * 4 if known else [sure, so if inside else Cell(), Cell(votes), Cell(mean, reason=why)]
    label = f"{names[start]} {sign} {names[end]}"
    return Row(f"{names[start]}--{names[end]}", label, "", (*cells, Cell(YES if inside else NO)))


def required(inputs: Inputs) -> list[list[str]]:
    """Return the arcs that are known, the names of parent and child each."""
    return [list(arc) for arc in (data(inputs).knowledge or {}).get("required", ())]


def shown(inputs: Inputs) -> int | None:
    """Return the place of the method whose network is shown, as `cutpoint.bench.report.study.OwnNetwork.of` finds it.

    It has levels: the default where no other method predicts significantly better, else the one that predicts best.
    """
    gains = [held_out.mean_interval(each.gains)[0] for each in held_out.folds(inputs)]
    places = [i for i, each in enumerate(outcomes(inputs)) if each.graph is not None and each.thresholds is not None]
    places.sort(key=lambda i: -np.nan_to_num(gains[i], nan=-np.inf))
    default = [i for i in places if inputs.methods[i].name == DEFAULT and DEFAULT in held_out.best(inputs)]
    return next(iter(default + places), None)


def methods_table(inputs: Inputs) -> Content:
    """Return the outcome of every method in one row, the highest held-out gain first, and that of no edges."""
    learned, folds, shares = outcomes(inputs), held_out.folds(inputs), confidence.frequencies(inputs)
    best, alike = held_out.best(inputs), jaccard(learned)
    rows, failed = [], any(each.status != OK for each in learned)
    for i, each in enumerate(learned):
        gain = folds[i].cell(folds[i].gains)
        mark = YES if each.method.name in best else NO
        stable = confidence.stability(shares[i])
        why = confidence.reason(inputs, i) if shares[i] is None else "no edges, or a single resample"
        cells = (
            *(gain, Cell(mark if folds[i].complete else None, reason=folds[i].reason)),
            Cell(stable if np.isfinite(stable) else None, reason=why),
            _mean(np.delete(alike[i], i), each.reason or "nothing to compare with"),
            *_graph(inputs, each),
            network_cell(inputs, each, shares[i]),
            _mean(_good(inputs, WHOLE, i, "seconds"), each.reason or "not measured", 3),
            *([Cell(each.status)] if failed else []),
        )
        rows.append(each.method.row(*cells))
    gains = [held_out.mean_interval(each.gains)[0] for each in folds]
    if best:
        cells = Cell(0.0, digits=3), Cell(YES if held_out.ALONE in best else NO), *[Cell()] * (7 + failed)
        rows, gains = [*rows, Row(*held_out.EMPTY, cells)], [*gains, 0.0]
    return Content(
        "method",
        (
            *("Held-out gain", "Not significantly worse", "Stability", "Agreement"),
            *("Edges", "Undirected", "Levels", "Network", "CPU seconds", *(["Status"] if failed else [])),
        ),
        [rows[i] for i in np.argsort(-np.array(gains), kind="stable")],
        missing=lost(inputs, WHOLE),
    )


def _good(inputs: Inputs, grid: str, method: int, metric: str) -> np.ndarray:
    """Return a metric of the runs of a method that succeeded, float64 [R]."""
    runs = inputs.runs(grid)
    good = (runs["status"] == OK) & (runs["method"] == inputs.methods[method].name)
    return runs.loc[good, metric].to_numpy(float)


def _mean(values: np.ndarray, reason: str, digits: int = 2) -> Cell:
    """Return the mean of the numbers that there are."""
    values = values[np.isfinite(values)]
    return Cell(float(values.mean()) if values.size else None, reason=reason, digits=digits)


def _graph(inputs: Inputs, outcome: Outcome) -> list[Cell]:
    """Return the numbers of all edges and of undirected ones, and the mean number of levels."""
    if outcome.graph is None:
        return [Cell(reason=outcome.reason)] * 3
    both = int((outcome.graph & outcome.graph.T).sum()) // 2
    columns, levels = continuous(data(inputs)), Cell(DIRECT)
    if outcome.thresholds is not None and columns:
        levels = Cell(float(np.mean([len(outcome.thresholds[i]) + 1 for i in columns])), digits=1)
    return [Cell(int(skeleton(outcome.graph).sum()) // 2), Cell(both), levels]


def jaccard(learned: Sequence[Outcome]) -> np.ndarray:
    """Return which share of the edges of either of two graphs is in both, float64 [M, M], whatever their direction.

    NaN where a method has no graph, and of two graphs without edges.
    """
    shares = np.full((len(learned), len(learned)), np.nan)
    skeletons = {i: skeleton(each.graph) for i, each in enumerate(learned) if each.graph is not None}
    for (i, a), (j, b) in product(skeletons.items(), repeat=2):
        if either := (a | b).sum():
            shares[i, j] = (a & b).sum() / either
    return shares


def agreement_table(inputs: Inputs) -> Content:
    """Return how far each two methods agree on the whole data."""
    learned, alike = outcomes(inputs), jaccard(outcomes(inputs))
    rows = []
    for a, shares in zip(learned, alike.tolist(), strict=True):
        near = [Cell(share, reason=_why(a, b)) for share, b in zip(shares, learned, strict=True)]
        rows.append(a.method.row(*near, *(_distance(a, b) for b in learned)))
    count, labels = len(learned), [each.method.label for each in learned]
    return Content(
        "method",
        [f"{label}, {kind}" for kind in ("Jaccard", "SHD") for label in labels],
        rows,
        [
            ("Share of common edges (Jaccard index)", range(count)),
            ("Distance between equivalence classes (SHD)", range(count, 2 * count)),
        ],
        missing=lost(inputs, WHOLE),
    )


def _why(a: Outcome, b: Outcome) -> str:
    return a.reason or b.reason or "neither has an edge"


def _distance(a: Outcome, b: Outcome) -> Cell:
    if a.graph is None or b.graph is None:
        return Cell(reason=_why(a, b))
    return Cell(shd(a.graph, b.graph, "standard"))


def structure_table(inputs: Inputs, *, metrics: Mapping[str, Mapping[str, Any]], rates: Sequence[str]) -> Content:
    """Return how far each method is from the true network, in metrics of which heading and decimals are declared."""
    heads = [each["head"] for each in metrics.values()]
    columns = [*heads, *(f"{head}, mean" for head in heads)]
    if why := lost(inputs, WHOLE) or ("" if truth(inputs) is not None else NO_TRUTH):
        return Content("method", columns, [], missing=why)
    rows = []
    for i, m in enumerate(inputs.methods):
        cells = [make(inputs, i, name, about["digits"]) for make in (_whole, _drawn) for name, about in metrics.items()]
        rows.append(m.row(*cells))
    count = len(heads)
    panels = [("Learned from the whole data", range(count)), ("Mean over the resamples", range(count, 2 * count))]
    return Content("method", columns, rows, panels, rates)


def _whole(inputs: Inputs, i: int, metric: str, digits: int) -> Cell:
    why = reasons(inputs, inputs.runs(WHOLE)).iloc[i]
    return _mean(_good(inputs, WHOLE, i, metric), why, digits)


def _drawn(inputs: Inputs, i: int, metric: str, digits: int) -> Cell:
    """Return the mean over the resamples, and where the middle 95 % of them lie."""
    if why := lost(inputs, CONFIDENCE):
        return Cell(reason=why)
    values = _good(inputs, CONFIDENCE, i, metric)
    values = values[np.isfinite(values)]
    low, high = map(float, np.quantile(values, [0.025, 0.975])) if len(values) > 1 else (None, None)
    expected = inputs.runs(CONFIDENCE)["replicate"].nunique()
    return replace(
        _mean(values, confidence.reason(inputs, i), digits), low=low, high=high, runs=len(values), expected=expected
    )


HEADS = ("In your data", "Worry?", "What to do")
ALIKE, STABLE = 0.5, 0.7  # Jaccard indices of graphs below which they are called different


def worries_table(inputs: Inputs) -> Content:
    """Return for each reason to worry what the data show, whether it is one here, and what helps; those first."""
    if missing := lost(inputs, WHOLE):
        return Content("reason", HEADS, (), missing=missing)
    table = data(inputs)
    alike = jaccard(outcomes(inputs))[~np.eye(len(inputs.methods), dtype=bool)]
    stable = np.array([confidence.stability(each) for each in confidence.frequencies(inputs) if each is not None])
    rows = (
        *table.worries,
        ("Methods disagree", *_shared(alike, "edges in common of two methods", ALIKE),
         "Believe the edges that most methods share: the table of edge confidence."),
        ("Resamples disagree", *_shared(stable, "edges in common of two resamples", STABLE),
         "More records, or fewer columns; quote the confidence of an edge with it."),
    )  # fmt: skip
    cells = [
        (name, (Cell(seen), Cell(YES if worry else NO), Cell(remedy if worry else "-")))
        for name, seen, worry, remedy in sorted(rows, key=lambda row: not row[2])
    ]
    return Content("reason", HEADS, [Row(name.replace(" ", "_"), name, "", each) for name, each in cells])


def _shared(shares: np.ndarray, what: str, bar: float) -> tuple[str, bool]:
    """Return the mean of the shares in words, and whether it is below a bar."""
    mean = float(shares[np.isfinite(shares)].mean()) if np.isfinite(shares).any() else np.nan
    return f"{what}: {100 * mean:.0f} %" if np.isfinite(mean) else "not measured", mean < bar

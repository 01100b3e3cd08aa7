"""A fitted network as a page: one HTML file that asks nothing of a network and computes posteriors itself."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from cutpoint.base.errors import InputError
from cutpoint.base.text import first_of
from cutpoint.discretization.labels import spoken
from cutpoint.graphs.frequencies import SETTLED
from cutpoint.graphs.layers import Layers
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.votes import opened, worth
from cutpoint.models.fitted import Fitted

LARGEST = 600_000  # bytes of a page
PLACES = 120  # at which a density is drawn
DIGITS = 12  # of a probability; the page makes rows sum to 1 again
# Pixels, as in page.css: a level, the most of them, name and margins of a card, its curve, and what is left of a name
LEVEL, LEVELS, FRAME, CURVE, LETTER = 18, 14, 39, 53, 7.6
ACROSS, DOWN, AROUND, ASIDE = 24, 46, 28, 8  # between cards, between layers, around all; from a card to where arcs bend
TEMPLATES = Environment(loader=PackageLoader("cutpoint.models"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
Places = list[list[float]]


def render(model: Fitted, title: str) -> str:
    """Return the page of a model as HTML text."""
    variables = [_variable(model, i) for i in range(len(model.variables))]
    labels = [text for one in variables for text in one.get("labels", one["states"])]
    label, rest = min(max(LETTER * max(map(len, labels)), 40), 150), 168 if len(variables) <= 20 else 134
    boxes, paths, size = _places(np.asarray(model.dag, bool), variables, label + rest)
    for variable, box in zip(variables, boxes, strict=True):
        variable["box"] = box
    document = {"variables": variables, "arcs": _arcs(model, paths)}
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    fitted = "" if model.records is None else f", fitted to {model.records:,} records"
    text = TEMPLATES.get_template("page.html.j2").render(
        title=title,
        about=f"{len(variables)} variables, {len(paths)} arcs{fitted}",
        data=Markup(data.replace("<", "\\u003c")),  # no text of a model can end the script element
        shares=model.confidence,
        settled=f"{SETTLED:.0%}",
        worth=worth(model.confidence),
        knowledge=_knowledge(model),
        note=model.note,
        label=round(label),
        rest=rest,
        size=size,
    )  # fmt: skip
    if (length := len(text.encode())) > LARGEST:
        largest = sorted(variables, key=lambda one: -len(one["table"]))[:3]
        names = first_of([f"{one['name']} ({len(one['table'])})" for one in largest])
        raise InputError(
            f"a page has at most {LARGEST // 1000} kB, and this one would have {length // 1000}; the largest tables "
            f"are those of {names}: limit max_parents and most_levels, see docs/knowledge.md, or write .json"
        )
    return text


def _variable(model: Fitted, i: int) -> dict[str, Any]:
    """Return what the page shows of a variable, and its scale where it has one."""
    name, network = model.variables[i], model.network
    entry: dict[str, Any] = {
        "name": name,
        "states": list(network.states[i]),
        "parents": [int(j) for j in network.parents[i]],
        "kind": model.kind(name),
        "table": [_short(p, DIGITS) for p in np.ravel(network.tables[i]).tolist()],
    }
    if name not in model.scales:
        return entry
    scale, cuts = model.scales[name], model.thresholds[i]
    entry |= {
        "labels": [*map(spoken, network.states[i])],
        "thresholds": cuts.tolist(),
        "range": [scale.least, scale.greatest],
    }
    entry["means"] = [_short(mean, 6) for mean in scale.means.tolist()]
    if scale.density is not None and scale.greatest > scale.least:
        heights = np.exp(scale.density.log_density(np.linspace(scale.least, scale.greatest, PLACES)))
        entry["density"] = np.round(heights / heights.max() * 999).astype(int).tolist()
    return entry


def _short(number: float, digits: int) -> float:
    value = float(f"{number:.{digits}g}")
    return int(value) if value.is_integer() else value


def _arcs(model: Fitted, paths: Mapping[tuple[int, int], tuple[str, list[float]]]) -> list[dict[str, Any]]:
    """Return the arcs: where they run, whether their direction is settled or was required, and their shares of votes.

    An arc that is not settled is `either` where both directions have the same probabilities.
    """
    names, pattern, required = model.variables, cpdag(model.dag), set()
    if model.knowledge is not None:
        pattern, required = model.knowledge.oriented(pattern, names), {*model.knowledge.content.required}
    shares = None if model.confidence is None else model.confidence.among(names)
    drawn = pattern if shares is None else opened(pattern, model.dag, shares, model.knowledge)
    arcs = []
    for (i, j), (path, tip) in paths.items():
        arc = {"from": i, "to": j, "settled": not drawn[j, i], "either": bool(pattern[j, i]), "path": path, "tip": tip}
        arc |= {"required": True} if (names[i], names[j]) in required else {}
        if shares is not None:
            arc |= {"confidence": round(shares.adjacent[i, j], 3), "direction": round(shares.directed[i, j], 3)}
        arcs.append(arc)
    return arcs


def _knowledge(model: Fitted) -> list[str]:
    """Return what was known beforehand, a sentence each."""
    if model.knowledge is None:
        return []
    facts = model.knowledge.content
    lines = [f"required: {x} → {y}" for x, y in facts.required] + [f"forbidden: {x} → {y}" for x, y in facts.forbidden]
    if facts.tiers:
        lines.append("in order of time: " + "; then ".join(", ".join(tier) for tier in facts.tiers))
        lines += [f"no arcs between {', '.join(facts.tiers[number - 1])}" for number in facts.no_arcs_within]
    limit = [] if facts.max_parents is None else [f"at most {facts.max_parents} parents"]
    return [*lines, *limit, *(f"thresholds of {name}" for name in facts.thresholds)]


def _places(
    dag: np.ndarray, variables: list[dict[str, Any]], width: float
) -> tuple[Places, dict[tuple[int, int], tuple[str, list[float]]], tuple[int, int]]:
    """Return left, top, width and height of each card, path and tip of each arc, and the size of all, in pixels.

    An arc is straight beside cards and bends between layers.
    """
    layers = Layers.of(dag)
    x = {place: middle + AROUND for place, middle in layers.middles([width] * len(dag), ACROSS).items()}
    curved = [one["range"][1] > one["range"][0] if "range" in one else False for one in variables]
    levels = [min(len(one["states"]), LEVELS) for one in variables]
    high = [FRAME + CURVE * curve + LEVEL * count for curve, count in zip(curved, levels, strict=True)]
    boxes: Places = [[]] * len(dag)
    bands: dict[int, tuple[float, float]] = {}  # of each place the top and the bottom of its layer
    top = float(AROUND)
    for row in layers.rows:
        tall = max((high[i] for i in row if i < len(dag)), default=0)
        bands |= dict.fromkeys(row, (top, top + tall))
        for i in (i for i in row if i < len(dag)):
            boxes[i] = [round(x[i] - width / 2), round(top + (tall - high[i]) / 2), round(width), high[i]]
        top += tall + DOWN
    starts, ends = (_ports(layers, x, width, side) for side in (0, 1))
    paths = {}
    for (i, j), route in layers.routes.items():
        at, low, tip = starts[i, j], bands[i][1], [ends[i, j], boxes[j][1]]
        path = f"M{at} {boxes[i][1] + boxes[i][3]:g}V{low:g}"
        stops = [(round(x[place]), bands[place][1] + ASIDE) for place in route]
        for place, (to, lower) in zip([*route, j], [*stops, (tip[0], tip[1] - 7)], strict=True):
            upper = bands[place][0] - ASIDE
            bend = 0.6 * (upper - low)
            path += f"C{at} {low + bend:.0f} {to} {upper - bend:.0f} {to} {upper:g}V{lower:g}"
            at, low = to, lower
        paths[i, j] = path, tip
    right = max((box[0] + box[2] for box in boxes), default=0)
    return boxes, paths, (round(max(right, *x.values(), 0)) + AROUND, round(top - DOWN + AROUND))


def _ports(layers: Layers, x: Mapping[int, float], width: float, side: int) -> dict[tuple[int, int], float]:
    """Return where each arc leaves its parent (side 0) or meets its child, in the order of what is next on its way."""
    ports: dict[tuple[int, int], float] = {}
    near = {arc: [arc[0], *route, arc[1]][-2 if side else 1] for arc, route in layers.routes.items()}
    for i in {arc[side] for arc in near}:
        own = sorted((arc for arc in near if arc[side] == i), key=lambda arc: x[near[arc]])
        step = min(26.0, (width - 40) / len(own))
        ports |= {arc: round(x[i] + (k - (len(own) - 1) / 2) * step) for k, arc in enumerate(own)}
    return ports

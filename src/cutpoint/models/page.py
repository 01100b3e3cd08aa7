"""A fitted network as a page: one HTML file that asks nothing of a network and computes posteriors itself."""

import json
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from cutpoint.base.errors import InputError
from cutpoint.base.text import first_of
from cutpoint.discretization.thresholds import short, spoken
from cutpoint.graphs.frequencies import SETTLED
from cutpoint.graphs.layers import Drawing, best_direction
from cutpoint.learners.learned import opened, worth
from cutpoint.models.fitted import Fitted

LARGEST, LARGE = 600_000, 40  # bytes of a page, and the variables that so many bytes are for
PLACES = 120  # at which a density is drawn
DIGITS = 12  # of a probability; the page makes rows sum to 1 again
# Pixels, as in page.css: a level, the most of them, name and margins of a card, its curve, and a letter of a label
LEVEL, LEVELS, FRAME, CURVE, LETTER = 18, 8, 39, 53, 7.6
NAME, SHORT, LONG, NARROW = 7.8, 54, 150, 84  # a letter of a name; least and greatest width of its box, that of many
ROOM = 1060, 740  # in which the whole network is seen
FEW, MANY = 30, 80  # variables from which names are seen first, and beyond which they are cut
GAPS = {"names": (8, 26), "values": (12, 34), "cards": (24, 46)}  # between boxes of a layer, and between layers
AROUND = 28
TEMPLATES = Environment(loader=PackageLoader("cutpoint.models"), autoescape=True, trim_blocks=True, lstrip_blocks=True)


def render(model: Fitted, title: str) -> str:
    """Return the page of a model as HTML text."""
    variables = [_variable(model, i) for i in range(len(model.variables))]
    labels = [text for one in variables for text in one.get("labels", one["states"])]
    label, rest = min(max(LETTER * max(map(len, labels)), 40), 150), 168 if len(variables) <= 20 else 134
    shares, arcs = model.confidence, _arcs(model)
    document = {
        "variables": variables,
        "arcs": arcs,
        "views": _views(np.asarray(model.dag, bool), variables, label + rest),
        "votes": shares and {"of": shares.of, "graphs": shares.graphs},
    }
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    fitted = "" if model.records is None else f", fitted to {model.records:,} records"
    text = TEMPLATES.get_template("page.html.j2").render(
        title=title,
        about=f"{len(variables)} variables, {len(arcs)} arcs{fitted}",
        data=Markup(data.replace("<", "\\u003c")),  # no text of a model can end the script element
        shares=shares,
        settled=f"{SETTLED:.0%}",
        worth=worth(shares),
        knowledge=_knowledge(model),
        note=model.note,
        label=round(label),
        rest=rest,
    )  # fmt: skip
    largest = LARGEST * max(1, len(variables) / LARGE)
    if (length := len(text.encode())) > largest:
        names = sorted(variables, key=lambda one: -len(one["table"]))[:3]
        tables = first_of([f"{one['name']} ({len(one['table'])})" for one in names])
        sizes = f"at most {largest / 1000:.0f} kB, and this one would have {length // 1000}"
        advice = "limit max_parents and most_levels, see docs/knowledge.md, or write .json"
        which = f"the largest tables are those of {tables}"
        raise InputError(f"a page of {len(variables)} variables has {sizes}; {which}: {advice}")
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
    if name in model.intervals:
        entry["intervals"] = [short(row, times=name in model.thresholds.times) for row in model.intervals[name]]
    entry["means"] = [_short(mean, 6) for mean in scale.means.tolist()]
    if scale.density is not None and scale.greatest > scale.least:
        heights = np.exp(scale.density.log_density(np.linspace(scale.least, scale.greatest, PLACES)))
        entry["density"] = np.round(heights / heights.max() * 999).astype(int).tolist()
    return entry


def _short(number: float, digits: int) -> float:
    value = float(f"{number:.{digits}g}")
    return int(value) if value.is_integer() else value


def _arcs(model: Fitted) -> list[dict[str, Any]]:
    """Return the arcs: whether their direction is settled, either one as probable, or required, and their shares."""
    names, pattern = model.variables, model.pattern
    required = set() if model.knowledge is None else {*model.knowledge.content.required}
    shares = None if model.confidence is None else model.confidence.among(names)
    drawn = pattern if shares is None else opened(pattern, model.dag, shares, model.knowledge)
    arcs = []
    for i, j in np.argwhere(model.dag).tolist():
        arc = {"from": i, "to": j, "settled": not drawn[j, i], "either": bool(pattern[j, i])}
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


def _views(dag: np.ndarray, variables: list[dict[str, Any]], width: float) -> dict[str, dict[str, Any]]:
    """Return for each view, in pixels, its size, left, top, width and height of each box, and each arc's points."""
    sizes = _sizes(variables, width)
    first = "cards" if len(variables) < FEW else "names"
    direction = best_direction(dag, sizes[first], GAPS[first], ROOM)
    views = {}
    for view, gaps in GAPS.items():
        drawing = Drawing.of(dag, sizes[view], gaps, direction)
        corners = drawing.middles - np.array(sizes[view]) / 2 + AROUND
        views[view] = {
            "size": [round(side + 2 * AROUND) for side in drawing.size],
            "boxes": [[*corner, *size] for corner, size in zip(_whole(corners), sizes[view], strict=True)],
            "curves": [_whole(drawing.curves[i, j] + AROUND) for i, j in np.argwhere(dag).tolist()],
        }
    return views


def _whole(points: np.ndarray) -> list[list[int]]:
    return points.round().astype(int).tolist()


def _sizes(variables: list[dict[str, Any]], width: float) -> dict[str, list[tuple[int, int]]]:
    """Return width and height of the boxes of the variables in each view, pixels."""
    longest = LONG if len(variables) <= MANY else NARROW
    wide = [round(min(max(NAME * len(one["name"]) + 18, SHORT), longest)) for one in variables]
    curves = [CURVE * bool(np.ptp(one.get("range", [0]))) for one in variables]
    levels = [LEVEL * min(len(one["states"]), LEVELS) for one in variables]
    return {
        "names": [(each, 26) for each in wide],
        "values": [(max(each, 118), 44) for each in wide],
        "cards": [(round(width), FRAME + curve + high) for curve, high in zip(curves, levels, strict=True)],
    }

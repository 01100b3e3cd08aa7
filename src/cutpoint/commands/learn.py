"""Learn from a file by the default or another method, and write the fitted network or the graph to a file."""

import json
import shlex
import sys
import warnings
from pathlib import Path
from textwrap import wrap
from types import SimpleNamespace
from typing import Any

import click

from cutpoint.base.errors import InputError
from cutpoint.base.text import first_of, listed, printable, suggest, typed
from cutpoint.commands.settings import FILE, METHOD, OPTIONS, READING, settings_of
from cutpoint.data.roles import joined, setting
from cutpoint.method import DEFAULT

POSTERIOR = "posterior"
DOT, HTML = "dot", "html"  # endings of files that have the graph alone, and a page
SHOWN = 30  # edges and variables
WORRIES = 5  # remarks
WIDTH = 78
FEW_SECONDS = 5  # a forecast of no more is not said
OUTPUT = "file to write, in the format that its ending names: .bif, .json...; .dot has the graph alone"
PARAMETERS = [
    *FILE,
    click.Option(["--method"], default=DEFAULT, show_default=True, help="one that `cutpoint methods` lists", **METHOD),
    click.Option(["--posterior"], is_flag=True, help=f"the method {POSTERIOR}: how probable edges and thresholds are"),
    click.Option(["-o", "--output"], metavar="MODEL", type=click.Path(), help=OUTPUT),
    click.Option(["--max-levels"], metavar="N", type=int, help="the most levels of a column of numbers"),
    click.Option(["--html"], metavar="FILE", type=click.Path(), help="page of the network to write, FILE.html"),
    click.Option(["--json"], is_flag=True, help="print the result as JSON and nothing else"),
    *READING,
]


def run(options: SimpleNamespace) -> None:
    """Learn, fit, print the graph and the thresholds, and write the network, or the graph of a method without them."""
    import cutpoint as cp  # loads packages that other subcommands do not need
    from cutpoint.method.forecast import forecast

    if options.posterior and options.method not in (DEFAULT, POSTERIOR):
        raise InputError(f"--posterior: is a method of its own; leave it out, or --method {options.method}")
    options.method = POSTERIOR if options.posterior else options.method
    settings = settings_of(options)
    for key in settings:
        if key not in OPTIONS:
            raise InputError(f"{key}: no setting of learn{suggest(key, OPTIONS)}")
    _check(options)
    again = shlex.split(joined([setting(*one) for one in settings.items()]))
    knowledge, missing = _known(settings.pop("knowledge", None), options), settings.get("missing", "refuse")
    with warnings.catch_warnings(record=True) as problems:
        warnings.simplefilter("always", UserWarning)
        table = cp.read_data(options.file, **settings)
        if not options.json:
            expected = forecast(options.method, len(table), len(table.variables))
            said = [f"{options.method} takes {expected} here"] if expected and expected.seconds > FEW_SECONDS else []
            print(printable("\n".join([repr(table).splitlines()[0], *table.notes, *said])), flush=True)
        learned: Any = cp.learn(table, options.method, knowledge=knowledge, missing=missing)
        model, failed = _fitted(options, table, learned, missing)
    remarks = [str(problem.message) for problem in problems]
    remarks += [model.note] if model is not None and model.note else []
    remarks += learned.warnings
    if options.json:
        document = _document(options, table, learned, model, [*table.notes, *remarks])
        json.dump(document | {"failed": failed and str(failed)}, sys.stdout, indent=1)
        print()
    else:
        score = "" if learned.score is None else f", score {learned.score:.6g}"
        lines = [
            f"{options.method}: {_seconds(learned):.2g} CPU seconds{score}",
            *([learned.note] if learned.note else []),
            *_graph(learned),
            *_levels(table, learned),
            *(["what to worry about", *_first(remarks, WORRIES)] if remarks else []),
            *_next(options, again, model, failed is None),
        ]
        print(printable("\n".join(lines)), flush=True)
    if failed is not None:
        raise failed


def _known(path: str | None, options: SimpleNamespace) -> Any:
    """Return what is known of arcs and thresholds, the most levels among it."""
    from cutpoint.knowledge.knowledge import Knowledge, knowledge_of

    known = None if path is None else knowledge_of(path)
    if options.max_levels is None:
        return known
    content = None if known is None else known.plain()
    return Knowledge(content, max_levels=options.max_levels, source=path or "--max-levels")


def _fitted(options: SimpleNamespace, table: Any, learned: Any, missing: str) -> tuple[Any, InputError | None]:
    """Return the fitted network, if any, and what went wrong while it was made or written."""
    model, failed = None, None
    try:
        model = None if learned.thresholds is None else learned.fit(table, missing=missing)
    except InputError as problem:
        failed = problem
    for path in filter(None, (options.output, options.html)):
        try:
            if Path(path).suffix.lower() == f".{DOT}":
                Path(path).write_text(learned.to_dot(), encoding="utf-8")
            elif model is not None:
                model.write(path)
            elif failed is None:
                raise _no_levels(path, options)
        except InputError as problem:
            failed = failed or problem
    return model, failed


def _check(options: SimpleNamespace) -> None:
    """Refuse a method or a file before anything is learned."""
    from cutpoint.method.rows import method_of, method_rows
    from cutpoint.models.formats import ending_of

    method_of(options.method, {})
    graph_alone = method_rows()[options.method]["category"] == "direct"
    if options.html and Path(options.html).suffix.lower() != f".{HTML}":
        raise InputError(f"--html {options.html}: the name of a page ends in .{HTML}; -o writes other formats")
    for path in filter(None, (options.output, options.html)):
        ending = ending_of(path, DOT, HTML)
        if not (folder := Path(path).parent).is_dir():
            raise InputError(f"{path}: there is no folder {folder}")
        if Path(path).resolve() == Path(options.file).resolve():
            raise InputError(f"{path}: is the file of the data; write to another one")
        if graph_alone and ending != DOT:
            raise _no_levels(path, options)


def _no_levels(path: str, options: SimpleNamespace) -> InputError:
    hint = "`cutpoint methods integrated` and `cutpoint methods prediscretization` list methods that have them"
    return InputError(
        f"{path}: {options.method} has no thresholds, and a fitted network needs levels; {hint}, and "
        f"-o {Path(path).with_suffix('.' + DOT)} would have the graph alone"
    )


def _seconds(learned: Any) -> float:
    """Return the CPU seconds of both stages."""
    return (learned.discretize_seconds or 0.0) + (learned.learn_seconds or 0.0)


def _document(options: SimpleNamespace, table: Any, learned: Any, model: Any, remarks: list[str]) -> dict[str, Any]:
    """Return the result as numbers, texts, lists and dicts; thresholds of the continuous variables."""
    from cutpoint.data.columns import plain
    from cutpoint.discretization.thresholds import short
    from cutpoint.learners.learned import worth

    cuts, votes = learned.thresholds, learned.uncertainty and learned.uncertainty.edges
    continuous = [(i, name) for i, name in enumerate(table.variables) if name not in table.levels]

    def kind(edge: Any) -> str | None:
        if model is None:
            return None
        i, j = map(model.place, edge[:2])
        child = edge.target if model.dag[i, j] else edge.source if model.dag[j, i] else None
        return "left out" if child is None else model.kind(child)

    def numbers(name: str, thresholds: Any) -> list[Any]:
        return short(thresholds, times=True) if name in table.times else [*map(plain, thresholds.tolist())]

    return {
        "file": options.file,
        "rows": len(table),
        "variables": list(table.variables),
        "states": {name: list(states) for name, states in table.levels.items()},
        "method": options.method,
        "edges": [edge._asdict() | shares | {"kind": kind(edge)} for edge, shares in _edges(learned)],
        "confidence": votes and {"of": votes.of, "graphs": votes.graphs, "in_tests": worth(votes) or None},
        **_of_posterior(learned, continuous),
        "thresholds": None if cuts is None else {name: numbers(name, cuts[i]) for i, name in continuous},
        "score": None if learned.score is None else float(learned.score),
        "note": learned.note,
        "seconds": _seconds(learned),
        "warnings": remarks,
    }


def _of_posterior(learned: Any, continuous: list[tuple[int, str]]) -> dict[str, Any]:
    """Return what a posterior says beside edges."""
    if (sure := learned.uncertainty) is None or sure.intervals is None:
        return {}
    return {
        "kinds": {kind: dict(zip(learned.variables, of.tolist(), strict=True)) for kind, of in sure.kinds.items()},
        "intervals": {name: sure.intervals[i].tolist() for i, name in continuous},
        "effects": sure.effects.tolist(),
        "converged": sure.diagnostics.converged,
    }


def _edges(learned: Any) -> list[tuple[Any, dict[str, float | None]]]:
    """Return the edges as they are drawn, each with the shares of votes for the pair and for its direction."""
    drawn, at = learned.shown(), {name: i for i, name in enumerate(learned.variables)}
    shares, edges = learned.uncertainty and learned.uncertainty.edges, []
    for edge in learned.edges():
        i, j = at[edge.source], at[edge.target]
        pair, way = (None, None) if shares is None else (float(shares.adjacent[i, j]), float(shares.directed[i, j]))
        edges.append((edge._replace(directed=not drawn[j, i]), {"confidence": pair, "direction": way}))
    return edges


def _graph(learned: Any) -> list[str]:
    """Return the edges as they are drawn, in columns, with their shares of votes in percent, and what these say."""
    edges, texts = [], []
    for edge, votes in _edges(learned):
        shares = [f"{100 * share:.0f}" for share in votes.values() if share is not None]
        texts.append(f"{edge.source} {'->' if edge.directed else '--'} {edge.target} {'/'.join(shares)}".rstrip())
        edges.append(edge)
    width = max(map(len, texts[:SHOWN]), default=0) + 3
    beside = max(1, WIDTH // width)
    rows = [texts[:SHOWN][k : k + beside] for k in range(0, len(texts[:SHOWN]), beside)]
    apart = [name for name in learned.variables if not any(name in edge[:2] for edge in edges)]
    legend, tested = _legends(learned, edges)
    lines = [f"{len(edges)} edge{'s' * (len(edges) != 1)}{legend}"]
    lines += ["  " + "".join(text.ljust(width) for text in row).rstrip() for row in rows]
    lines += [f"  ... and {len(texts) - SHOWN} more; --json has all"] if len(texts) > SHOWN else []
    lines += [f"  without edges: {first_of(apart)}"] if apart else []
    return [*lines, *(f"  {line}" for line in wrap(tested, WIDTH))]


def _legends(learned: Any, edges: list[Any]) -> tuple[str, str]:
    """Return what stands behind each edge, if any, and what -- means; and what votes were worth."""
    from cutpoint.graphs.frequencies import SETTLED
    from cutpoint.learners.learned import worth

    votes = learned.uncertainty and learned.uncertainty.edges
    if votes is None or not edges:
        open_ = not all(edge.directed for edge in edges)
        return "; -- stands where the data leave the direction open" if open_ else "", ""
    shares = f"after each the % of {votes.graphs} {votes.of} that join the two / have an arrow to the second"
    known = " and nothing known settles it" if learned.knowledge else ""
    return f"; {shares}; -- where the latter is below {100 * SETTLED:.0f}{known}", worth(votes)


def _levels(table: Any, learned: Any) -> list[str]:
    """Return the thresholds of each variable, or the states of a discrete one, in lines."""
    from cutpoint.discretization.thresholds import short

    if learned.thresholds is None:
        return ["no thresholds: the graph alone, as a fitted network needs levels"]
    width, intervals = max(map(len, table.variables[:SHOWN])), learned.uncertainty and learned.uncertainty.intervals
    drawn = "; in brackets 90 % of the draws" if any(map(len, intervals or ())) else ""
    lines = []
    for i, (name, cuts) in enumerate(zip(table.variables, learned.thresholds, strict=True)):
        texts = [*short(cuts, times=name in table.times)]
        if intervals and len(intervals[i]):
            ends = [short(two, times=name in table.times) for two in intervals[i][:, [0, -1]]]
            texts = [f"{text} [{', '.join(two)}]" for text, two in zip(texts, ends, strict=True)]
        level = f"states {first_of(table.levels[name])}" if name in table.levels else ", ".join(texts) or "none"
        lines.append(f"{name:<{width}}  {level}")
    return [f"thresholds, in the units of the file{drawn}", *_first(lines, SHOWN, " variables")]


def _first(lines: list[str], most: int, what: str = "") -> list[str]:
    """Return the first lines, and how many more there are."""
    more = [f"  ... and {len(lines) - most} more{what}; --json has all"] if len(lines) > most else []
    return [*(f"  {line}" for line in lines[:most]), *more]


def _next(options: SimpleNamespace, again: list[str], model: Any, well: bool) -> list[str]:
    """Return what was written, and what to do next."""
    stem = Path(options.file).name.partition(".")[0]
    method = [] if options.method == DEFAULT else ["--method", options.method]
    method += [] if options.max_levels is None else ["--max-levels", str(options.max_levels)]
    file = [options.file, *again]
    written = [path for path in (options.output, options.html) if path and (well or Path(path).exists())]
    steps = {}
    if not written:
        files = ["-o", f"{stem}.{DOT}"] if model is None else ["-o", f"{stem}.json", f"--{HTML}", f"{stem}.{HTML}"]
        what = "the graph for Graphviz" if model is None else "the fitted network, and a page of it"
        steps[typed("cutpoint", "learn", *file, *method, *files)] = what
    if options.html:
        steps[f"open {shlex.quote(options.html)}"] = "the network in the browser"
    if options.output and Path(options.output).suffix.lower() not in (f".{DOT}", f".{HTML}"):
        steps[f"cp.read_model({options.output!r})"] = "in Python: .query, .predict, .sample"
    steps[typed("cutpoint", "report", *file)] = "how sure each edge is, and which method suits the file"
    width = max(map(len, steps))
    lines = [f"wrote {listed(written)}"] if written else []
    return [*lines, "next", *(f"  {step:<{width}}  # {what}" for step, what in steps.items())]

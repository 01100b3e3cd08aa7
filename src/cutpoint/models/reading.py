"""Models from files, in the format that the ending names; `cutpoint.models.writing` wrote them, or another program."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Gt, Len
from pydantic import AllowInfNan, BaseModel

from cutpoint.base.checking import check
from cutpoint.base.errors import InputError
from cutpoint.base.files import read_text
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.frequencies import LearnedBy, frequencies_of
from cutpoint.knowledge.knowledge import Knowledge
from cutpoint.models import formats
from cutpoint.models.curves import CURVE, LINE, FamilyCurve
from cutpoint.models.density import SmoothDensity
from cutpoint.models.fitted import ValueScale, log_family
from cutpoint.models.model import Model
from cutpoint.models.writing import KIND, VERSION
from cutpoint.networks.bif import BifContent
from cutpoint.networks.network import from_content

NUMBERS = ("thresholds", "means", "range")  # of a continuous variable
Finite = Annotated[float, AllowInfNan(False)]
Scaled = tuple[np.ndarray, ValueScale]  # thresholds of a continuous variable, and where its values lie


def read_model(path: str | Path) -> Model:
    """Read a model from a path that `Model.write` or another program wrote; the ending names the format.

    Variables without thresholds in the file are discrete. Only JSON has the densities that `log_likelihood` and
    `sample` need of continuous ones. An InputError has one line on the ending, or on what is wrong with the file.

    Examples:
        >>> model.write("model.json")
        >>> cp.read_model("model.json").query("x2") == model.query("x2")
        True
    """
    ending, source = formats.ending_of(path), str(path)
    if ending == formats.HTML:
        hint = "read the model's .json or .bif instead"
        raise InputError(f"{source}: a page is to be looked at and cannot be read; {hint}")
    text = read_text(path)
    if ending == formats.JSON:
        return _of_document(text, source)
    content = formats.parse(text, ending, source)
    scaled = {}
    for name, notes in content.properties.items():
        if "thresholds" in notes:
            try:
                numbers = {key: [float(word) for word in notes[key].split()] for key in NUMBERS if key in notes}
            except ValueError as problem:
                raise InputError(f"{source}: {name}: {problem}") from None
            scaled[name] = _scaled(numbers, len(content.states[name]), f"{source}: {name}")
    return _assembled(content, scaled, Path(path).stem, source)


def _of_document(text: str, source: str) -> Model:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{source}: is no {KIND}: {type(problem).__name__}: {problem}") from None
    if not isinstance(raw, dict) or (raw.get("kind"), raw.get("version")) != (KIND, VERSION):
        raise InputError(f"{source}: a {KIND} of version {VERSION} is expected")
    document = check(_Document, raw, source)
    content, scaled, curves = BifContent(name=document.name), {}, {}
    content.states = {one.name: one.states for one in document.variables}
    if len(content.states) < len(document.variables):
        raise InputError(f"{source}: two variables have the same name")
    for one in document.variables:
        where = f"{source}: {one.name}"
        formats.add_table(content, one.name, one.parents, " ".join(map(repr, _flat(one.table))), source)
        if one.thresholds is not None:
            density = _restored(_density, one.density, f"{where}: density")
            cuts, scale = _scaled(vars(one), len(one.states), where)
            if one.shares is not None and len(one.shares) != len(one.states):
                raise InputError(f"{where}: shares: {len(one.states)} numbers are expected")
            held = None if one.shares is None else np.array(one.shares)
            scaled[one.name] = cuts, replace(scale, density=density, shares=held)
        if one.curve is not None:
            curves[one.name] = _restored(FamilyCurve.of, one.curve, f"{where}: curve")
    formats.check(content, source)
    about: dict[str, Any] = {"ess": document.ess, "records": document.records, "note": document.note}
    if (shares := document.confidence) is not None:
        of = partial(frequencies_of, variables=[*content.states], graphs=shares.graphs, of=shares.of)
        about["confidence"] = _restored(of, shares.edges, f"{source}: confidence")
    if document.knowledge is not None:
        about["knowledge"] = Knowledge(document.knowledge, source=f"{source}: knowledge")
        about["knowledge"].check([*content.states])
    about["settled"] = tuple([(x, y) for x, y in document.settled])
    about["intervals"] = {one.name: np.array(one.intervals) for one in document.variables if one.intervals}
    model = _assembled(content, scaled, document.name, source, curves=curves, **about)
    if {*model.settled} - {(model.variables[i], model.variables[j]) for i, j in np.argwhere(model.dag)}:
        raise InputError(f"{source}: settled: arcs of the network are expected")
    for name in curves:
        _check_curve(model, name, f"{source}: {name}")
    return model


def _flat(table: list[Any]) -> list[float]:
    return [number for part in table for number in (_flat(part) if isinstance(part, list) else [part])]


def _density(parameters: dict[str, Any]) -> SmoothDensity:
    density = SmoothDensity.restored(parameters)
    if not np.isfinite(density.log_density(np.zeros(1))).all():
        raise ValueError("a density is finite")
    return density


def _restored(make: Callable[[Any], Any], plain: Any, what: str) -> Any:
    """Return what something was written as, None for None."""
    try:
        return None if plain is None else make(plain)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{what}: is none that was written here") from None


def _check_curve(model: Model, name: str, where: str) -> None:
    """Raise InputError for a curve that does not fit its family, or cannot foretell."""
    curve, place = model.curves[name], model.place(name)
    middles = [0.0 if i not in model.scales else model.scales[i].least for i in model.variables]
    fits = (curve.spread is None) == (name not in model.scales) and curve.kind in (LINE, CURVE)
    with suppress(InputError, ValueError, IndexError, TypeError):
        fits = fits and curve.records > 0 and (curve.spread is None or curve.spread > 0)
        if fits and np.isfinite(log_family(model, place, np.array([middles]))).all():
            return
    raise InputError(f"{where}: curve: does not fit the variable and its parents")


class _Variable(BaseModel, strict=True):
    name: str
    states: list[str]
    parents: list[str]
    table: list[Any]
    thresholds: list[Finite] | None = None
    means: list[Finite] | None = None
    range: list[Finite] | None = None
    density: dict[str, Any] | None = None
    shares: list[Annotated[Finite, Gt(0)]] | None = None
    curve: dict[str, Any] | None = None
    intervals: list[Annotated[list[Finite], Len(4, 4)]] | None = None


class _Shares(BaseModel, strict=True):
    graphs: Annotated[int, Ge(1)]
    of: LearnedBy
    edges: list[dict[str, Any]]


class _Document(BaseModel, strict=True):
    name: str
    ess: Annotated[Finite, Gt(0)] | None
    records: Annotated[int, Ge(0)] | None
    note: str
    variables: list[_Variable]
    confidence: _Shares | None = None
    knowledge: dict[str, Any] | None = None
    settled: list[Annotated[list[str], Len(2, 2)]] = []


def _assembled(content: BifContent, scaled: Mapping[str, Scaled], name: str, source: str, **about: Any) -> Model:
    """Return the model of a content; a variable with thresholds is continuous."""
    states = {variable: levels for variable, levels in content.states.items() if variable not in scaled}
    halves = {variable: np.arange(len(levels) - 1) + 0.5 for variable, levels in states.items()}
    lists = [scaled[variable][0] if variable in scaled else halves[variable] for variable in content.states]
    scales = {variable: scaled[variable][1] for variable in content.states if variable in scaled}
    return Model(from_content(content, name, source), Thresholds(lists, list(content.states), states), scales, **about)


def _scaled(numbers: Mapping[str, Sequence[float] | None], levels: int, where: str) -> Scaled:
    """Return the thresholds and the scale of a continuous variable, or raise InputError where its levels are others."""
    arrays = [np.array(numbers.get(key) or [], float) for key in NUMBERS]
    for key, array, count in zip(NUMBERS, arrays, (levels - 1, levels, 2), strict=True):
        if len(array) != count or not np.isfinite(array).all():
            raise InputError(f"{where}: {key}: {count} finite numbers are expected for {levels} levels")
    cuts, means, (least, greatest) = arrays
    if (np.diff(cuts) <= 0).any():
        raise InputError(f"{where}: the thresholds do not rise")
    return cuts, ValueScale(means, float(least), float(greatest))

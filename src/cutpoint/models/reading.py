"""Models from files, in the format that the ending names; `cutpoint.models.writing` wrote them, or another program.

JSON has everything. The other formats have the network, and of each continuous variable the exact thresholds, the means
of levels and the range as properties, texts that other programs leave alone; UAI has tables and nothing else. A page,
HTML, is written for people and not read back.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Gt
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
from cutpoint.models.fitted import ValueScale
from cutpoint.models.model import Model
from cutpoint.models.records import log_family
from cutpoint.models.text_formats import reshaped
from cutpoint.models.writing import KIND, VERSION, Numbers
from cutpoint.networks.bif import BifContent
from cutpoint.networks.network import from_content

NUMBERS = ("thresholds", "means", "range")  # of a continuous variable
Finite = Annotated[float, AllowInfNan(False)]


def read_model(path: str | Path) -> Model:
    """Read a model from a path that `Model.write` or another program wrote; the ending names the format.

    Variables without thresholds in the file are discrete. Only JSON has the densities that `log_likelihood` and
    `sample` need of continuous ones.

    Raises:
        InputError: for an unknown ending, no such file, or one line on what is wrong with it.

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
    numbers = {name: _of_texts(notes, f"{source}: {name}") for name, notes in content.properties.items()}
    return _assembled(content, numbers, Path(path).stem, source)


def _of_texts(notes: Mapping[str, str], where: str) -> Numbers:
    try:
        return {key: np.array(notes[key].split(), float) for key in NUMBERS if key in notes}
    except ValueError as problem:
        raise InputError(f"{where}: {problem}") from None


def _of_document(text: str, source: str) -> Model:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{source}: is no {KIND}: {type(problem).__name__}: {problem}") from None
    if not isinstance(raw, dict) or (raw.get("kind"), raw.get("version")) != (KIND, VERSION):
        raise InputError(f"{source}: a {KIND} of version {VERSION} is expected")
    document = check(_Document, raw, source)
    content, numbers, densities = BifContent(name=document.name), {}, {}
    curves: dict[str, FamilyCurve] = {}
    content.states = {one.name: one.states for one in document.variables}
    if len(content.states) < len(document.variables):
        raise InputError(f"{source}: two variables have the same name")
    for one in document.variables:
        content.parents[one.name] = one.parents
        content.tables[one.name] = reshaped(content, one.name, " ".join(map(repr, _flat(one.table))), source)
        numbers[one.name] = {key: np.array(part) for key in NUMBERS if (part := getattr(one, key)) is not None}
        if one.density:
            with _restoring(f"{source}: {one.name}: density"):
                densities[one.name] = _density(one.density)
        if one.curve:
            with _restoring(f"{source}: {one.name}: curve"):
                curves[one.name] = FamilyCurve.of(one.curve)
    formats.check(content, source)
    about: dict[str, Any] = {"ess": document.ess, "records": document.records, "note": document.note}
    if (shares := document.confidence) is not None:
        with _restoring(f"{source}: confidence"):
            about["confidence"] = frequencies_of(shares.edges, [*content.states], shares.graphs, shares.of)
    if document.knowledge is not None:
        about["knowledge"] = Knowledge.of(document.knowledge, f"{source}: knowledge")
        about["knowledge"].check([*content.states])
    shared = {one.name: np.array(one.shares) for one in document.variables if one.shares is not None}
    model = _assembled(content, numbers, document.name, source, densities, shared, curves=curves, **about)
    for name in curves:
        _check_curve(model, name, f"{source}: {name}")
    return model


def _flat(table: list[Any]) -> list[float]:
    return [number for part in table for number in (_flat(part) if isinstance(part, list) else [part])]


@contextmanager
def _restoring(what: str) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{what}: is none that was written here") from None


def _density(parameters: dict[str, Any]) -> SmoothDensity:
    density = SmoothDensity.restored(parameters)
    if not np.isfinite(density.log_density(np.zeros(1))).all():
        raise ValueError("a density is finite")
    return density


def _check_curve(model: Model, name: str, where: str) -> None:
    """Raise InputError for a curve that does not fit its family, or cannot foretell."""
    curve, place = model.curves[name], model.place(name)
    middles = [0.0 if i not in model.scales else model.scales[i].least for i in model.variables]
    fits = (curve.spread is None) == (name not in model.scales) and curve.kind in (LINE, CURVE) and curve.records > 0
    try:
        fits = fits and (curve.spread is None or curve.spread > 0)
        valid = fits and np.isfinite(log_family(model, place, np.array([middles]))).all()
    except (InputError, ValueError, IndexError):
        valid = False
    if not valid:
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


def _assembled(
    content: BifContent,
    numbers: Mapping[str, Numbers],
    name: str,
    source: str,
    densities: Mapping[str, SmoothDensity] | None = None,
    shares: Mapping[str, np.ndarray] | None = None,
    **about: Any,
) -> Model:
    """Return the model of a content; a variable with thresholds is continuous."""
    lists, scales, states = [], {}, {}
    for variable, levels in content.states.items():
        own = numbers.get(variable, {})
        if "thresholds" not in own:
            states[variable] = levels
            lists.append(np.arange(len(levels) - 1) + 0.5)
            continue
        _check(own, len(levels), f"{source}: {variable}")
        lists.append(own["thresholds"])
        least, greatest = own["range"].tolist()
        held = (shares or {}).get(variable)
        if held is not None and len(held) != len(levels):
            raise InputError(f"{source}: {variable}: shares: {len(levels)} numbers are expected")
        scales[variable] = ValueScale(own["means"], least, greatest, (densities or {}).get(variable), held)
    return Model(from_content(content, name, source), Thresholds(lists, list(content.states), states), scales, **about)


def _check(numbers: Numbers, levels: int, where: str) -> None:
    """Raise InputError where the numbers of a continuous variable do not fit its levels."""
    for key, count in zip(NUMBERS, (levels - 1, levels, 2), strict=True):
        if key not in numbers or len(numbers[key]) != count or not np.isfinite(numbers[key]).all():
            raise InputError(f"{where}: {key}: {count} finite numbers are expected for {levels} levels")
    if (np.diff(numbers["thresholds"]) <= 0).any():
        raise InputError(f"{where}: the thresholds do not rise")

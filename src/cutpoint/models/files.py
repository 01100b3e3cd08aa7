"""Models to files and back, in the format that the ending names.

JSON has everything. The other formats have the network, and of each continuous variable the exact thresholds, the means
of levels and the range as properties, texts that other programs leave alone; UAI has tables and nothing else.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.models import formats
from cutpoint.models.density import SmoothDensity
from cutpoint.models.model import Model, Scale
from cutpoint.models.tables import joined, reshaped
from cutpoint.networks.bif import Content
from cutpoint.networks.network import content_of, from_content

KIND, VERSION = "cutpoint model", 1
NUMBERS = ("thresholds", "means", "range")  # of a continuous variable
Numbers = dict[str, np.ndarray]


def write(model: Model, path: str | Path) -> None:
    """Write a model; see `cutpoint.models.model.Model.write`."""
    ending = formats.ending_of(path)
    if ending == formats.JSON:
        text = json.dumps(_document(model), ensure_ascii=False, indent=1) + "\n"
    else:
        content = content_of(model.network)
        content.properties = {
            name: {key: joined(numbers) for key, numbers in _numbers(model, name).items()} for name in model.scales
        }
        text = formats.render(content, ending)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{path}: cannot be written: {problem.strerror}") from None


def _numbers(model: Model, name: str) -> Numbers:
    scale = model.scales[name]
    cuts = model.thresholds[model.variables.index(name)]
    return {"thresholds": cuts, "means": scale.means, "range": np.array([scale.least, scale.greatest])}


def _document(model: Model) -> dict[str, Any]:
    """Return everything of a model as numbers, texts, lists and dicts."""
    content = content_of(model.network)
    variables = []
    for name, states in content.states.items():
        variable: dict[str, Any] = {"name": name, "states": states}
        if name in model.scales:
            variable |= {key: numbers.tolist() for key, numbers in _numbers(model, name).items()}
            density = model.scales[name].density
            variable["density"] = None if density is None else density.parameters
        variable |= {"parents": content.parents[name], "table": content.tables[name].tolist()}
        variables.append(variable)
    about = {"name": content.name, "ess": model.ess, "records": model.records, "note": model.note}
    return {"kind": KIND, "version": VERSION} | about | {"variables": variables}


def read_model(path: str | Path) -> Model:
    """Read a model from a file that `Model.write` or another program wrote; the ending names the format.

    Variables without thresholds in the file are discrete. Only JSON has the densities that `log_likelihood` and
    `sample` need of continuous ones.

    Raises:
        InputError: for an unknown ending, no such file, or one line on what is wrong with it.
    """
    ending, source = formats.ending_of(path), str(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{source}: no such file") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{source}: cannot be read: {problem}") from None
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
        document = json.loads(text)
        if document["kind"] != KIND or document["version"] != VERSION:
            raise InputError(f"{source}: a {KIND} of version {VERSION} is expected")
        content, numbers, densities = Content(name=document["name"]), {}, {}
        for one in document["variables"]:
            content.states[one["name"]] = one["states"]
        for one in document["variables"]:
            name = one["name"]
            content.parents[name] = one["parents"]
            content.tables[name] = reshaped(content, name, joined(np.array(one["table"])), source)
            numbers[name] = {key: np.array(one[key], float) for key in NUMBERS if key in one}
            if one.get("density"):
                densities[name] = SmoothDensity.restored(one["density"])
        about = {key: document[key] for key in ("ess", "records", "note")}
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise InputError(f"{source}: is no {KIND}: {type(problem).__name__}: {problem}") from None
    return _assembled(content, numbers, document["name"], source, densities, **about)


def _assembled(
    content: Content,
    numbers: Mapping[str, Numbers],
    name: str,
    source: str,
    densities: Mapping[str, SmoothDensity] | None = None,
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
        scales[variable] = Scale(own["means"], least, greatest, (densities or {}).get(variable))
    return Model(from_content(content, name, source), Thresholds(lists, list(content.states), states), scales, **about)


def _check(numbers: Numbers, levels: int, where: str) -> None:
    """Raise InputError where the numbers of a continuous variable do not fit its levels."""
    for key, count in zip(NUMBERS, (levels - 1, levels, 2), strict=True):
        if key not in numbers or len(numbers[key]) != count or not np.isfinite(numbers[key]).all():
            raise InputError(f"{where}: {key}: {count} finite numbers are expected for {levels} levels")
    if (np.diff(numbers["thresholds"]) <= 0).any():
        raise InputError(f"{where}: the thresholds do not rise")

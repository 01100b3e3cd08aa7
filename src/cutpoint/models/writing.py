"""Models to files, in the format that the ending names; see `cutpoint.models.reading`."""

import gzip
import json
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import first_of
from cutpoint.models import formats
from cutpoint.models.fitted import Fitted
from cutpoint.networks.network import content_of

KIND, VERSION = "cutpoint model", 1
Numbers = dict[str, np.ndarray]


def write(model: Fitted, path: str | Path) -> None:
    """Write a model; see `cutpoint.models.model.Model.write`."""
    ending = formats.ending_of(path)
    if ending == formats.JSON:
        text = json.dumps(_document(model), ensure_ascii=False, indent=1) + "\n"
    elif ending == formats.HTML:
        from cutpoint.models import page  # loads what other formats do not need

        text = page.render(model, Path(path).stem)
    else:
        content = content_of(model.network)
        for name in model.scales:
            content.properties[name] = {key: formats.joined(numbers) for key, numbers in _numbers(model, name).items()}
        text = formats.render(content, ending)
    constant = [name for name, states in zip(model.variables, model.network.states, strict=True) if len(states) == 1]
    if constant and ending in formats.ONE_LEVEL:
        which = f"{first_of(constant)}: a single level, to which one of probability 0, {formats.NEVER!r}, is added"
        warnings.warn(f"{path}: {which}, as {formats.ONE_LEVEL[ending]} would refuse it else", stacklevel=3)
    aside = Path(path).with_name(f".{Path(path).name}.{os.getpid()}")  # so that a failure leaves an older file whole
    try:
        data = text.encode()
        aside.write_bytes(gzip.compress(data) if str(path).endswith(".gz") else data)
        os.replace(aside, path)
    except OSError as problem:
        raise InputError(f"{path}: cannot be written: {problem.strerror}") from None
    finally:
        aside.unlink(missing_ok=True)


def _numbers(model: Fitted, name: str) -> Numbers:
    scale = model.scales[name]
    cuts = model.thresholds[model.variables.index(name)]
    return {"thresholds": cuts, "means": scale.means, "range": np.array([scale.least, scale.greatest])}


def _document(model: Fitted) -> dict[str, Any]:
    content = content_of(model.network)
    variables = []
    for name, states in content.states.items():
        variable: dict[str, Any] = {"name": name, "states": states}
        if name in model.scales:
            variable |= {key: numbers.tolist() for key, numbers in _numbers(model, name).items()}
            density, held = model.scales[name].density, model.scales[name].shares
            variable["density"] = None if density is None else density.parameters
            variable |= {} if held is None else {"shares": held.tolist()}
            variable |= {"intervals": model.intervals[name].tolist()} if name in model.intervals else {}
        variable |= {"parents": content.parents[name], "table": content.tables[name].tolist()}
        variable |= {"curve": model.curves[name].plain()} if name in model.curves else {}
        variables.append(variable)
    about: dict[str, Any] = {"name": content.name, "ess": model.ess, "records": model.records, "note": model.note}
    if (shares := model.confidence) is not None:
        edges = [edge._asdict() for edge in shares.edges()]
        about["confidence"] = {"graphs": shares.graphs, "of": shares.of, "edges": edges}
    if model.knowledge is not None:
        about["knowledge"] = model.knowledge.plain()
    return {"kind": KIND, "version": VERSION} | about | {"variables": variables}

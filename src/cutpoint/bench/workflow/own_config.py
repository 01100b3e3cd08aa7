"""Check the user's settings and apply them to the study `own`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.names import OWN
from cutpoint.base.text import suggest
from cutpoint.bench.workflow.names import check_names
from cutpoint.bench.workflow.settings import Settings, Study
from cutpoint.method.rows import members_of, suggest_row
from cutpoint.networks.shipped import network_names

RESAMPLED = "confidence"  # the grid whose resample is a setting
# settings that give the user's columns their roles
ROLES = ("discrete", "ordered", "continuous", "drop", "missing", "weights")
FORM = ("separator", "decimal", "thousands", "names", "marks", "encoding")  # settings of how the user's text is written
KEYS = ("truth", *ROLES, *FORM, "knowledge", "methods", "resample")


def check_settings(settings: Settings) -> None:
    """Raise InputError for settings that do not go together."""
    if settings.data is None:
        if OWN in settings.selected:
            raise InputError("config: study: own runs on a file of yours; give data=FILE")
        for key in KEYS:
            if getattr(settings, key) != Settings.model_fields[key].default:
                raise InputError(f"config: {key}: needs your own data; give data=FILE too")
        return
    if settings.study not in (None, OWN):
        raise InputError(f"config: study: data=FILE runs the study own, not {settings.study}; leave one of them out")
    truth = settings.truth
    if truth is not None and not truth.endswith((".bif", ".csv")) and truth not in network_names():
        raise InputError(f"config: truth: unknown {truth!r}{suggest(truth, network_names())}; or give a file")


def with_settings(study: Study, settings: Settings, rows: Mapping[str, Mapping[str, Any]]) -> Study:
    """Return the study `own` with the methods and the resample that the settings name."""
    changes: dict[str, Any] = {}
    if settings.methods is not None:
        if not settings.methods:
            raise InputError("config: methods: give at least one")
        changes["methods"] = list(dict.fromkeys(members_of(settings.methods, rows)))
        check_names(changes["methods"], rows, "config: methods", suggest_row)
    grids = {name: grid.model_copy(update=changes) for name, grid in study.grids.items()}
    if RESAMPLED in grids:
        grids[RESAMPLED] = grids[RESAMPLED].model_copy(update={"resamples": [settings.resample]})
    return study.model_copy(update={"grids": grids})

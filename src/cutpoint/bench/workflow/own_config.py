"""Check the user's settings and apply them to studies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.names import OWN
from cutpoint.base.text import suggest
from cutpoint.bench.workflow.names import check_names
from cutpoint.bench.workflow.settings import Grid, Settings, Study
from cutpoint.method.rows import members_of, suggest_row
from cutpoint.networks.shipped import network_names

RESAMPLED = "confidence"  # the grid whose resample is a setting
# settings that give the user's columns their roles
ROLES = ("discrete", "ordered", "continuous", "drop", "missing", "weights")
FORM = ("separator", "decimal", "thousands", "names", "marks", "encoding")  # settings of how the user's text is written
KEYS = ("truth", *ROLES, *FORM, "knowledge", "resample")


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
    """Return a study with no other methods than the settings name, and `own` with the resample that they name."""
    grids = study.grids
    if settings.methods is not None:
        if not settings.methods:
            raise InputError("config: methods: give at least one")
        picked = list(dict.fromkeys(members_of(settings.methods, rows)))
        check_names(picked, rows, "config: methods", suggest_row)
        of_grid = _of_grid(grids, picked) if settings.data is None else dict.fromkeys(grids, picked)
        grids = {k: grid.model_copy(update={"methods": of_grid[k]}) for k, grid in grids.items() if of_grid[k]}
    if settings.data is not None and RESAMPLED in grids:
        grids = grids | {RESAMPLED: grids[RESAMPLED].model_copy(update={"resamples": [settings.resample]})}
    return study.model_copy(update={"grids": grids})


def _of_grid(grids: Mapping[str, Grid], picked: list[str]) -> dict[str, list[str]]:
    """Return the picked methods that each grid has; the grids with the most methods take those that no grid has too."""
    known = {method for grid in grids.values() for method in grid.methods}
    most = max((len(grid.methods) for grid in grids.values()), default=0)
    return {
        name: [m for m in picked if m in grid.methods or (m not in known and len(grid.methods) == most)]
        for name, grid in grids.items()
    }

"""The networks that come with the package, by name; none of them is read here."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def network_names() -> list[str]:
    """Return the sorted names of the shipped networks."""
    names = (file.name for file in network_folder().iterdir())
    return sorted(name.removesuffix(".bif") for name in names if name.endswith(".bif"))


def network_folder() -> Traversable:
    """Return where the networks are: inside an installed wheel, else in the clone."""
    shipped = files("cutpoint").joinpath("data", "networks")
    return shipped if shipped.is_dir() else Path(__file__).parents[3] / "data" / "networks"

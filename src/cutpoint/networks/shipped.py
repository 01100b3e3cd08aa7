"""The networks that come with the package, by name; none of them is read here."""

from pathlib import Path

from cutpoint.base import user_code


def network_names() -> list[str]:
    """Return the sorted names of the shipped networks; see `network`."""
    return sorted(path.stem for path in network_folder().glob("*.bif"))


def network_folder() -> Path:
    """Return where the networks are."""
    return user_code.ROOT / "data" / "networks"

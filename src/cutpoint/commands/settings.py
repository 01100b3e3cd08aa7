"""Settings as a user types them, KEY=VALUE with the value in YAML, as after `snakemake --config`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import yaml

from cutpoint.base.errors import InputError

HELP = "settings of the data, as in config/README.md: 'drop=[id]' 'discrete=[grade]' decimal=comma missing=drop"


def parsed(words: Sequence[str]) -> dict[str, Any]:
    """Return settings by key.

    Raises:
        InputError: for a word that is none, or a value that is no YAML.
    """
    settings = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.isidentifier():
            raise InputError(f"{word!r}: settings are written KEY=VALUE, such as 'drop=[id]'")
        try:
            settings[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise InputError(f"{word!r}: the value is no YAML; names with blanks or marks stand in quotes") from None
    return settings


def reading(words: Sequence[str], command: str, *more: str) -> dict[str, Any]:
    """Return settings of `cutpoint.read_data` by key, and further ones that a command has.

    Raises:
        InputError: as `parsed`, or for a key that is neither.
    """
    import cutpoint as cp  # loads packages that other subcommands do not need

    settings = parsed(words)
    known = {*inspect.signature(cp.read_data).parameters, *more} - {"path"}
    if unknown := sorted(set(settings) - known):
        raise InputError(f"{unknown[0]}: no setting of {command}; these are {', '.join(sorted(known))}")
    return settings

"""Settings as a user types them, KEY=VALUE with the value in YAML, as after `snakemake --config`."""

import inspect
from collections.abc import Sequence
from typing import Any

import yaml

from cutpoint.base.errors import InputError

HELP = "settings of the data, as in config/README.md: 'drop=[id]' 'discrete=[grade]' decimal=comma missing=drop"


def parse(words: Sequence[str]) -> dict[str, Any]:
    """Return settings by key, or raise an InputError for a word that is not KEY=VALUE or a value that is not YAML."""
    settings = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.isidentifier():
            raise InputError(f"{word!r}: settings are written KEY=VALUE, such as 'drop=[id]'")
        try:
            settings[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise InputError(f"{word!r}: the value is not YAML; names with blanks or marks stand in quotes") from None
    return settings


def reading(words: Sequence[str], command: str, *more: str) -> dict[str, Any]:
    """Return settings of `cutpoint.read_data` by key, and further ones that a command has."""
    import cutpoint as cp  # loads packages that other subcommands do not need

    settings = parse(words)
    keys = {*inspect.signature(cp.read_data).parameters, *more} - {"path"}
    if unknown := sorted(set(settings) - keys):
        raise InputError(f"{unknown[0]}: no setting of {command}; these are {', '.join(sorted(keys))}")
    return settings

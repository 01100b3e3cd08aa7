"""Settings as a user types them, KEY=VALUE with the value in YAML, as after `snakemake --config`."""

from __future__ import annotations

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

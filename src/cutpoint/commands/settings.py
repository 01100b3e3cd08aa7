"""How a file is read: options of the command line, or settings KEY=VALUE as after `snakemake --config`."""

import argparse
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, get_args

import yaml

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.roles import FORM, option
from cutpoint.options import Missing


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """Return a type of options that takes one of some names."""

    def check(word: str) -> str:
        if word not in names:
            raise argparse.ArgumentTypeError(f"unknown {word!r}{suggest(word, names)}")
        return word

    return check


REPEATED = {"metavar": "NAME", "action": "append"}
OPTIONS: dict[str, dict[str, Any]] = {  # by their settings
    "missing": {"type": one_of(get_args(Missing)), "metavar": "{refuse,drop,impute}",
                "help": "refuse a file with missing cells (the default), drop their rows, or impute the cells"},
    "drop": {**REPEATED, "help": "leave out a column; may be repeated, as those below"},
    "discrete": {**REPEATED, "help": "take a column for states, whatever it looks like"},
    "ordered": {**REPEATED, "help": "take a column of numbers for states in their order, such as answers 1 to 5"},
    "continuous": {**REPEATED, "help": "take a column for numbers"},
    "marks": {**REPEATED, "metavar": "TEXT", "help": "what else stands for a missing cell, such as -999"},
    "weights": {"metavar": "NAME", "help": "the column that says how often each row counts, as in a table of counts"},
    "separator": {"help": "between cells, where it is not found: comma, semicolon, tab, blank or bar"},
    "decimal": {"help": "before decimals, where it is not found: point or comma"},
    "thousands": {"help": "between groups of digits: comma, point, blank or apostrophe"},
    "names": {"metavar": "A,B,...", "type": lambda text: text.split(","),
              "help": "of the columns, where no line has them"},
    "encoding": {"help": "of a text file, where it is not found, such as shift-jis"},
    "knowledge": {"metavar": "FILE", "help": "of arcs, tiers and thresholds that are known: docs/knowledge.md"},
}  # fmt: skip


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the file, an option for each setting, and settings themselves."""
    parser.add_argument("file", metavar="FILE", help="CSV, TSV, Parquet, Feather or Arrow")
    settings = "the same as options below, as messages and config/README.md have them"
    parser.add_argument("settings", metavar="KEY=VALUE", nargs="*", default=[], help=settings)
    group = parser.add_argument_group("how the file is read")
    for key, details in OPTIONS.items():
        group.add_argument(option(key), dest=key, **details)


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


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a command line by key; a setting, as messages propose them, replaces its option."""
    chosen = {key: getattr(options, key) for key in OPTIONS}
    return {key: value for key, value in chosen.items() if value is not None} | parse(options.settings)


def words_of(settings: Mapping[str, Any]) -> list[str]:
    """Return the words of a command line that say the settings by options."""
    words = []
    for key, value in settings.items():
        values = [",".join(value)] if key == "names" else value if isinstance(value, list) else [value]
        words += [word for one in values for word in (option(key), str(one))]
    return words


def reading(options: argparse.Namespace, command: str, *more: str) -> dict[str, Any]:
    """Return settings of `cutpoint.read_data` by key, and further ones that a command has."""
    import cutpoint as cp  # loads packages that other subcommands do not need

    FORM.set("settings" if options.settings else "options")
    settings = settings_of(options)
    keys = sorted({*inspect.signature(cp.read_data).parameters, *more} - {"path"})
    for key in settings:
        if key not in keys:
            raise InputError(f"{key}: no setting of {command}{suggest(key, keys)}")
    return settings

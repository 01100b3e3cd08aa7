"""How a file is read: options of the command line, or settings KEY=VALUE as after `snakemake --config`."""

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any, get_args

import click
import yaml

from cutpoint.base.errors import InputError
from cutpoint.data.roles import FORM, option
from cutpoint.options import Missing

LOOKED_AT = 200_000  # letters of a file, for the names of its columns


def among(names: Callable[[click.Context], Iterable[str]]) -> Callable[..., list[str]]:
    """Return what completes a word to one of some names, which may hang on the words before it."""
    return lambda context, parameter, word: [name for name in names(context) if name.startswith(word)]


def method_names(context: click.Context) -> Iterable[str]:
    """Return the names of all methods."""
    from cutpoint.method.rows import method_rows

    return method_rows()


def column_names(context: click.Context) -> Iterable[str]:
    """Return the names of the columns of the file that was typed, none where it cannot be read."""
    from cutpoint.data.read import read

    files = [context.params["file"], *context.args]  # in the latter where an option has no value yet
    try:
        return [column.name for column in read(next(filter(None, files), ""), most=LOOKED_AT).columns]
    except InputError:
        return []


METHOD: dict[str, Any] = {"metavar": "NAME", "shell_complete": among(method_names)}
COLUMN: dict[str, Any] = {"metavar": "NAME", "shell_complete": among(column_names)}
COLUMNS = COLUMN | {"multiple": True}
OPTIONS: dict[str, dict[str, Any]] = {  # by their settings
    "missing": {"type": click.Choice(get_args(Missing)),
                "help": "refuse a file with missing cells (the default), drop their rows, or impute the cells"},
    "drop": {**COLUMNS, "help": "leave out a column; may be repeated, as those below"},
    "discrete": {**COLUMNS, "help": "take a column for states, whatever it looks like"},
    "ordered": {**COLUMNS, "help": "take a column of numbers for states in their order, as answers 1 to 5"},
    "continuous": {**COLUMNS, "help": "take a column for numbers"},
    "marks": {"multiple": True, "metavar": "TEXT", "help": "what else stands for a missing cell, such as -999"},
    "weights": {**COLUMN, "help": "the column that says how often each row counts, as in a table of counts"},
    "separator": {"help": "between cells, where it is not found: comma, semicolon, tab, blank or bar"},
    "decimal": {"help": "before decimals, where it is not found: point or comma"},
    "thousands": {"help": "between groups of digits: comma, point, blank or apostrophe"},
    "names": {"metavar": "A,B,...", "type": lambda text: text.split(","),
              "help": "of the columns, where no line has them"},
    "encoding": {"help": "of a text file, where it is not found, such as shift-jis"},
    "knowledge": {"metavar": "FILE", "type": click.Path(),
                  "help": "of arcs, tiers and thresholds that are known: docs/knowledge.md"},
}  # fmt: skip
FILE = [
    click.Argument(["file"], metavar="FILE", type=click.Path(), help="CSV, TSV, Parquet, Feather or Arrow"),
    click.Argument(["settings"], metavar="[KEY=VALUE]...", nargs=-1, help="options as after `snakemake --config`"),
]
READING = [click.Option([option(key), key], **details) for key, details in OPTIONS.items()]


def parse(words: Sequence[str]) -> dict[str, Any]:
    """Return settings by key, or raise an InputError for a word that is not KEY=VALUE or a value that is not YAML."""
    settings = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.isidentifier():
            raise InputError(f"{word!r}: settings are written KEY=VALUE, such as 'drop=[id]'")
        try:
            settings[key] = yaml.safe_load(value)
            if isinstance(settings[key], list | dict):  # of names, which may look like numbers
                settings[key] = yaml.load(value, yaml.BaseLoader)
        except yaml.YAMLError:
            raise InputError(f"{word!r}: the value is not YAML; names with blanks or marks stand in quotes") from None
    return settings


def settings_of(options: SimpleNamespace, *others: str) -> dict[str, Any]:
    """Return settings by key, of options and of words KEY=VALUE, whose lists join; have messages propose options.

    others: further settings that are options. An InputError names a setting that has two values.
    """
    FORM.set("options")
    given = {key: getattr(options, key) for key in (*others, *OPTIONS)}
    chosen = {key: [*value] if isinstance(value, tuple) else value for key, value in given.items() if value}
    for key, value in parse(options.settings).items():
        if isinstance(of_option := chosen.get(key), list):
            chosen[key] = [*dict.fromkeys([*of_option, *(value if isinstance(value, list) else [value])])]
        elif chosen.setdefault(key, value) != value:
            raise InputError(f"{key}: is both {of_option} and {value}; give it once")
    return chosen

"""List the methods that learn and report take by category, those of one category, or explain one."""

import textwrap
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import click

from cutpoint.base.errors import InputError
from cutpoint.commands.settings import among
from cutpoint.method import DEFAULT
from cutpoint.method.method import IN_WORKFLOW
from cutpoint.method.rows import method_rows, suggest_row

ABOUT = {
    "integrated": "thresholds and graph in turns",
    "prediscretization": "thresholds first, then a search over graphs",
    "direct": "no thresholds: the values as they are",
    "external": "programs of others, in `cutpoint report` and the workflow alone",
    "reference": "know what simulated data were made of; in studies alone",
}
WIDTH = 80
COMPLETED = among(lambda context: [*ABOUT, *method_rows()])
WORDS = "a method, a category, or words that lines of methods have; none: those that people choose"
PARAMETERS = [
    click.Argument(["words"], metavar="[NAME]...", nargs=-1, shell_complete=COMPLETED, help=WORDS),
    click.Option(["--all"], is_flag=True, help="list all methods by category"),
]


def run(options: SimpleNamespace) -> None:
    """Print the methods that people choose, all, those of a category or whose line has all words, or what one is."""
    rows, words = method_rows(), [word.casefold() for word in options.words]
    if options.all:
        lists = ([f"{category}: {about}", *_listed([category], rows)] for category, about in ABOUT.items())
        lines = [line for listed in lists for line in listed]
    elif not words:
        chosen = {name: row["about"] for name, row in rows.items() if row.get("about")}
        lines = [f"{name:<{max(map(len, chosen))}}  {chosen[name]}" for name in dict.fromkeys([DEFAULT, *chosen])]
        lines += [f"`cutpoint methods --all` lists all {len(rows)}, `cutpoint methods steck3` explains one."]
    elif len(words) == 1 and options.words[0] in rows:
        lines = _explained(options.words[0], rows[options.words[0]])
    else:
        lines = _listed(words, rows)
    if not lines and len(words) == 1:
        raise InputError(f"unknown method {options.words[0]!r}{suggest_row(options.words[0], rows)}")
    if not lines:
        raise InputError(f"no method has {' and '.join(options.words)} in its line; cutpoint methods --all lists them")
    print("\n".join(lines))


def _listed(words: list[str], rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a line for each method of a category, or for each whose line has all words."""
    import cutpoint as cp  # loads packages that an overview does not need

    lines = dict(zip(rows, str(cp.methods()).splitlines(), strict=True))
    if len(words) == 1 and words[0] in ABOUT:
        return [line for name, line in lines.items() if rows[name]["category"] == words[0]]
    return [line for line in lines.values() if all(word in line.casefold() for word in words)]


def _explained(name: str, row: Mapping[str, Any]) -> list[str]:
    """Return what a method is, its parts with the options that may be set, and how to call it."""
    from cutpoint.method.functions import HANDED, options_of, resolve
    from cutpoint.method.rows import parse, settings_of

    category = row["category"]
    lines = [f"{name}: {row['label']}, category {category}: {ABOUT[category]}"]
    lines += textwrap.wrap(f"note: {row['note']}", WIDTH) if row.get("note") else []
    if category in IN_WORKFLOW:
        lines += [f"  {key}: {value}" for key, value in settings_of(row).items()]
        return [*lines, f"in the workflow: snakemake --cores all --config study=fu2005 'extra_methods=[{name}]'"]
    for key, function in parse(row).functions.items():
        about = (resolve(function.path).__doc__ or "").strip().partition("\n")[0]
        lines += textwrap.wrap(f"{key} {function.path.rpartition(':')[2]}: {about}", WIDTH, subsequent_indent="  ")
        values = {option: one.default for option, one in options_of(function.path).items() if option not in HANDED}
        text = ", ".join(f"{option}={value!r}" for option, value in (values | dict(function.options)).items())
        lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
    lines += [f"in a shell: cutpoint learn my.csv --method {name}"]
    return [*lines, f'in Python: cp.learn(values, "{name}"), options by name; formulas: docs/methods.md']

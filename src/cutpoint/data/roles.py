"""The roles that a user gives the columns of a table."""

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.options import Missing

# How the caller types settings: as options of a command line, as arguments in Python, or as KEY=VALUE of a config.
FORM: ContextVar[Literal["options", "python", ""]] = ContextVar("FORM", default="")
LISTS = ("discrete", "ordered", "continuous", "drop")
_PLAIN = re.compile(r"\w[\w.-]*")  # a name that needs no quotes in a list of YAML


@dataclass(frozen=True)
class Roles:
    """The roles that a user gives the columns, and what to do with missing cells."""

    discrete: Sequence[str] = ()  # columns of states without an order
    ordered: Sequence[str] = ()  # of states that are numbers, in their order
    continuous: Sequence[str] = ()
    drop: Sequence[str] = ()
    missing: Missing = "refuse"  # for "impute" cells are filled in each resample anew
    weights: str | None = None  # the column that says how often each row counts

    def __post_init__(self) -> None:
        check_lists({key: getattr(self, key) for key in LISTS})
        if self.missing not in get_args(Missing):
            raise InputError(f"missing: one of {', '.join(get_args(Missing))}, not {self.missing!r}")

    def check(self, names: Sequence[str], table: str = "") -> None:
        """Raise InputError for a name that is no column, or in two lists; table: begins the text, as "a.csv has "."""
        lists = {key: getattr(self, key) for key in LISTS} | {"weights": [self.weights] if self.weights else []}
        listed: dict[str, str] = {}
        for key, name in ((key, name) for key, of_key in lists.items() for name in of_key):
            if name not in names:
                several = {*str(name).split(",")} <= {*names}
                hint = f"; for several: {key}=[{name}]" if several else suggest(str(name), names)
                raise InputError(f"{key}: {table}no column {name!r}{hint}")
            if listed.setdefault(name, key) != key:
                raise InputError(f"{key}: {name!r} is also in {listed[name]}; name it once")

    def of(self, name: str) -> str | None:
        """Return the list that a column stands in, None for none."""
        lists = (key for key in LISTS if name in getattr(self, key))
        return "continuous" if name == self.weights else next(lists, None)

    def moved(self, names: Iterable[str], key: str) -> "Roles":
        """Return the roles with some columns moved to one list."""
        names = [*names]
        lists: dict[str, Any] = {one: [name for name in getattr(self, one) if name not in names] for one in LISTS}
        lists[key] += names
        return replace(self, **lists)

    def words_to(self, other: "Roles") -> str:
        """Return the settings that change these roles into others, ready to be typed."""
        lists = {key: [*getattr(other, key)] for key in LISTS if [*getattr(other, key)] != [*getattr(self, key)]}
        words = [setting(key, names, [*getattr(self, key)]) for key, names in lists.items()]
        return joined([*words, *([setting("missing", other.missing)] if other.missing != self.missing else [])])

    def words_for(self, names: Iterable[str], key: str) -> str:
        """Return the settings that put some columns into one list, ready to be typed."""
        return self.words_to(self.moved(names, key))


def check_lists(lists: Mapping[str, Any]) -> None:
    """Raise InputError for a text in the place of a list of names."""
    for key, value in lists.items():
        if isinstance(value, str):
            raise InputError(f"{key}: give a list of names, such as [{value!r}]")


def setting(key: str, value: Any, before: Sequence[str] = ()) -> str:
    """Return how a setting is typed in the form of `FORM`; before: what a list held, which options only add to."""
    values = value if isinstance(value, list) else [value]
    if FORM.get() == "python":
        return f"{key}={value!r}"
    if FORM.get() == "options" and values[: len(before)] == [*before]:
        texts = [",".join(values)] if key == "names" else [*map(str, values[len(before) :])]
        return " ".join(f"{option(key)} {shlex.quote(text)}" for text in texts)
    return shlex.quote(f"{key}=[{','.join(map(_quoted, values))}]") if isinstance(value, list) else f"{key}={value}"


def option(key: str) -> str:
    """Return the option of the command line for a setting."""
    return "--mark" if key == "marks" else f"--{key}"


def joined(words: Sequence[str]) -> str:
    """Return settings one after the other."""
    return (", " if FORM.get() == "python" else " ").join(words)


def _quoted(name: str) -> str:
    """Return a name as an entry of a list of YAML, in quotes where it needs them."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)


DEFAULT = Roles()

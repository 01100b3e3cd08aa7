"""The roles that a user gives the columns of a table."""

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cutpoint.options import Missing

LISTS = ("discrete", "continuous", "drop")
_PLAIN = re.compile(r"\w[\w.-]*")  # a name that needs no quotes in a list of YAML


@dataclass(frozen=True)
class Roles:
    """The roles that a user gives the columns: discrete, continuous or left out; and what to do with missing cells."""

    discrete: Sequence[str] = ()
    continuous: Sequence[str] = ()
    drop: Sequence[str] = ()
    missing: Missing = "refuse"  # for "impute" cells are filled in each resample anew
    weights: str | None = None  # the column that says how often each row counts

    def of(self, name: str) -> str | None:
        """Return the list that a column stands in, None for none."""
        return (
            "continuous" if name == self.weights else next((key for key in LISTS if name in getattr(self, key)), None)
        )

    def moved(self, names: Iterable[str], key: str) -> "Roles":
        """Return the roles with some columns moved to one list."""
        names = [*names]
        lists: dict[str, Any] = {one: [name for name in getattr(self, one) if name not in names] for one in LISTS}
        lists[key] += names
        return replace(self, **lists)

    def words_to(self, other: "Roles") -> str:
        """Return the settings that change these roles into others, ready for the shell."""
        lists = [(key, [*getattr(other, key)]) for key in LISTS if [*getattr(other, key)] != [*getattr(self, key)]]
        words = [shlex.quote(f"{key}=[{','.join(map(_quoted, names))}]") for key, names in lists]
        return " ".join([*words, *([f"missing={other.missing}"] if other.missing != self.missing else [])])

    def words_for(self, names: Iterable[str], key: str) -> str:
        """Return the settings that put some columns into one list, ready for the shell."""
        return self.words_to(self.moved(names, key))


def _quoted(name: str) -> str:
    """Return a name as an entry of a list of YAML, in quotes where it needs them."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)


DEFAULT = Roles()

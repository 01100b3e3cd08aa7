"""What a user says of the columns of own data, and how it is typed on the command line."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_PLAIN = re.compile(r"\w[\w.-]*")  # a name that needs no quotes in a list of YAML
LISTS = ("discrete", "continuous", "drop")


@dataclass(frozen=True)
class Roles:
    """What a user says of the columns: those that are discrete, continuous or left out, and what to do with gaps.

    Attributes:
        missing: "refuse" rows with a missing cell, or "drop" them.
    """

    discrete: Sequence[str] = ()
    continuous: Sequence[str] = ()
    drop: Sequence[str] = ()
    missing: str = "refuse"

    def moved(self, names: Iterable[str], key: str) -> Roles:
        """Return the roles with some columns in one list and in no other."""
        names = [*names]
        lists = {one: [name for name in getattr(self, one) if name not in names] for one in LISTS}
        lists[key] += names
        return Roles(**lists, missing=self.missing)

    def words_to(self, other: Roles) -> str:
        """Return the settings that change these roles into others, ready for the shell."""
        lists = [(key, [*getattr(other, key)]) for key in LISTS if [*getattr(other, key)] != [*getattr(self, key)]]
        words = [shlex.quote(f"{key}=[{','.join(map(_quoted, names))}]") for key, names in lists]
        return " ".join([*words, *([f"missing={other.missing}"] if other.missing != self.missing else [])])

    def words_for(self, names: Iterable[str], key: str) -> str:
        """Return the settings that put some columns into one list, ready for the shell."""
        return self.words_to(self.moved(names, key))


UNSAID = Roles()


def _quoted(name: str) -> str:
    """Return a name as an entry of a list of YAML, in quotes where it needs them."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)

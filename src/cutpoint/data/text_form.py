"""How a user's text file is written: what stands between cells, in numbers, and for a header."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.csv_files import BLANKS
from cutpoint.data.roles import joined, setting

SEPARATORS: Mapping[str, str] = {"comma": ",", "semicolon": ";", "tab": "\t", "blank": BLANKS, "bar": "|"}
DECIMALS: Mapping[str, str] = {"point": ".", "comma": ","}
THOUSANDS: Mapping[str, str] = {"comma": ",", "point": ".", "blank": " ", "apostrophe": "'"}
_SPACES = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2019": "'"})  # what spreadsheets write for blank and '


SIGNS = "%$€£¥"
_SIGNED = re.compile(
    rf"(?P<sign>[-+]?)\s*(?:(?P<before>[{SIGNS}])\s*(?P<last>.*)|(?P<first>.*?)\s*(?P<behind>[{SIGNS}]))"
)
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(\.\d{3})+")
_MEASURED = re.compile(r"(?P<sign>[-+]?)(?P<first>\d[\d.,]*)\s*(?P<behind>[^\W\d]\D{0,9})(?P<before>(?P<last>))")


def number(cell: str) -> float | None:
    """Return a cell as a number, which may be NaN or infinite, or None."""
    # float() also takes "1_000", which no data file means.
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


@dataclass(frozen=True)
class TextForm:
    """How a text file is written; marks may be given by their names in `SEPARATORS`, `DECIMALS` and `THOUSANDS`."""

    separator: str | None = None  # between cells; None where the lines tell
    decimal: str | None = None  # None where the numbers tell
    thousands: str | None = None  # None where digits are not grouped
    names: Sequence[str] = ()  # of the columns, of a file without a line that holds them
    marks: Sequence[str] = ()  # further texts that stand for a missing cell
    encoding: str | None = None  # as Python names it; None where the bytes tell

    def __post_init__(self) -> None:
        for key, names in (("separator", SEPARATORS), ("decimal", DECIMALS), ("thousands", THOUSANDS)):
            value = getattr(self, key)
            if value is not None and value not in names and value not in names.values():
                hint = f"give one of {', '.join(names)}{suggest(value, names)}"
                raise InputError(f"{key}: {value!r} is not known; {hint}")
        try:
            "".encode("utf-8" if self.encoding is None else self.encoding)
        except (LookupError, ValueError):
            raise InputError(f"encoding: {self.encoding!r} is not known; give one such as latin-1 or utf-16") from None
        if self._decimal == self._thousands:
            raise InputError(f"thousands: {self.thousands} is also the decimal mark; set decimal too")

    @property
    def mark(self) -> str | None:
        """What separates cells, None where the file tells."""
        return self.separator and SEPARATORS.get(self.separator, self.separator)

    @property
    def _decimal(self) -> str:
        return DECIMALS.get(self.decimal or "point", self.decimal or "point")

    @property
    def _thousands(self) -> str | None:
        return self.thousands and THOUSANDS.get(self.thousands, self.thousands)

    @property
    def settings(self) -> dict[str, str]:
        """What is said of how numbers are written."""
        return {key: value for key in ("decimal", "thousands") if (value := getattr(self, key)) is not None}

    @property
    def words(self) -> str:
        """How the settings are typed."""
        return joined([setting(key, value) for key, value in self.settings.items()])

    @cached_property
    def _number(self) -> re.Pattern[str]:
        group = rf"[1-9]\d{{0,2}}(?:{re.escape(self._thousands)}\d{{3}})+|" if self._thousands else ""
        return re.compile(rf"[-+]?(?:{group}\d+)?(?:{re.escape(self._decimal)}\d*)?(?:[eE][-+]?\d+)?")

    def is_number(self, cell: str) -> bool:
        """Return whether a cell is a number in this form."""
        text = cell.translate(_SPACES)
        return any(map(str.isdigit, text)) and self._number.fullmatch(text) is not None

    def plain(self, cell: str) -> str:
        """Return a cell with its number, if it is one, written with a decimal point and without groups of digits."""
        if self.is_number(cell):
            return cell.translate(_SPACES).replace(self._thousands or "", "").replace(self._decimal, ".")
        if "." in cell and number(cell) is not None:
            raise ValueError(cell)
        return cell


USUAL = TextForm()
FORMS = [
    TextForm(thousands="comma"),
    TextForm(decimal="comma"),
    TextForm(decimal="comma", thousands="point"),
    TextForm(thousands="blank"),
    TextForm(decimal="comma", thousands="blank"),
    TextForm(thousands="apostrophe"),
]


def forms_of(texts: Sequence[str]) -> list[TextForm]:
    """Return the forms with the fewest settings under which all of some texts are numbers."""
    forms = [form for form in FORMS if all(map(form.is_number, texts))]
    return [form for form in forms if not any(other.settings.items() < form.settings.items() for other in forms)]


def form_of(columns: Sequence[Sequence[str]], plain: Sequence[Sequence[str]], *, semicolons: bool) -> TextForm | None:
    """Return the one form of the numbers of a table; None for the usual one, or where two fit.

    columns: texts that are not all numbers as they are; plain: those that are; semicolons: whether these part cells.
    """
    texts = [text for column in columns if forms_of(column) for text in column]
    forms = forms_of(texts) if texts else []
    if semicolons and len(forms) > 1:
        forms = [form for form in forms if form.decimal == "comma"]
    if len(forms) != 1:
        return None
    groups = [text for column in (plain if forms[0].decimal else ()) if is_grouped(column) for text in column]
    return (forms_of([*texts, *groups]) or forms)[0]


def is_grouped(texts: Sequence[str]) -> bool:
    """Return whether each point in some numbers may part groups of digits, as in 12.500 and not in 0.125."""
    return all(_GROUPED.fullmatch(text) for text in texts if "." in text)


def unsigned(texts: Sequence[str]) -> tuple[str, list[str]]:
    """Return the one sign or unit that all texts carry, and them without it; else "".

    A sign of percent or money stands before or behind a number, the word of a unit behind it.
    """
    for pattern in (_SIGNED, _MEASURED):
        matches = [match for match in map(pattern.fullmatch, texts) if match]
        signs = {match["before"] or match["behind"] for match in matches}
        if len(matches) == len(texts) and len(signs) == 1:
            return signs.pop(), [match["sign"] + (match["first"] or match["last"] or "") for match in matches]
    return "", [*texts]


def is_padded(texts: Sequence[str]) -> bool:
    """Return whether texts are digits of one length with a leading zero, as postal codes and other codes are."""
    digits = all(text.isdigit() for text in texts) and len({*map(len, texts)}) == 1
    return digits and len(texts[0]) > 1 and any(text[0] == "0" for text in texts)

"""Names as other programs accept them, and back.

A character that a format does not take becomes ``_xHHHH_``, its code in hexadecimal digits, as in XML names (the
encoding of SQL/XML and of .NET's XmlConvert). Before a name that may not start as it does comes ``s_``, and before one
that starts so itself. So every name comes back, and two names never become one.
"""

import re
from dataclasses import dataclass

_CODE = re.compile(r"_x([0-9A-F]{4}|[0-9A-F]{8})_")
_PREFIX = "s_"


@dataclass(frozen=True)
class Alphabet:
    """The names that a format takes."""

    characters: str  # what may stand in them, as inside the brackets of a regular expression
    start: str = ""  # how they must begin, as a regular expression

    def escaped(self, name: str) -> str:
        """Return a name of this alphabet; `unescaped` gives the name back."""
        literal = _CODE.sub(lambda match: f"_x005F_{match[0][1:]}", name)
        text = re.sub(f"[^{self.characters}]", _coded, literal, flags=re.ASCII)
        text = re.sub(r"^\s|\s$", _coded, text)  # which readers of XML leave out
        return text if re.match(self.start, text) and not text.startswith(_PREFIX) else _PREFIX + text

    def unescaped(self, text: str) -> str:
        """Return the name that `escaped` turned into a text, or the text where it never returns it."""
        try:
            name = _CODE.sub(lambda match: chr(int(match[1], 16)), text.removeprefix(_PREFIX))
        except (ValueError, OverflowError):  # a code of no character
            return text
        return name if self.escaped(name) == text else text


def _coded(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"_x{code:04X}_" if code < 0x10000 else f"_x{code:08X}_"


WORDS = Alphabet(r"A-Za-z0-9_.\-", "[A-Za-z_]")  # names in BIF
LEVELS = Alphabet(r"A-Za-z0-9_.\-", r"[A-Za-z_]|-?\d+$")  # states in BIF and NET: words and whole numbers
IDENTIFIERS = Alphabet("A-Za-z0-9_", "[A-Za-z]")  # XDSL, names in NET
# Of XML: any letter, mark or sign but those of markup, of lists in pyAgrum, control characters and blanks but one.
PRINTED = Alphabet(r"A-Za-z0-9_.\-/ ()=%:?!@#~\u00a1-\ud7ff\uf900-\ufffd")

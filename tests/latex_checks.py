"""LaTeX of tables: every row has as many cells as there are columns, and numbers stand alone in theirs."""

import re

BODY = re.compile(r"\\begin\{(tabular|longtable)\}(.*?)\\end\{\1\}", re.DOTALL)
COLUMN = re.compile(r"S\[table-format=-?\d+\.\d+,detect-weight\]|@\{~\}l|l")
SPANNED = re.compile(r"\\multicolumn\{(\d+)\}")
VALUE = re.compile(r"(\\bfseries )?-?\d+(\.\d+)?|\{(n\.a\.|--|)\}")


def argument(text):
    """The first argument of a text in braces, and what follows it."""
    depth = 0
    for i, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if not depth:
            return text[1:i], text[i + 1 :]
    raise AssertionError("a brace is not closed")


def check(text):
    """Whether braces, environments, columns and cells match."""
    bare = re.sub(r"(?m)^%.*$", "", text)
    assert not re.search(r"(?<!\\)[#$^]", bare)
    plain = re.sub(r"\\[{}\\&%_]", "", bare)
    assert plain.count("{") == plain.count("}")
    opened, closed = (sorted(re.findall(rf"\\{what}\{{(\w+)\}}", bare)) for what in ("begin", "end"))
    assert opened == closed
    bodies = [match[2] for match in BODY.finditer(bare)]
    assert bodies
    for body in bodies:
        form, rows = argument(body)
        columns = COLUMN.findall(form)
        assert "".join(columns) == form
        for line in (line for line in rows.splitlines() if line.endswith(r" \\") and r"\caption" not in line):
            cells = re.split(r"(?<!\\)&", line.removesuffix(r" \\"))
            assert sum(int(match[1]) if (match := SPANNED.match(c.strip())) else 1 for c in cells) == len(columns)
            if len(cells) == len(columns):
                for cell, column in zip(cells, columns, strict=True):
                    heads = cell.strip().startswith("{")
                    assert column[0] != "S" or heads or VALUE.fullmatch(cell.strip()), (cell, column)

"""Tables as LaTeX: a bare tabular that an author can input, and a float around it."""

import re
from collections.abc import Sequence

from cutpoint import __version__
from cutpoint.bench.artefacts import table as artefacts

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}",
}  # fmt: skip
PREAMBLE = (
    r"\usepackage{booktabs,longtable,siunitx,graphicx,url}",
    r"\usepackage{etoolbox}\robustify\bfseries % bold numbers that stay at the decimal",
    r"\newcommand{\printed}[1]{\textit{#1}} % a number of the paper; {} leaves them out",
)
FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
PAGE = 45  # rows that fit on a page
PLAIN = re.compile(r"(-?)(\d+)(?:\.(\d+))?")
LINK = re.compile(r"(https?://[^\s,;)]*[^\s,;).])")
PAPER = re.compile(r"^Table [^:]*: ")  # the number of a table in its paper


def escape(text: str) -> str:
    """Return text with every character that LaTeX treats specially escaped."""
    return "".join(SPECIAL.get(character, character) for character in text)


def to_latex(table: artefacts.ArtefactTable) -> str:
    """Return a table to be input: a tabular for each panel, or a longtable where it is longer than a page.

    The comment at its head says which packages and commands it needs, and the run that it is of.
    """
    bodies = [_body(table, title, columns) for title, columns in table.bodies()]
    return "\n".join([*_head(table), "\n\\par\\medskip\n".join(bodies), ""])


def to_float(table: artefacts.ArtefactTable) -> str:
    """Return a table with caption, label and remarks: a float, or a longtable where it is longer than a page.

    What is wider than the text is scaled down to it.
    """
    title = PAPER.sub("", table.title)  # without the number in its paper, which would stand beside that of LaTeX
    caption = escape(f"{title[:1].upper()}{title[1:]}. {table.caption}")
    if any(artefacts.printed(cell) for row in table.rows for cell in row.cells):
        caption += " Values printed in the paper are in italics."
    named = rf"\caption{{{caption}}}\label{{{table.name}}}"
    remarks = [r"\par\smallskip\noindent\raggedright", *map(_sentence, table.remarks())]
    if _long(table):
        bodies = [_body(table, title, columns, named * (not i)) for i, (title, columns) in enumerate(table.bodies())]
        lines = [r"\begingroup\scriptsize", *bodies, *remarks, r"\par\endgroup"]
    else:
        bodies = [f"{FIT}\n{_body(table, title, columns)}}}" for title, columns in table.bodies()]
        lines = [r"\begin{table}[tbp]", r"\centering\footnotesize", named, "\n\\par\\medskip\n".join(bodies)]
        lines += [*remarks, r"\end{table}"]
    return "\n".join([*_head(table), *lines, ""])


def _head(table: artefacts.ArtefactTable) -> list[str]:
    run = f"cutpoint {__version__}, study {table.study or '-'}. {table.scale}"
    return [f"% {line}" for line in (f"{table.title}.", run, "Needs in the preamble:", *PREAMBLE)]


def _sentence(text: str) -> str:
    """Return a sentence escaped, its addresses so that they can be broken at the end of a line."""
    return "".join(rf"\url{{{part}}}" if LINK.fullmatch(part) else escape(part) for part in LINK.split(text))


def _long(table: artefacts.ArtefactTable) -> bool:
    return len(table.rows) * len(list(table.bodies())) > PAGE


def _body(table: artefacts.ArtefactTable, title: str, columns: range, caption: str = "") -> str:
    """Return one panel: a tabular, or a longtable with the caption, if it has one."""
    cells = [[row.cells[i] for row in table.rows] for i in columns]
    shapes = [_shape(column) for column in cells]
    count = 1 + sum(2 if "@" in shape else 1 for shape in shapes)
    above = [rf"\multicolumn{{{count}}}{{l}}{{{escape(title)}}} \\", r"\midrule"] if title else []
    names = (_name(table.columns[i], shape) for i, shape in zip(columns, shapes, strict=True))
    head = [r"\toprule", *above, " & ".join([escape(table.key), *names]) + r" \\", r"\midrule"]
    rows = _rows(table, [[_cell(cell, shape) for cell in column] for column, shape in zip(cells, shapes, strict=True)])
    form = "{l" + "".join(shapes) + "}"
    if not _long(table):
        return "\n".join([rf"\begin{{tabular}}{form}", *head, *rows, r"\bottomrule", r"\end{tabular}"])
    first = [rf"{caption} \\", *head, r"\endfirsthead"] if caption else []
    unnumbered = [] if caption else [r"\addtocounter{table}{-1}"]
    lines = [*first, *head, r"\endhead", r"\bottomrule", r"\endfoot", *rows, r"\end{longtable}", *unnumbered]
    return "\n".join([rf"\begin{{longtable}}{form}", *lines])


def _rows(table: artefacts.ArtefactTable, columns: Sequence[Sequence[str]]) -> list[str]:
    lines, spaced = [], artefacts.parted(table)
    for i, row in enumerate(table.rows):
        if i and spaced and row.category != table.rows[i - 1].category:
            lines.append(r"\addlinespace")
        lines.append(" & ".join([escape(row.label), *(column[i] for column in columns)]) + r" \\")
    return lines


def _number(cell: artefacts.Cell) -> str:
    """Return a number without groups of digits, which LaTeX makes."""
    text = artefacts.number(cell.reproduced, cell.digits)
    return text if isinstance(cell.reproduced, str) else text.replace(",", "")


def _shape(cells: Sequence[artefacts.Cell]) -> str:
    """Return the form of a column: at the decimal where it holds numbers only, with one for what stands beside them."""
    matches = [PLAIN.fullmatch(text) for cell in cells if (text := _number(cell))]
    if not matches or not all(matches):
        return "l"
    signs, wholes, parts = zip(*(match.groups("") for match in matches if match), strict=True)
    most = f"{'-' * any(signs)}{max(map(len, wholes))}.{max(map(len, parts))}"
    return f"S[table-format={most},detect-weight]" + r"@{~}l" * any(map(_beside, cells))


def _name(column: str, shape: str) -> str:
    if "@" in shape:
        return rf"\multicolumn{{2}}{{c}}{{{escape(column)}}}"
    return f"{{{escape(column)}}}"  # braces: no number, in a column of numbers


def _beside(cell: artefacts.Cell) -> str:
    """Return what stands beside a number: its interval, the printed number, how many runs it has."""
    published = rf"\printed{{{escape(artefacts.printed(cell))}}}" if artefacts.printed(cell) else ""
    return " ".join(filter(None, (artefacts.interval_text(cell), published, escape(artefacts.coverage_text(cell)))))


def _cell(cell: artefacts.Cell, shape: str) -> str:
    """Return a cell of a column; the reason for a missing number would not fit, the remarks and the CSV tell it."""
    value, beside = escape(_number(cell)), _beside(cell)
    if artefacts.absent(cell):
        value = "n.a." if cell.reason else "" if beside else "--"
    if not shape.startswith("S"):
        bold = rf"\textbf{{{value}}}" if cell.best else value
        return " ".join(filter(None, (bold, beside)))
    main = f"{{{value}}}" if artefacts.absent(cell) else rf"\bfseries {value}" if cell.best else value
    return f"{main} & {beside}" if "@" in shape else main

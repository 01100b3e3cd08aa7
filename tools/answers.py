"""Sentences that answer, made from the numbers of a run: what to take, what never paid, and the verdict on a paper.

Each names the study that it is true of, and what another one says of the same kind of data. None says more than its
numbers: methods that the data do not tell apart are all named, and where two measures name different methods the
sentence says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from cutpoint.advice import read_advice
from cutpoint.base.checking import read_yaml
from cutpoint.base.text import listed
from cutpoint.bench.engine.declaration import study_file, study_names
from cutpoint.bench.engine.show import PREVIEWS
from cutpoint.bench.report.artefacts import number
from cutpoint.bench.report.study import IN_PART
from cutpoint.bench.statistics.verdicts import (
    CONTRADICTED,
    DIRECTION,
    HOLDS,
    NO_DATA,
    NOT_COMPARABLE,
    OPEN,
    PREVIEW,
    REPRODUCED,
)
from cutpoint.method.rows import method_rows

if TYPE_CHECKING:
    from snapshot import Numbers

Row = Mapping[str, str]
RUNS = Path(__file__).parents[1] / "data" / "results" / "field2026.parquet"
SHDS = ("SHD, every wrong pair 1", "SHD as Fu counts it")
COUNTS = {SHDS[1]: "as Fu counts", SHDS[0]: "when every wrong pair counts once"}
F1 = "F1 of the pattern"
KINDS = {
    "codes": "noisy codes",
    "latent": "cut normal values (latent)",
    "skewed": "skewed intervals",
    "linear": "linear equations",
    "nonlinear": "nonlinear equations",
    "additive": "additive equations",
    "mixed": "equations with discrete columns (mixed)",
}
FIELD, MEAN = ("field2026", "table_discretize"), "Difference, all N"
FIELD_ABOUT = (
    "SHD for each true edge, on the networks of `field2026`: that of the best row with levels less that of the best "
    "one without; below 0 levels are better. Both rows are chosen on other networks (1000 times half of them is left "
    "out), so that the lowest of many means does not favour the side with more rows; the rows named are those with the "
    "lowest mean over all networks and numbers of records:"
)
FIELD_HEAD = ["data", "best with levels", "best without", "difference, mean over N"]
BY_SIZE_ABOUT = "The same by number of records, rows chosen anew for each, in bold where the interval does not hold 0:"
BLOCKS = ("up to 500", "above 500")  # numbers of records for which field2026 has differences of their own
SIDES = {"better": "better", "worse": "worse", "": "not told apart"}  # see `_side`
KINDS_HEAD = ["data", "`field2026`: are levels better?"]
# Tables with printed numbers, by study: what they are, and what a row is
PRINTED_ABOUT = "In bold as printed, then ours with its 95 % interval; further tables are in the report."
PRINTED = {
    "fu2005": {
        "table_V-4": ("SHD over that of Bach as Fu counts it, mean over networks (Table V-4)", "method"),
        "table_V-11": ("Score of the learned structure over that of Bach, real data sets (Table V-11)", "method"),
    },
    "mabrouk2015": {"table_gaps": ("MGCD and its rivals (Table 1 and the text)", "of MGCD")},
    "steck2007": {"table_2": ("Score of five clusters; printed are those of the greedy search (Figure 2)", "levels")},
}
SIZE = re.compile(r"N = \d+$")
REFERENCE = "bach"
PRECISION = {"Seconds": 3, "As good": 0}  # digits of what is not shown with two, by the column or how it begins
INTEGRATED = ("friedman2", "friedman3", "monti2", "monti3", "steck2", "steck3")
OWN = "own"
CUTTING = ("prediscretization", "integrated")  # categories of methods that discretize
PANELS = {"These networks": "on these networks", "Such networks": "as a mean over all networks such as these"}
# What is said of one and of several claims, or inequalities, with a verdict
SAID = {
    REPRODUCED: ("holds in full", "hold in full"),
    IN_PART: ("has some inequalities that hold", "have some inequalities that hold"),
    HOLDS: ("holds", "hold"),
    DIRECTION: ("holds by direction only", "hold by direction only"),
    OPEN: ("is open", "are open"),
    CONTRADICTED: ("is contradicted", "are contradicted"),
    NOT_COMPARABLE: ("is not comparable", "are not comparable"),
    NO_DATA: ("has no data", "have no data"),
    PREVIEW: ("is a preview", "are previews"),
}


def lead(numbers: Numbers) -> str:
    """Return the answer of the first page as a list in Markdown."""
    sizes = list(dict.fromkeys(row for row, _ in numbers.cells("fu2005", "table_answer")))
    said = [by_records(numbers, size) for size in dict.fromkeys((sizes[0], sizes[-1]))]
    points = "\n".join(f"- {text}" for text in [*said, never(numbers)] if text)
    return "\n\n".join(text for text in (by_kind(numbers), points) if text)


def by_records(numbers: Numbers, size: str) -> str:
    """Say which methods no other one beats by both SHDs on noisy codes.

    Where Bach is among them and the cheapest, its cost is said; else what the first gains over Bach, whose interval is
    that of one method, and whether Bach is beaten by all comparisons together.
    """
    cells, rows = numbers.cells("fu2005", "table_answer"), _rows(numbers, "fu2005", "table_V-4")
    head = f"**Noisy codes, {size} records**: in `fu2005`"
    best = _in_all(cells[size, shd] for shd in SHDS)
    if not best:
        return f"{head} the two ways to count SHD name different methods."
    bach = next(name for name in rows if rows[name] == REFERENCE)
    seconds = {name: _seconds(numbers, rows[name], size) for name in (*best, bach)}
    cheapest, first = min(best, key=seconds.__getitem__), best[0]
    if rows[cheapest] == REFERENCE:
        gain = f"{cheapest} is the cheapest of them ({number(seconds[cheapest], 3)} CPU seconds a run)"
    else:
        ratio = numbers.spread("fu2005", "table_V-4", rows[first], f"N = {size}, standard", digits=3)
        gain = (
            f"{first} has {ratio} of {bach}'s SHD, every wrong pair counted once, for {number(seconds[first], 3)} CPU "
            f"seconds a run against {number(seconds[bach], 3)}; the interval is its own, and {_together(numbers, size)}"
        )
    said = f"{head} no method has a surely lower SHD, by either count, than {listed(best)}. {gain}."
    return said


def _together(numbers: Numbers, size: str) -> str:
    """Say whether any method beats Bach by all comparisons together, every wrong pair counted once."""
    cells, rows = numbers.cells("fu2005", "table_answer"), _rows(numbers, "fu2005", "table_V-4")
    bach = next(name for name in rows if rows[name] == REFERENCE)
    beats = "no method beats" if bach in names_of(cells[size, SHDS[0]]) else "some method beats"
    return f"with all comparisons together {beats} {bach} by that count"


def _seconds(numbers: Numbers, row: str, size: str) -> float:
    return float(numbers.value("fu2005", "table_cost", row, f"N = {size}", digits=6))


def by_kind(numbers: Numbers) -> str:
    """Say for each kind of data of `field2026` whether methods with levels are better."""
    field = _field_kinds(numbers)
    lines = [[KINDS.get(kind, kind), field[kind]] for kind in _kinds(field)]
    about = "**Discretize or not?** That depends on the data."
    if field:
        about += f" `field2026` ({_field_size()}) compares the best row with levels with the best without."
    return f"{about}\n\n{_table(KINDS_HEAD, lines)}" if lines else ""


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *lines))


def _field_kinds(numbers: Numbers) -> dict[str, str]:
    """Say for each kind of data of `field2026` whether the best row with levels is surely better, by N."""
    sides: dict[str, dict[str, list[str]]] = {}
    for (kind, column), cell in numbers.cells(*FIELD).items():
        part = column.removeprefix("Difference, ")
        if part in BLOCKS and cell["low"]:
            sides.setdefault(kind, {}).setdefault(SIDES[_side(cell)], []).append(f"N {part}")
    return {
        kind: "; ".join(f"{side} at {listed(parts)}" if len(found) > 1 else side for side, parts in found.items())
        for kind, found in sides.items()
    }


def _kinds(found: Iterable[str]) -> list[str]:
    """Return kinds of data, each once, in the order of KINDS."""
    return sorted(set(found), key=[*KINDS, *found].index)


def _side(cell: Row) -> str:
    """Return whether levels are surely "better" or "worse" by a difference, "" where its interval holds 0."""
    if not cell["low"]:
        return ""
    return "better" if float(cell["high"]) < 0 else "worse" if float(cell["low"]) > 0 else ""


def _field_size() -> str:
    return f"{read_advice()['networks']} networks"


def _how(names: Sequence[str], rows: Row) -> str:
    """Return whether methods discretize: all, none, or some of them."""
    categories = method_rows()
    cuts = {categories[rows[name]]["category"] in CUTTING for name in names}
    return {(True,): "all do", (False,): "none does", (): "the two SHDs name different ones"}.get((*cuts,), "some do")


def discretize(numbers: Numbers) -> str:
    """Return for each kind of data the best method that discretizes beside the best other one, as Markdown tables."""
    lines = _of_the_field(numbers)
    parts = [by_kind(numbers)]
    parts += [FIELD_ABOUT, _table(FIELD_HEAD, lines), BY_SIZE_ABOUT, _by_size(numbers)] if lines else []
    return "\n\n".join(part for part in parts if part)


def _best_of_both(numbers: Numbers, study: str, table: str, measure: str) -> list[list[str]]:
    """Return the lines of a table: the kind of data, and the lowest mean with and without thresholds."""
    categories, found = method_rows(), numbers.cells(study, table)
    kinds = dict.fromkeys(column for _, column in found if column.startswith(f"{measure}, "))
    lines = []
    for column in kinds:
        known = {
            row: float(cell["reproduced"]) for (row, at), cell in found.items() if at == column and cell["reproduced"]
        }
        sides: dict[bool, list[str]] = {True: [], False: []}
        for row in sorted(known, key=known.__getitem__):
            sides[categories.get(row, {}).get("category") in CUTTING].append(row)
        if all(sides.values()):
            named = [
                f"{found[rows[0], column]['label']} {numbers.spread(study, table, rows[0], column)}"
                for rows in sides.values()
            ]
            kind, *size = column.removeprefix(f"{measure}, ").split(", ")
            lines.append([", ".join((KINDS.get(kind, kind.replace("_", " ")), *size)), *named])
    return lines


def _of_the_field(numbers: Numbers) -> list[list[str]]:
    """Return the lines of a table: the kind of data, the best rows with and without levels, and their difference."""
    return [
        [
            KINDS.get(kind, kind),
            *(numbers.text(*FIELD, kind, side) for side in ("With levels", "Without")),
            numbers.spread(*FIELD, kind, MEAN),
        ]
        for kind in _kinds(row for row, _ in numbers.cells(*FIELD))
    ]


def _by_size(numbers: Numbers) -> str:
    """Return the differences at each number of records as a table, sure ones in bold."""
    cells = numbers.cells(*FIELD)
    sizes = [column for column in dict.fromkeys(column for _, column in cells) if SIZE.search(column)]
    sizes = [each for part in BLOCKS if (each := f"Difference, {part}") in {column for _, column in cells}] + sizes
    lines = [
        [KINDS.get(kind, kind), *(_marked(numbers, kind, column) for column in sizes)]
        for kind in _kinds(row for row, _ in cells)
    ]
    return _table(["data", *(column.removeprefix("Difference, ") for column in sizes)], lines)


def _marked(numbers: Numbers, kind: str, column: str) -> str:
    """Return a difference with its interval, in bold where that does not hold 0; "" where there is none."""
    cell = numbers.cells(*FIELD).get((kind, column))
    if not cell or not cell["reproduced"]:
        return ""
    said = numbers.spread(*FIELD, kind, column)
    return f"**{said}**" if _side(cell) else said


def kinds(numbers: Numbers) -> str:
    """Return the table of what to take by the kind of data in field2026, as Markdown; "" where it was not kept.

    Columns such as "Take, up to 500" and "Take, above 500" are one, with a line for each of these parts.
    """
    cells = numbers.cells("field2026", "table_answer")
    rows, columns = (list(dict.fromkeys(each[k] for each in cells)) for k in (0, 1))
    heads, parts = (list(dict.fromkeys(column.partition(", ")[k] for column in columns)) for k in (0, 2))
    lines = [
        [
            ", ".join((KINDS.get(row, f"{row} data"), *([f"N {part}"] if part else []))),
            *(
                _shown(numbers, ("field2026", "table_answer", row, f"{head}, {part}" if part else head))
                for head in heads
            ),
        ]
        for row in rows
        for part in parts
    ]
    return _table(["data", *heads], lines) if rows else ""


def _shown(numbers: Numbers, key: tuple[str, str, str, str]) -> str:
    """Return what a cell says: words, a number with its interval, "" where it has neither."""
    text = numbers.rows[key]["reproduced"] if key in numbers.rows else ""
    try:
        float(text)
    except ValueError:
        return text
    return numbers.spread(*key, digits=PRECISION.get(key[3].partition(", ")[0], 2))


def never(numbers: Numbers) -> str:
    """Say which methods of fu2005 are beaten by both SHDs at every number of records, and where they are not."""
    cells, rows = numbers.cells("fu2005", "table_answer"), _rows(numbers, "fu2005", "table_V-4")
    named = {(name, column) for (_, column), cell in cells.items() for name in names_of(cell)}
    by_shd = [name for name in rows if not any((name, shd) in named for shd in SHDS)]
    if not by_shd:
        return ""
    by_f1 = [name for name in by_shd if (name, F1) in named]
    but = [f"{listed(by_f1)} by {F1}"] if by_f1 else []
    also = (
        f" Exceptions by these, and in `fu2005` by {F1} at some N, where no method beats them: {'; '.join(but)}."
        if but
        else ""
    )
    return (
        f"**What never paid on noisy codes** (`fu2005`): {listed(by_shd)} {_are(by_shd)} beaten at every number of "
        f"records by both ways to count SHD.{also}"
    )


def printed(numbers: Numbers, study: str) -> str:
    """Return the tables of a study in which printed numbers stand before ours, as Markdown; only what was kept."""
    parts = []
    for table, (about, key) in PRINTED[study].items():
        cells = {place: cell for place, cell in numbers.cells(study, table).items() if cell["published"]}
        columns = list(dict.fromkeys(column for _, column in cells))
        rows = {row: cell["label"] or row for (row, _), cell in cells.items()}
        lines = [
            [label, *(_beside(numbers, (study, table, row, column)) for column in columns)]
            for row, label in rows.items()
        ]
        head = [key, *(f"{column}: printed, ours" for column in columns)]
        parts += [f"{about}:", _table(head, lines)] if cells else []
    return "\n\n".join(["### Printed beside ours", PRINTED_ABOUT, *parts]) if parts else ""


def _beside(numbers: Numbers, key: tuple[str, str, str, str]) -> str:
    """Return a printed number and ours with its interval, "" where nothing is printed."""
    cell = numbers.rows.get(key)
    if not cell or not cell["published"]:
        return ""
    try:
        shown = number(float(cell["published"]), 2)
    except ValueError:  # words
        shown = cell["published"]
    return f"**{shown}**, {_shown(numbers, key) or 'not available'}"


def all_printed(numbers: Numbers) -> str:
    """Return all tables with printed numbers, as `printed` does."""
    return "\n\n".join(printed(numbers, study) for study in PRINTED)


def basis() -> str:
    """Say on which data the answer rests, as the studies declare them."""
    study = read_yaml(study_file("fu2005"))
    grid = study["grids"]["simulated"]
    (noise,), count = grid["noises"], study["scales"]["published"]["replicates"]["simulated"]
    return (
        f"This rests on {len(grid['networks'])} networks ({listed([each.capitalize() for each in grid['networks']])}), "
        f"their states made numbers by normal noise of standard deviation {study['noises'][noise]['sigma']}, with "
        f"{count} data sets of each size (`fu2005`); and {_field_size()} with {len(read_advice()['centres'])} kinds of "
        "data (`field2026`)."
    )


def new_networks(numbers: Numbers) -> str:
    """Say how many methods are told from Bach on the networks of the study, and on networks such as these."""
    cells, parts = numbers.cells("fu2005", "table_new_networks"), []
    for panel, where in PANELS.items():
        found = [cell for (_, column), cell in cells.items() if column == f"{panel}, standard"]
        ends = [(float(cell["low"]), float(cell["high"])) for cell in found if cell["low"]]
        if not ends:
            return ""
        told = sum(not low <= 1 <= high for low, high in ends)
        parts.append(f"{told} of {len(ends)} {where}")
    return f"By SHD, every wrong pair counted once, mean over N, methods that are told from Bach: {listed(parts)}."


def not_shown(numbers: Numbers) -> str:
    """Say what the run has nothing of, "" where it has all but a user's own file."""
    there = {study for study, *_ in (*numbers.claims, *numbers.rows)}
    lost = [f"`{study}`" for study in study_names() if study not in there and study != OWN]
    lost += _lost_of_the_field() if FIELD[0] in there else []
    return f"The run behind these pages has nothing of {listed(lost)}." if lost else ""


def _lost_of_the_field() -> list[str]:
    """Return which grids and how many networks of field2026 the kept runs lack."""
    declared, runs = read_yaml(study_file(FIELD[0]))["grids"], pq.read_table(RUNS, columns=["grid", "network"])
    grids, networks = (set(runs[name].to_pylist()) for name in ("grid", "network"))
    wanted = {network for grid in declared.values() for network in grid["networks"]}
    count = len(wanted - networks)
    lost = [f"{count} of the {len(wanted)} networks of `field2026`"] if count else []
    return lost + [f"its grid `{grid}`" for grid in declared if grid not in grids]


def mixed(numbers: Numbers) -> str:
    """Say what the best row with levels loses on the mixed data of field2026 against the best one without.

    Both are chosen at each number of records; named are those with the lowest mean over all.
    """
    cut, bare = (numbers.text(*FIELD, "mixed", side) for side in ("With levels", "Without"))
    side = {"better": "surely fewer", "worse": "surely more", "": "not surely more or fewer"}
    cell = numbers.cells(*FIELD)["mixed", MEAN]
    gain = numbers.spread(*FIELD, "mixed", MEAN)
    return (
        f"the best row with levels has {side[_side(cell)]} wrong pairs than the best one without, both chosen at each "
        f"number of records: {gain} for each true edge. Over all of them these are {cut} and {bare}."
    )


def in_full(numbers: Numbers, study: str) -> str:
    """Say how many of the claims of a study are reproduced in all inequalities: "none of 14 holds"."""
    verdicts = [row["verdict"] for (name, _), row in numbers.claims.items() if name == study]
    count = verdicts.count(REPRODUCED)
    return f"{count or 'none'} of {len(verdicts)} {'holds' if count < 2 else 'hold'}"


def ahead(numbers: Numbers, size: str) -> str:
    """Say how many of the integrated methods of fu2005 are surely below Bach at a number of records.

    Each interval holds by itself; whether Bach is beaten is told for all comparisons of methods together.
    """
    one, other = (numbers.below(INTEGRATED, f"N = {size}{count}") for count in ("", ", standard"))
    if not one and not other:
        return "None of the six integrated methods is surely below Bach, by either count."
    first = f"{one or 'None'} of the six integrated methods {_are(range(one or 1))} surely below Bach as Fu counts"
    cells, rows = numbers.cells("fu2005", "table_answer"), _rows(numbers, "fu2005", "table_V-4")
    bach = next(name for name in rows if rows[name] == REFERENCE)
    beaten = [words for shd, words in COUNTS.items() if bach not in names_of(cells[size, shd])]
    return (
        f"{first}, {other or 'none'} when every wrong pair counts once, each by its own interval. With intervals that "
        f"hold for all comparisons of methods together Bach is beaten {listed(beaten) or 'by neither count'}."
    )


def advice() -> str:
    """Say what the table of `cutpoint.advise` rests on."""
    table = read_advice()
    sizes = sorted({int(size) for by_size in table["centres"].values() for size in by_size})
    early = ", a preview" if table["scale"] in PREVIEWS else ""
    return f"{table['scale']} scale, {table['networks']} networks, {listed(sizes)} records{early}."


def stable() -> str:
    """Say how often the table of `cutpoint.advise` names Bach's score with and without an order of the columns."""
    kinds = [kind for kind in read_advice()["kinds"] if "row" in kind]
    counts = {row: sum(row in (kind["row"], *kind["as_good"]) for kind in kinds) for row in ("bach_stable", REFERENCE)}
    said = listed([f"`{row}` on {count}" for row, count in counts.items()])
    return f"of the {len(kinds)} kinds of data of `cp.advise` it takes, or calls as good, {said}"


def _rows(numbers: Numbers, study: str, table: str) -> dict[str, str]:
    """Return the row of each label in a table of methods, in its order; of a method that did not run there is none."""
    return {cell["label"]: row for (row, _), cell in numbers.cells(study, table).items() if cell["reproduced"]}


def names_of(cell: Row) -> list[str]:
    """Return the names in "a, b and c"."""
    return [name for name in re.split(r", | and ", cell["reproduced"]) if name]


def _in_all(cells: Iterable[Row]) -> list[str]:
    """Return the names that stand in all of some cells, in the order of the first."""
    first, *others = map(names_of, cells)
    return [name for name in first if all(name in other for other in others)]


def _are(names: Sequence[object]) -> str:
    return "is" if len(names) == 1 else "are"


# Verdicts on claims


def verdict(rows: Sequence[Row], *, names: bool = False) -> str:
    """Return how many claims got which grade, and what became of their inequalities.

    Args:
        rows: of claims.csv, each claim before its inequalities.
        names: whether to name the claims of each grade.
    """
    grades: dict[str, list[str]] = {}
    for row in (row for row in rows if not row["part"]):
        grades.setdefault(grade_of(row), []).append(row["claim"])
    count = sum(map(len, grades.values()))
    notes = {grade: [listed(found)] if names else [] for grade, found in grades.items()}
    if IN_PART in grades:
        notes[IN_PART] += [_in_part(rows, grades[IN_PART])]
    said = _counted(
        {grade: len(found) for grade, found in grades.items()},
        {grade: f" ({': '.join(found)})" for grade, found in notes.items() if found},
    )
    none = "" if REPRODUCED in grades else "none holds in full; "
    apart = {_key(row) for row in rows if row["verdict"] == NOT_COMPARABLE}
    tested = [row for row in rows if row["part"] and _key(row) not in apart]
    return f"Of {count} claim{'s' * (count != 1)} {none}{said}." + (
        f" Of the {len(tested)} single inequalities that can be compared {shares(tested)}." if tested else ""
    )


def _in_part(rows: Sequence[Row], claims: Sequence[str]) -> str:
    """Return what became of the inequalities of claims, and in which of these no more hold than are contradicted."""
    parts = {name: [row for row in rows if row["part"] and row["claim"] == name] for name in claims}
    counts = {name: Counter(row["verdict"] for row in found) for name, found in parts.items()}
    weak = [name for name, count in counts.items() if count[HOLDS] <= count[CONTRADICTED]]
    said = shares(row for found in parts.values() for row in found)
    return f"{said}; no more hold than are contradicted in {listed(weak)}" if weak else said


def grade_of(row: Row) -> str:
    """Return the grade of a claim, those of "k of n" together."""
    return row["verdict"] if row["verdict"] in SAID else IN_PART


def shares(parts: Iterable[Row]) -> str:
    """Return how many inequalities got which verdict: "3 hold, 2 are contradicted and 1 is open"."""
    return _counted(Counter(row["verdict"] for row in parts), {})


def _counted(counts: Mapping[str, int], notes: Mapping[str, str]) -> str:
    """Return how many things have which verdict, in the order of SAID."""
    return listed([f"{n} {SAID[each][n != 1]}{notes.get(each, '')}" for each in SAID if (n := counts.get(each, 0))])


def _key(row: Row) -> tuple[str, str]:
    return row["study"], row["claim"]


def told_apart(numbers: Numbers, row: str, gain: str) -> str:
    """Return how a gain in percent with its interval compares with 0: "better", "worse" or "not told apart"."""
    low, high = (float(numbers.value("mabrouk2015", "table_gaps", row, gain, what=end)) for end in ("low", "high"))
    return "better" if low > 0 else "worse" if high < 0 else "not told apart"


def mabrouk2015(numbers: Numbers) -> str:
    """Say how MGCD compares with each rival by right edges, and how long it takes."""
    words = {"better": "ahead of", "worse": "behind", "not told apart": "not told apart from"}
    parts = []
    for rival, called in (("ruichu", "Ruichu"), ("friedman_tabu", "Friedman")):
        key = "mabrouk2015", "table_gaps", f"tpr_{rival}", "Mean over N"
        times = 1 / float(numbers.value("mabrouk2015", "table_gaps", f"time_{rival}", "Mean over N", digits=6))
        rates = [
            numbers.spread("mabrouk2015", "table_rates", name, "TPR as in the paper, mean over N")
            for name in ("mgcd", rival)
        ]
        printed = numbers.text(*key, what="published")
        parts.append(
            f"MGCD is {words[told_apart(numbers, key[2], key[3])]} {called}: {rates[0]} against {rates[1]}, a gain of "
            f"{numbers.spread(*key, digits=0)} % (printed: {printed} %), for {number(times, 1)} times the CPU time."
        )
    return f"By TPR as the paper defines it, mean over N: {' '.join(parts)}"

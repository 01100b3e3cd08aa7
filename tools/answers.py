"""Sentences that answer, made from the numbers of a run: what to take, what never paid, and the verdict on a paper.

None says more than its numbers: methods that the data do not tell apart are all named, and where two measures name
different methods the sentence says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cutpoint.advice import read_advice
from cutpoint.base.checking import read_yaml
from cutpoint.base.text import listed
from cutpoint.method.rows import method_rows
from cutpoint.report.artefacts import number
from cutpoint.report.study import IN_PART
from cutpoint.statistics.verdicts import (
    CONTRADICTED,
    DIRECTION,
    HOLDS,
    NO_DATA,
    NOT_COMPARABLE,
    OPEN,
    PREVIEW,
    REPRODUCED,
)
from cutpoint.studies.declaration import study_file, study_names
from cutpoint.studies.show import PREVIEWS

if TYPE_CHECKING:
    from snapshot import Numbers

Row = Mapping[str, str]
SHDS = ("SHD, every wrong pair 1", "SHD as Fu counts it")
F1 = "F1 of the pattern"
BOTH_SHDS = ("SHD (standard)", "SHD (Fu)")  # the same in `mechanisms`
KINDS = {"linear": "linear equations", "additive": "additive equations", "codes": "noisy codes"}
# Where methods with thresholds stand beside others: the measure that columns begin with, and what it is
BESIDE = {
    ("mechanisms", "table_shd", "SHD"): "SHD, every wrong pair counted once, on the random networks of `mechanisms`:",
}
BESIDE_HEAD = ["| data | lowest mean of those that discretize | lowest mean of the others |", "| --- | --- | --- |"]
FIELD_ABOUT = (
    "SHD for each true edge, on the networks of `field2026`, mean over numbers of records. Each network has the "
    "difference of the two rows that were best on all others, which no lowest mean flatters; below 0 levels are better:"
)
FIELD_HEAD = ["| data | best with levels | best without | difference |", "| --- | --- | --- | --- |"]
REFERENCE = "bach"
INTEGRATED = ("friedman2", "friedman3", "monti2", "monti3", "steck2", "steck3")
OWN = "own"
CUTTING = ("prediscretization", "integrated")  # categories of methods that discretize
PANELS = {"These networks": "on these networks", "Such networks": "as a mean over all networks such as these"}
# What is said of one and of several claims, or inequalities, with a verdict
SAID = {
    REPRODUCED: ("holds in full", "hold in full"),
    IN_PART: ("holds in part", "hold in part"),
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
    return "\n".join(f"- {text}" for text in [*said, by_kind(numbers), never(numbers)] if text)


def by_records(numbers: Numbers, size: str) -> str:
    """Say which methods no other one beats by both SHDs at a number of records.

    Where Bach is among them and the cheapest it is the one to take; else it is said what the first gains over Bach.
    """
    cells, rows = numbers.cells("fu2005", "table_answer"), _rows(numbers, "fu2005", "table_V-4")
    best = _in_all(cells[size, shd] for shd in SHDS)
    if not best:
        return f"**With {size} records** the two ways to count SHD name different methods."
    bach = next(name for name in rows if rows[name] == REFERENCE)
    seconds = {name: _seconds(numbers, rows[name], size) for name in (*best, bach)}
    cheapest = min(best, key=seconds.__getitem__)
    if rows[cheapest] == REFERENCE:
        others = [name for name in best if name != cheapest]
        tied = f", and {listed(others)} {_are(others)} not told apart from it" if others else ""
        cost = f"{number(seconds[cheapest], 3)} CPU seconds a run"
        return f"**With {size} records** take {cheapest} ({cost}): no method beats it by either SHD{tied}."
    tied = ", and they are not told apart" if len(best) > 1 else ""
    first = best[0]
    ratio = numbers.spread("fu2005", "table_V-4", rows[first], f"N = {size}, standard")
    return (
        f"**With {size} records** no method beats {listed(best)} by either SHD{tied}. {first} has {ratio} of {bach}'s "
        f"SHD, every wrong pair counted once, for {number(seconds[first], 3)} CPU seconds a run against "
        f"{number(seconds[bach], 3)}."
    )


def _seconds(numbers: Numbers, row: str, size: str) -> float:
    return float(numbers.value("fu2005", "table_cost", row, f"N = {size}", digits=6))


def by_kind(numbers: Numbers) -> str:
    """Say for each kind of data, with most records, whether the methods that no other one beats discretize."""
    cells, rows = numbers.cells("mechanisms", "table_firsts"), _rows(numbers, "mechanisms", "table_shd")
    titles = {cell["label"]: row for (row, _), cell in cells.items()}
    sizes = [int(found[1]) for _, column in cells if (found := re.search(r", N = (\d+)$", column))]
    if not sizes:
        return ""
    categories, parts = method_rows(), []
    for kind, called in KINDS.items():
        best = _in_all(cells[titles[shd], f"{kind}, N = {max(sizes)}"] for shd in BOTH_SHDS)
        cuts = {categories[rows[name]]["category"] in CUTTING for name in best}
        how = "either will do" if len(cuts) != 1 else "discretize" if True in cuts else "do not"
        who = f"no method beats {listed(best)}" if best else "the two SHDs name different methods"
        parts.append(f"for {called} {how} ({who})")
    return f"**Discretize or not?** That depends on the data. With {max(sizes)} records, {'; '.join(parts)}."


def discretize(numbers: Numbers) -> str:
    """Return for each kind of data the best method that discretizes beside the best other one, as Markdown tables."""
    parts = [by_kind(numbers)]
    for (study, table, measure), about in BESIDE.items():
        lines = _best_of_both(numbers, study, table, measure)
        parts += [about, "\n".join(BESIDE_HEAD + lines)] if lines else []
    lines = _of_the_field(numbers)
    parts += [FIELD_ABOUT, "\n".join(FIELD_HEAD + lines)] if lines else []
    return "\n\n".join(part for part in parts if part)


def _best_of_both(numbers: Numbers, study: str, table: str, measure: str) -> list[str]:
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
            named = (
                f"{found[rows[0], column]['label']} {numbers.spread(study, table, rows[0], column)}"
                for rows in sides.values()
            )
            kind, *size = column.removeprefix(f"{measure}, ").split(", ")
            lines.append(f"| {', '.join((KINDS.get(kind, kind.replace('_', ' ')), *size))} | {' | '.join(named)} |")
    return lines


def _of_the_field(numbers: Numbers) -> list[str]:
    """Return the lines of a table: the kind of data, the best rows with and without levels, and their difference."""
    table = "field2026", "table_discretize"
    return [
        f"| {KINDS.get(kind, kind)} | {numbers.text(*table, kind, 'With levels')} | "
        f"{numbers.text(*table, kind, 'Without')} | {numbers.spread(*table, kind, 'Difference, all N')} |"
        for kind in dict.fromkeys(row for row, _ in numbers.cells(*table))
    ]


def never(numbers: Numbers) -> str:
    """Say which methods are beaten at every number of records, by both SHDs, and which of them by F1 too."""
    cells, rows = numbers.cells("fu2005", "table_answer"), _rows(numbers, "fu2005", "table_V-4")
    named = {(name, column) for (_, column), cell in cells.items() for name in names_of(cell)}
    by_shd = [name for name in rows if not any((name, shd) in named for shd in SHDS)]
    both = [name for name in by_shd if (name, F1) not in named]
    rest = [name for name in by_shd if name not in both]
    parts = [f"{listed(both)} {_are(both)} beaten at every number of records by both SHDs and by F1"] if both else []
    parts += [f"{listed(rest)} by both SHDs alone" if both else f"{listed(rest)} by both SHDs"] if rest else []
    return f"**What never paid** on noisy codes: {', '.join(parts)}." if parts else ""


def basis() -> str:
    """Say on which data the answer rests, as the studies declare them."""
    study, other = (read_yaml(study_file(name)) for name in ("fu2005", "mechanisms"))
    grid, kinds = study["grids"]["simulated"], other["grids"]["simulated"]
    (noise,), count = grid["noises"], study["scales"]["published"]["replicates"]["simulated"]
    graphs, (family,) = other["scales"]["published"]["replicates"], kinds["networks"]
    return (
        f"This rests on {len(grid['networks'])} networks ({listed([name.capitalize() for name in grid['networks']])}), "
        f"their states made numbers by normal noise of standard deviation {study['noises'][noise]['sigma']}, with "
        f"{count} data sets of each size; linear and additive equations on {graphs} random graphs of "
        f"{family.removeprefix('random')} variables."
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
    """Say which studies the run has nothing of, "" where it has all but that of a user's own file."""
    there = {study for study, *_ in (*numbers.claims, *numbers.rows)}
    lost = [f"`{study}`" for study in study_names() if study not in there and study != OWN]
    lost += [] if numbers.cells("mechanisms", "table_tiers") else ["the real data sets of `mechanisms`"]
    return f"The run behind these pages has nothing of {listed(lost)}." if lost else ""


def ahead(numbers: Numbers, size: str) -> str:
    """Say how many of the integrated methods of fu2005 are surely below Bach at a number of records."""
    one, other = (numbers.below(INTEGRATED, f"N = {size}{count}") for count in ("", ", standard"))
    if not one and not other:
        return "None of the six integrated methods is surely below Bach, by either count."
    first = f"{one or 'None'} of the six integrated methods {_are(range(one or 1))} surely below Bach as Fu counts"
    return f"{first}, {other or 'none'} when every wrong pair counts once."


def advice() -> str:
    """Say what the table of `cutpoint.advise` rests on."""
    table = read_advice()
    sizes = sorted({int(size) for by_size in table["centres"].values() for size in by_size})
    early = ", a preview" if table["scale"] in PREVIEWS else ""
    return f"{table['scale']} scale, {table['networks']} networks, {listed(sizes)} records{early}."


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
    notes = {grade: f" ({listed(found)})" for grade, found in grades.items()} if names else {}
    said = _counted({grade: len(found) for grade, found in grades.items()}, notes)
    none = "" if REPRODUCED in grades else "none holds in full; "
    apart = {_key(row) for row in rows if row["verdict"] == NOT_COMPARABLE}
    tested = [row for row in rows if row["part"] and _key(row) not in apart]
    return f"Of {count} claim{'s' * (count != 1)} {none}{said}." + (
        f" Of the {len(tested)} single inequalities that can be compared {shares(tested)}." if tested else ""
    )


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

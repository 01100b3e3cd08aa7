"""What every study makes of synthetic runs stays as it is: tables, captions, figures and claims."""

import csv
import io
from importlib.metadata import version

import cases
import pytest
from fingerprints import figure_lines
from latex_checks import check
from matplotlib.text import Text

from cutpoint.bench.artefacts.claims import to_csv
from cutpoint.bench.artefacts.latex import to_latex
from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.inequalities import judge
from cutpoint.bench.engine.show import WRITERS
from cutpoint.bench.engine.tables import make_figure, make_table
from cutpoint.bench.plots.style import ONE, SMALL, with_titles

VERSION = version("bn-cutpoint")
# It clusters thousands of records.
SLOW = {"mabrouk2015": ["figure_1"]}
# Figures of more than a column of a paper has room for, and of what
WIDER = {"own/figure_confidence": "a column of numbers for each method"}
# Which formats of tables are kept. Cases other than the full one repeat most of its numbers, and are kept as a reader
# sees them. Those without any run would repeat a reason that the cases with failures hold.
FORMATS = {"full": ("csv",), "nothing": ()}
# The CSV file of a table holds each cell as it is written. These show what else the writers do: columns of numbers, two
# panels with bold numbers, columns of text, and cells that name no number.
BY_ALL_WRITERS = {("fu2005", "full"): ("table_V-1", "table_V-4", "table_differences", "table_readings")}
# Figures of examples, which no run changes: they are kept in the full case alone
EXAMPLES = {
    "fu2005": ("figure_I-1", "figure_V-10"),
    "mabrouk2015": ("figure_2",),
    "maua2018": ("figure_entropy",),
    "steck2007": ("figure_1",),
    "tran2013": tuple(declared("tran2013").figures),
}
EVERY = [(study, case) for study, group in cases.CASES.items() for case in group]


def figures_of(study, case, slow=False):
    """The names of the figures of a case that are slow, or of those that are not."""
    without = () if case == "full" else EXAMPLES.get(study, ())
    names = [name for name in declared(study).figures if name not in without]
    return [name for name in names if (name in SLOW.get(study, ())) == slow]


FIGURED = [each for each in EVERY if each[1] in ("full", "failed", "nothing") and figures_of(*each)]


def compare_tables(golden, study, case, inputs):
    tables = [make_table(inputs, name) for name in inputs.study.tables]
    for table in tables:
        check(to_latex(table))
    few = [table for table in tables if table.name in BY_ALL_WRITERS.get((study, case), ())]
    for ending in FORMATS.get(case, ("md",)):
        compare_format(golden, tables, ending)
    for ending in ("md", "tex") if few else ():
        compare_format(golden, few, ending)


def compare_format(golden, tables, ending):
    if ending == "csv":
        golden.rows("tables.csv", [row for table in tables for row in table_rows(table)])
        return
    text = "\n".join(f"== {table.name}\n{WRITERS[ending](table)}" for table in tables)
    golden.text(f"tables.{ending}", text.replace(f"% cutpoint {VERSION}", "% cutpoint"))


def table_rows(table):
    """The rows of the CSV file of a table; its first column says what the rows are."""
    reader = csv.DictReader(io.StringIO(WRITERS["csv"](table)))
    key = reader.fieldnames[0]
    for row in reader:
        yield {"table": table.name, "key": key, "row": row.pop(key), **row}


def check_size(study, name, figure):
    """A figure can be read in a column of 8 cm: it is no wider than one, and its letters are not too small."""
    assert figure.get_figwidth() <= ONE or f"{study}/{name}" in WIDER
    letters = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    assert min(text.get_fontsize() for text in letters) >= SMALL


def compare_figures(golden, study, case, slow=False):
    lines, inputs = [], cases.make(study, case)
    for name in figures_of(study, case, slow):
        with with_titles(True):
            figure = make_figure(inputs, name)
        check_size(study, name, figure)
        lines += [f"== {name}", *figure_lines(figure)]
    golden.text(f"{'slow_' * slow}figures.txt", "\n".join(lines) + "\n", tolerant=True)


def compare_claims(golden, study, inputs):
    judged = [judge(inputs, name) for name in inputs.study.claims]
    rows = list(csv.DictReader(io.StringIO(to_csv(study, judged, inputs.scale))))
    golden.rows("claims.csv", rows)


@pytest.mark.parametrize("study", cases.CASES)
def test_names_and_captions(golden, study):
    kept, about = golden(study), declared(study)
    rows = [{"kind": "table", "name": name, "text": ""} for name in about.tables]
    rows += [{"kind": "figure", "name": name, "text": figure.look} for name, figure in about.figures.items()]
    for name, claim in about.claims.items():
        where = f"{claim.look}{' implementation' * claim.implementation}"
        rows.append({"kind": "claim", "name": name, "text": f"{claim.says} [{where}]"})
    kept.rows("names.csv", rows)
    kept.check("names.*")


@pytest.mark.parametrize(("study", "case"), EVERY)
def test_artefacts_of_synthetic_runs(golden, study, case):
    """All tables can be made and are whole as LaTeX; few are kept in every format, as the writers are the same."""
    kept, inputs = golden(f"{study}/{case}"), cases.make(study, case)
    compare_tables(kept, study, case, inputs)
    compare_claims(kept, study, inputs)
    kept.check("[!sf]*")


@pytest.mark.parametrize(("study", "case"), FIGURED)
def test_figures_of_synthetic_runs(golden, study, case):
    kept = golden(f"{study}/{case}")
    compare_figures(kept, study, case)
    kept.check("f*")


@pytest.mark.parametrize("study", SLOW)
def test_slow_figures_of_synthetic_runs(golden, study):
    kept = golden(f"{study}/full")
    compare_figures(kept, study, "full", slow=True)
    kept.check("slow_*")

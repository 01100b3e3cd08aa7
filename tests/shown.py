"""Tables and figures that studies declare, by name, for tests."""

from functools import partial

from cutpoint.studies.declaration import artefacts_of
from cutpoint.studies.figures import make_figure
from cutpoint.studies.tables import make_table


def tables(study):
    return {name: partial(make_table, name=name) for name in artefacts_of(study).tables}


def figures(study):
    return {name: partial(make_figure, name=name) for name in artefacts_of(study).figures}

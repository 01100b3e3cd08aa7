"""A key of study.yaml needs two studies: what one alone wants is an option of a function of its own."""

from collections import defaultdict

from pydantic import BaseModel

from cutpoint.base.checking import check, read_yaml
from cutpoint.bench.engine import declaration
from cutpoint.bench.engine.declaration import leaves, study_file, study_names
from cutpoint.bench.workflow import settings
from cutpoint.bench.workflow.settings import Settings, Study

MODELS = [
    each
    for module in (settings, declaration)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, BaseModel) and each is not Settings
]
EXCEPTIONS = {
    # for studies of users, which config/README.md and docs/add.md describe; rules depend on them
    "joins", "held_out", "predict",
    # a grid is thinned where the Snakefile is parsed, also in every job: a function of a study would be imported there
    "variants", "thin",
    # of the graphs on the page of a user's own data, whose grids are made by the package
    "graphs",
    # of the explorer of the report, which any study of many data sets may have
    "explored", "unit", "usual",
    # of contests and tables of methods
    "apart", "category",
    # of kinds of tables and figures
    "control", "count", "flip", "number", "table", "x", "y", "ylabel",
}  # fmt: skip


def keys_of(model):
    for key in model.model_fields_set:
        yield key
        for _, part in leaves(getattr(model, key), key):
            if isinstance(part, BaseModel):
                yield from keys_of(part)


def test_a_key_of_a_study_needs_two_studies():
    studies = defaultdict(set)
    for name in study_names():
        for key in keys_of(check(Study, read_yaml(study_file(name)), name)):
            studies[key].add(name)
    assert {key for model in MODELS for key in model.model_fields if len(studies[key]) < 2} == EXCEPTIONS

"""A key of study.yaml needs two studies: what one alone wants is an option of a function of its own."""

from collections import defaultdict

from pydantic import BaseModel

from cutpoint.base.checking import check, read_yaml
from cutpoint.bench.engine import declaration
from cutpoint.bench.engine.declaration import DeclaredStudy, study_file, study_names
from cutpoint.bench.workflow import settings
from cutpoint.bench.workflow.names import leaves
from cutpoint.bench.workflow.settings import Settings, Study

EXCEPTIONS = {
    "joins", "held_out", "predict",  # for studies of users, see config/README.md; rules depend on them
    "variants", "thin",  # counts of jobs, known wherever the Snakefile is parsed, which imports no study
    "graphs",  # for the page of a user's own data, whose grids the package makes
    "explored",  # the explorer of the report, for any study of many data sets
    "apart", "category",  # contests and tables of methods
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
    parts = [part for module in (settings, declaration) for part in vars(module).values() if isinstance(part, type)]
    models = [part for part in parts if issubclass(part, BaseModel) and part not in (Settings, DeclaredStudy)]
    assert {key for model in models for key in model.model_fields if len(studies[key]) < 2} == EXCEPTIONS

"""Options read from the source are those that an import would tell."""

import inspect

import pytest

from cutpoint.bench.workflow.config import experiments_of
from cutpoint.method import registry
from cutpoint.method.functions import resolve
from cutpoint.method.signatures import HANDED, shipped_parameters

TABLES = (
    *(registry.DISCRETIZERS, registry.SCORES, registry.CONTINUOUS_SCORES, registry.LEARNERS, registry.INTEGRATED),
    *(registry.DISCRETE_PATTERN_LEARNERS, registry.PATTERN_LEARNERS),
)


EXPERIMENTS = [path for name in ("calibration", "steck2007", "tran2013") for path in experiments_of(name).values()]


@pytest.mark.parametrize("path", sorted({*EXPERIMENTS, *(path for table in TABLES for path in table.values())}))
def test_the_source_tells_what_the_function_tells(path):
    read, imported = shipped_parameters(path), inspect.signature(resolve(path), eval_str=True).parameters
    assert read is not None
    assert list(read) == list(imported)
    for name, parameter in imported.items():
        assert (read[name].default is inspect.Parameter.empty) == (parameter.default is inspect.Parameter.empty)
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            assert read[name].kind is parameter.kind
            assert name in HANDED or read[name].annotation == parameter.annotation


@pytest.mark.parametrize(
    "path", ["json:loads", "cutpoint.learners.scores:nothing", "cutpoint.learners.scores:DiscreteScore"]
)
def test_of_others_only_an_import_can_tell(path):
    assert shipped_parameters(path) is None

# The checked config: rules look everything up in `plan`, which is src/cutpoint/bench/workflow/lookups.py.

import os
import sys
import time
from functools import partial
from itertools import count
from pathlib import Path

from snakemake.logging import logger

sys.path.insert(0, str(ROOT / "src"))

from cutpoint.base.user_code import PACKAGE
from cutpoint.bench.runs import finished
from cutpoint.bench.workflow import hooks
from cutpoint.bench.workflow.environments import Environments
from cutpoint.bench.workflow.config import check_command, load, one_line, reading_of
from cutpoint.bench.workflow.lookups import Plan
from cutpoint.posteriors import CHAINS

HERE = os.getcwd() if workflow.overwrite_workdir is None else os.environ.get("PWD", os.getcwd())  # before --directory
START = time.time()

with one_line():
    check_command(sys.argv if workflow.is_main_process else [])
    plan = Plan(load(config, ROOT, HERE, main=workflow.is_main_process))

os.environ.update(plan.environment)
shipped = plan.checked.places.shipped  # for the rules of external methods
environments = Environments(plan)


wildcard_constraints:
    study="[A-Za-z][A-Za-z0-9_.]*",
    source="simulated|real",
    batch="[^/]+",
    family="[A-Za-z][A-Za-z0-9_.]*",
    block="[0-9]+",
    discretizer="[^/]+",
    dataset="[A-Za-z][A-Za-z0-9_]*",
    job="[A-Za-z][A-Za-z0-9_.]*",
    experiment="[A-Za-z][A-Za-z0-9_.]*",
    stage="[1-9][0-9]*",
    chain="[0-9]",


def chains_that_agree(wildcards):
    """Return the first state of a posterior's chains in which they agree; a checkpoint says so of each."""
    for stage in count():
        state = checkpoints.meet.get(stage=stage).output if stage else checkpoints.begin.get().output
        if Path(state.agreed).read_text() == "yes":
            return state.state

"""Find thresholds with each discretizer on every data set of a batch."""

import time

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import DiscretizeJob
from cutpoint.bench.runs import finished
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Earlier, Limits, Rows, Task, run_all, warm_all
from cutpoint.learners.learned import Learned
from cutpoint.method.method import DiscretizerFunction

DISCRETIZER_RUN, THRESHOLD = schemas.DISCRETIZED.names[:-3], schemas.DISCRETIZED.names[-3:]


def task(discretizer: DiscretizerFunction, code: str) -> Task:
    """Return a discretizer as a task, whose result is one without a graph."""

    def find(values, discrete, _, about):
        mine, start = discretizer.seeded(about.seed) if own else discretizer, time.process_time()
        thresholds = mine.find(values, discrete, about.variables, about.knowledge)
        return Learned(thresholds=thresholds, discretize_seconds=time.process_time() - start)

    own = not discretizer.is_shipped
    return Task(find, named=True, knowing=True, warm=discretizer.warm, own=own, code=code)


def discretized_rows(rows: Rows) -> list[schemas.Row]:
    """Return runs of discretizers and their thresholds as the rows of one table."""
    thresholds = parquet.by_identity(rows.thresholds)
    table = []
    for run in rows.runs:
        own = thresholds.get(tuple(run[name] for name in schemas.IDENTITY), [])
        run_columns = {name: run.get(name) for name in DISCRETIZER_RUN} | {"discretizer": run["method"]}
        table += [run_columns | {name: row[name] for name in THRESHOLD} for row in own or [dict.fromkeys(THRESHOLD)]]
    return table


def write_discretized(rows: Rows, path: str, limits: str) -> None:
    """Write runs of discretizers and their thresholds; see `Rows.write`."""
    parquet.write_records(path, discretized_rows(rows), schemas.DISCRETIZED, keys=rows.keys, limits=limits)
    finished.remember(path)


def read_discretized(path: str) -> Rows:
    """Return what the last good run of a job has left, nothing where its file is missing or damaged."""
    try:
        table, about = parquet.read_records(finished.earlier(path), schemas.DISCRETIZED)
    except InputError:
        return Rows()
    runs, thresholds = dict[tuple, schemas.Row](), list[schemas.Row]()
    for row in table:
        row["method"] = row.pop("discretizer")
        identity = {name: row[name] for name in schemas.IDENTITY}
        runs.setdefault(tuple(identity.values()), identity | {name: row[name] for name in DISCRETIZER_RUN[3:]})
        if row["variable"] is not None:
            thresholds.append(identity | {name: row[name] for name in THRESHOLD})
    return Rows([*runs.values()], [], thresholds, about.get("keys", []))


if __name__ == "__main__":
    with job(snakemake.log[0]):
        output, code, limits = snakemake.output[0], snakemake.params.code, Limits.of(snakemake.config)
        todo: DiscretizeJob = snakemake.params.todo
        rows = run_all(
            {name: task(each, f"{code[name]} {each}") for name, each in todo.discretizers.items()},
            snakemake.input.data,
            limits,
            warm=lambda: warm_all(todo.discretizers.values()),
            wanted=todo.runs,
            earlier=Earlier(read_discretized(output)),
        )
        write_discretized(rows, output, todo.limits)

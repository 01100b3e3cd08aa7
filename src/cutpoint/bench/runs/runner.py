"""Run methods and discretizers on every data set of a batch, each in a supervised child, and write what came out."""

from __future__ import annotations

import gc
import hashlib
import logging
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import Wanted
from cutpoint.bench.data.status import ERROR, KILLED, OK, UNAVAILABLE, killed_once_more, times_killed
from cutpoint.bench.evaluation.rows import thresholds_of_rows
from cutpoint.bench.runs import finished, supervise
from cutpoint.data.anonymous import turned_back
from cutpoint.graphs.dags import edges_of
from cutpoint.learners.learned import Learned
from cutpoint.method import checks

if TYPE_CHECKING:
    from cutpoint.knowledge.knowledge import Knowledge
    from cutpoint.method.method import DiscretizerFunction, Method

log = logging.getLogger("cutpoint")

Identity = schemas.Row  # method, cell and replicate
# values [N, n], discrete [n], thresholds or None -> Learned
Function = Callable[[np.ndarray, np.ndarray, "Sequence[np.ndarray] | None"], Learned]
UNSTEADY = "a second call gave another result; draw at random from the keyword seed only, see docs/add.md"
HELD_MB = 32  # of data sets at a time, on which methods run together
COSTS = (
    *("score_calls", "evaluations", "discretization_calls", "iterations", "score"),
    *("discretize_seconds", "learn_seconds"),
)


@dataclass(frozen=True)
class Task:
    """One method of a job.

    Without `warm`, as with code of others, each run has a child of its own. Of a user's `own` functions, see
    `supervise.calls`, the first replicate is run twice.
    """

    function: Callable[..., Learned]  # run in a child process on every data set
    discretizer: str | None = None  # the name of the discretization whose thresholds it is handed, or None
    named: bool = False  # whether the function also takes `about`, an `About`
    knowing: bool = False  # whether it honours what is known of the arcs; else it is not run where something is
    warm: Callable[[], object] | None = None  # called first in a child, which then runs it on several data sets
    own: bool = False
    code: str = ""  # a digest of what it computes, "" where that is not known: its runs are then never kept


@dataclass(frozen=True)
class About:
    """What a run is, for a function that hands it on to a program."""

    identity: Identity  # method, cell and replicate
    columns: Sequence[str]  # n names, all that a program sees
    variables: Sequence[str]  # what they are, for messages
    levels: Mapping[str, int]  # numbers of states of discrete columns
    knowledge: Knowledge | None = None
    ordered: np.ndarray | None = None  # discrete columns whose codes have an order, bool [n]

    @property
    def seed(self) -> int:
        """Return the seed of the run, below 2^32, for a method that draws at random."""
        return int(seed_sequence(0, *self.identity.values()).generate_state(1)[0])


@dataclass(frozen=True)
class Limits:
    """CPU seconds and resident megabytes of one run."""

    seconds: float
    mb: float

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Limits:
        """Return the limits of a config."""
        return cls(config["time_limit"], config["memory_limit"])


@dataclass
class Rows:
    """The rows of the files that a job writes; keys are what each of the runs was made from, see `key_of`."""

    runs: list[schemas.Row] = field(default_factory=list)
    edges: list[schemas.Row] = field(default_factory=list)
    thresholds: list[schemas.Row] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def extend(self, other: Rows) -> None:
        """Add other rows."""
        for name, rows in vars(other).items():
            getattr(self, name).extend(rows)

    def write(self, *, runs: str, edges: str, thresholds: str, limits: str = "") -> None:
        """Write the files of a job with the limits on which it depends, and remember them for its next run."""
        parquet.write_records(thresholds, self.thresholds, schemas.THRESHOLDS)
        parquet.write_records(edges, self.edges, schemas.EDGES)
        parquet.write_records(runs, self.runs, schemas.RUNS, keys=self.keys, limits=limits)
        finished.remember(thresholds, edges, runs)

    @classmethod
    def read(cls, *, runs: str, edges: str, thresholds: str) -> Rows:
        """Return what the last good run of a job has left, nothing where a file is missing or damaged."""
        try:
            rows, about = parquet.read_records(finished.earlier(runs), schemas.RUNS)
            own_edges, own_thresholds = (
                parquet.read_records(finished.earlier(path), schema)[0]
                for path, schema in ((edges, schemas.EDGES), (thresholds, schemas.THRESHOLDS))
            )
        except InputError:
            return cls()
        return cls(rows, own_edges, own_thresholds, about.get("keys", []))


class Earlier:
    """The runs of a job that ended well before. They are kept where they would be made from the same once more.

    So a job that has one more method, data set or replicate, or other limits, runs no more than it must.
    """

    def __init__(self, rows: Rows):
        edges, thresholds = map(parquet.by_identity, (rows.edges, rows.thresholds))
        runs = [] if os.environ.get(finished.ANEW) or len(rows.keys) != len(rows.runs) else rows.runs
        self._rows, self._killed = {}, dict[tuple, int]()
        for run, key in zip(runs, rows.keys, strict=False):
            identity = tuple(run[name] for name in schemas.IDENTITY)
            if key and run["status"] == OK:
                own = Rows([run], edges.get(identity, []), thresholds.get(identity, []), [key])
                self._rows[identity, key] = own
            self._killed[identity, key] = times_killed(run["message"]) if run["status"] == KILLED else 0

    def rows(self, identity: Identity, key: str) -> Rows | None:
        """Return the rows of a run, None where it was not run before or from something else."""
        return self._rows.get((tuple(identity[name] for name in schemas.IDENTITY), key))

    def killed(self, identity: Identity, key: str) -> int:
        """Return how often a run was killed before."""
        return self._killed.get((tuple(identity[name] for name in schemas.IDENTITY), key), 0)


def key_of(code: str, data: parquet.DataSet | None, thresholds: Sequence[np.ndarray] | None = None) -> str:
    """Return 16 hexadecimal digits for what a run is made from, "" where that, such as the code, is not known."""
    if not code or data is None:
        return ""
    words = [code, data.digest, *(cuts.tobytes().hex() for cuts in thresholds or ())]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


def _some_at_a_time(path: str) -> Iterable[list[tuple[Identity, parquet.DataFile, parquet.DataSet | None]]]:
    """Yield data sets of a file, None for one that could not be fetched."""
    held, size = [], 0
    for identity, part in parquet.data_sets(path):
        data = part.read(identity["replicate"]) if part.available else None
        held.append((identity, part, data))
        size += data.values.nbytes if data else 0
        if size > HELD_MB * 2**20:
            yield held
            held, size = [], 0
    yield held


@dataclass
class _Waiting:
    """A run to be made: of what, after which discretization, where its rows go, and how often it was killed before."""

    identity: Identity
    data: parquet.DataSet
    before: Mapping[str, Any]
    thresholds: Sequence[np.ndarray] | None
    rows: Rows
    killed: int


def run_all(
    tasks: Mapping[str, Task],
    path: str,
    limits: Limits,
    discretizations: Discretizations | None = None,
    warm: Callable[[], object] | None = None,
    *,
    wanted: Wanted | None = None,
    earlier: Earlier | None = None,
) -> Rows:
    """Run the methods of a job on the data sets of a file.

    Args:
        tasks, path, limits: by the name of the method; the data file; of every run.
        discretizations: the thresholds from which methods learn.
        warm: called once in this process before the first child, to load packages and kernels.
        wanted: on which data sets which methods run; all on all without.
        earlier: runs of this job that are kept.
    """
    rows, cold = Rows(), True
    for held in _some_at_a_time(path):
        done, waiting = list[Rows](), dict[str, list[_Waiting]]()
        for place, part, data in held:
            for method in tasks if wanted is None else _methods_on(place, wanted):
                task, identity = tasks[method], {"method": method} | place
                before, thresholds = _before(task, data, place, discretizations)
                key = key_of(task.code, data, thresholds)
                if earlier and (kept := earlier.rows(identity, key)):
                    done.append(kept)
                    log.info("%s %s %s kept", *(identity[name] for name in schemas.IDENTITY))
                    continue
                done.append(Rows([dict(identity)], keys=[key]))
                if data is None:
                    done[-1].runs[0] |= {"status": UNAVAILABLE, "message": part.metadata["message"]}
                elif problem := _problem(task, data, before):
                    done[-1].runs[0] |= problem
                else:
                    killed = earlier.killed(identity, key) if earlier else 0
                    run = _Waiting(identity, data, before, thresholds, done[-1], killed)
                    waiting.setdefault(method, []).append(run)
        if waiting and cold:
            if warm is not None:
                warm()
            gc.freeze()  # a collection in a child would copy the pages that it shares with this process
            cold = False
        for method, some in waiting.items():
            _run(tasks[method], some, limits)
        for one in done:
            rows.extend(one)
    return rows


def _methods_on(identity: Identity, wanted: Wanted) -> Iterable[str]:
    """Return the methods that run on a data set, each once."""
    cell, replicate = identity["cell"], identity["replicate"]
    lists = [names for name, first, last, names in wanted if name == cell and first <= replicate <= last]
    return dict.fromkeys(method for names in lists for method in names)


def _before(task, data, place, discretizations) -> tuple[Mapping[str, Any], list[np.ndarray] | None]:
    """Return the discretization before a method and its thresholds; nothing without a discretizer or data."""
    if task.discretizer is None or data is None:
        return {}, None
    before = discretizations.run(task.discretizer, place)
    if before["status"] != OK:
        return before, None
    return before, discretizations.thresholds(task.discretizer, place, data.columns)


def _problem(task, data, before) -> schemas.Row | None:
    knowledge = knowledge_of(data)
    if knowledge is not None and not task.knowing and knowledge.arcs(data.variables) is not None:
        return {"status": ERROR, "message": "not run: it cannot honour what is known of the arcs"}
    if before.get("status", OK) == OK:
        return None
    return {name: before.get(name) for name in ("status", "message", "discretize_seconds", "wall_seconds", "peak_mb")}


def _run(task, waiting, limits) -> None:
    """Run a method on data sets and fill in the rows."""
    size = len(waiting) if task.warm else 1
    for first in range(0, len(waiting), size):
        some = waiting[first : first + size]
        twice = task.own and some[0].identity["replicate"] == 0
        calls = [*some[:twice], *some]
        used = [one.before.get("discretize_seconds") or 0.0 for one in calls]
        functions, options = [_function(task, one) for one in calls], {"used": used, "own": task.own}
        # without `warm` the first run would seem to take longer than all others, since it copies what a fork shares
        runs = supervise.calls(functions, seconds=limits.seconds, mb=limits.mb, warm=task.warm, **options)
        for one, ended in zip(some, runs, strict=True):
            _record(one, ended)
            if twice and one is some[0]:
                _compare(one, next(runs))
            log.info("%s", " ".join(str(one.rows.runs[0].get(k, "")) for k in (*schemas.IDENTITY, "status", "message")))


def _function(task, one) -> Callable[[], Learned]:
    function, data = task.function, one.data
    if task.named:
        levels = data.about.get("cardinalities", {})
        ordered = np.isin(data.columns, data.about.get("ordered", []))
        about = About(one.identity, data.columns, data.variables, levels, knowledge_of(data), ordered)
        function = partial(function, about=about)
    return partial(_checked, function, data, one.thresholds)


def _compare(one, again) -> None:
    """Say in the row of a run that a second call of its function gave another result, if it did."""
    other = replace(one, rows=Rows([dict(one.identity)]))
    _record(other, again)
    same = (one.rows.edges, one.rows.thresholds) == (other.rows.edges, other.rows.thresholds)
    if one.rows.runs[0]["status"] == again.status == OK and not same:
        one.rows.runs[0]["message"] = UNSTEADY


def edge_rows(identity: Identity, variables: Sequence[str], graph: np.ndarray) -> list[schemas.Row]:
    """Return the edges of a graph as rows; an undirected edge once, its ends in order of name."""
    names = ("source", "target", "directed")
    return [identity | dict(zip(names, edge, strict=True)) for edge in edges_of(graph, variables)]


def threshold_rows(
    identity: schemas.Row, variables: Sequence[str], thresholds: Sequence[np.ndarray]
) -> list[schemas.Row]:
    """Return thresholds as rows; a variable with one level has none."""
    return [
        identity | {"variable": name, "position": k, "threshold": float(t)}
        for name, cuts in zip(variables, thresholds, strict=True)
        for k, t in enumerate(cuts)
    ]


def _record(one, ended) -> None:
    """Fill in the rows of a run that has ended."""
    run, identity, columns = one.rows.runs[0], one.identity, one.data.columns
    for line in ended.output:
        log.info("%s: %s", " ".join(str(identity[name]) for name in schemas.IDENTITY), line)
    run |= {name: getattr(ended, name) for name in ("status", "message", "wall_seconds", "peak_mb")}
    if ended.status == KILLED:
        run["message"] = killed_once_more(ended.message, one.killed)
    if ended.status != OK:
        run["learn_seconds"] = ended.cpu_seconds
    else:
        learned: Learned = ended.value
        graph = learned.dag if learned.kind == "dag" else learned.cpdag
        if graph is not None:
            run["kind"] = learned.kind
            families = dict(zip(columns, learned.kinds, strict=True)) if learned.kinds else {}
            rows = edge_rows(identity, columns, graph)
            one.rows.edges += [row | {"family": families.get(row["target"])} for row in rows]
        if learned.thresholds is not None:
            run["levels"] = float(np.mean([len(cuts) + 1 for cuts in learned.thresholds]))
            one.rows.thresholds += threshold_rows(identity, columns, learned.thresholds)
        run |= {name: getattr(learned, name) for name in COSTS}
    if one.before:
        run["discretize_seconds"] = one.before["discretize_seconds"]
        run["message"] = run["message"] or one.before["message"]  # such as that it is unsteady
        run["wall_seconds"] += one.before["wall_seconds"]
        run["peak_mb"] = max(run["peak_mb"], one.before["peak_mb"])


def knowledge_of(data: parquet.DataSet) -> Knowledge | None:
    """Return what is known of the variables of a data set, which its file holds."""
    content = data.about.get("knowledge")
    if content is None:
        return None
    from cutpoint.knowledge.knowledge import Knowledge  # it takes longer to import than all else that a job needs

    return Knowledge(content)


def _checked(function: Function, data: parquet.DataSet, thresholds: Sequence[np.ndarray] | None) -> Learned:
    """Run a method and refuse what it must not return; in the child, where an exception is a status."""
    turned = np.isin(data.columns, data.about.get("turned", []) if thresholds is None else [])
    seen = data.values * (signs := np.where(turned, -1.0, 1.0)) if turned.any() else data.values
    learned = checks.result(function(seen, data.discrete, thresholds), data.variables, "the method")
    if turned.any() and learned.thresholds is not None:
        learned.thresholds = turned_back(learned.thresholds, seen, signs)
    _check_costs(learned)
    return learned


def _check_costs(learned: Learned) -> None:
    """Make costs plain numbers; raise InputError for anything else."""
    for name in (name for name in COSTS if getattr(learned, name) is not None):
        value, whole = getattr(learned, name), pa.types.is_integer(schemas.RUNS.field(name).type)
        is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_) and math.isfinite(value)
        if not is_number or (name != "score" and value < 0) or (whole and (value % 1 or value >= 2**63)):
            raise InputError(f"the method returned {name}={value!r}; a {'whole ' if whole else ''}number is expected")
        setattr(learned, name, int(value) if whole else float(value))  # what the file takes


class Discretizations:
    """The thresholds and runs of discretizers, by name and data set, from rows of `DISCRETIZED`."""

    def __init__(self, rows: Iterable[schemas.Row]):
        self._rows = parquet.by_identity(rows, ("discretizer", "cell", "replicate"))

    @classmethod
    def read(cls, paths: Iterable[str]) -> Discretizations:
        """Return what some files hold."""
        return cls(row for path in paths for row in parquet.read_records(path, schemas.DISCRETIZED)[0])

    def _of(self, discretizer: str, identity: Identity) -> list[schemas.Row]:
        return self._rows[discretizer, identity["cell"], identity["replicate"]]

    def run(self, discretizer: str, identity: Identity) -> Mapping[str, Any]:
        """Return how the discretization of a data set ended."""
        return self._of(discretizer, identity)[0]

    def thresholds(self, discretizer: str, identity: Identity, columns: Sequence[str]) -> list[np.ndarray]:
        """Return the thresholds of a data set, one array per column."""
        rows = [row for row in self._of(discretizer, identity) if row["variable"] is not None]
        return thresholds_of_rows(rows, columns, discretizer)


def warm_all(methods: Iterable[Method | DiscretizerFunction]) -> None:
    """Run shipped methods, and the shipped searches of others, on a small sample in this process, to load kernels.

    A user's own function may leave threads or a patched package behind: the children in which it runs call it first.
    """
    for method in methods:
        warm = method.warm if method.is_shipped else getattr(method, "warm_search", None)
        try:
            if warm:
                warm()
        except Exception as problem:  # each of its runs gets a status
            logging.getLogger("cutpoint").info("not warm: %s", problem)

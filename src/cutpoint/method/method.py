"""A method as its jobs get it: the paths of its functions, their options, and how a category runs them.

`cutpoint.method.rows` makes methods from rows of `methods.yaml`. Nothing here knows the registry, so that a job
depends on the functions of its own methods alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.anonymous import canonical_order
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.patterns import cpdag
from cutpoint.knowledge.arcs import Arcs
from cutpoint.knowledge.cells import Cells
from cutpoint.learners.learned import Learned, from_search, reorder
from cutpoint.learners.mean_score import mean_over
from cutpoint.method import checks
from cutpoint.method.functions import accepted, is_shipped, protected, resolve

if TYPE_CHECKING:  # a job without knowledge need not import what checks it
    from cutpoint.knowledge.knowledge import Knowledge

Names = Sequence[str] | None


@dataclass(frozen=True)
class Function:
    """A function of a method: ``module:function`` or ``file.py:function``, and its keyword arguments."""

    path: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        """Import the function and return what it returns."""
        return resolve(self.path)(*arguments, **{**self.options, **more})

    def on_values(self, values: np.ndarray, discrete: np.ndarray, **more: Any) -> Any:
        """Call the function on data that a user's own cannot write to."""
        return self(*protected(self.path, values, discrete), **more)

    @property
    def is_shipped(self) -> bool:
        """Return whether the function belongs to this package."""
        return is_shipped(self.path)

    def seeded(self, seed: int) -> Self:
        """Return the function with a seed, if it is a user's that takes one and has none; this imports it."""
        more = {} if self.is_shipped else accepted(self.path, {"seed": seed})
        return replace(self, options={**more, **self.options})


@dataclass(frozen=True)
class DiscretizerFunction(Function):
    """A function that learns thresholds before a structure is learned."""

    @property
    def name(self) -> str:
        """Return its name beside others: ``equal_width(bins=3)``, with its file where it is a user's own."""
        options = ", ".join(f"{key}={value!r}" for key, value in sorted(self.options.items()))
        return f"{self.path.rpartition(':')[2] if self.is_shipped else self.path}({options})"

    @property
    def home(self) -> str:
        """Return the name of the file or module of a user's in which it stands, without its folder; or built_in."""
        module = "built_in" if self.is_shipped else self.path.rpartition(":")[0]
        return Path(module).stem if module.endswith(".py") else module.rpartition(".")[2]

    def find(
        self, values: np.ndarray, discrete: np.ndarray, variables: Names = None, knowledge: Knowledge | None = None
    ) -> list[np.ndarray]:
        """Return one increasing float64 array of thresholds per variable, which honours the knowledge of thresholds.

        Discrete variables, bool [n], keep their codes; variables: n names for messages, and by which knowledge knows
        the columns of the values, float64 [N, n].
        """
        if knowledge is not None:
            cells = Cells(knowledge, values, discrete, variables or numbered(len(discrete)))
            return cells.restored(self.find(cells.values, cells.discrete, variables))
        thresholds = self.on_values(values, discrete)
        return checks.thresholds(thresholds, variables or numbered(len(discrete)), self.path, values, discrete)

    def warm(self) -> None:
        """Run it on a small mixed data set, so that its kernels are compiled and loaded."""
        self.find(*_sample())


# The first thresholds of an integrated method whose row gives none.
FIRST = DiscretizerFunction("cutpoint.discretization.binning:equal_frequency", {"bins": 3})


class Successive:
    """The last score of several searches, in which the next one looks up, and the graph that a search begins with."""

    def __init__(self) -> None:
        self._last: Any = None
        self.graph: np.ndarray | None = None  # bool [n, n], None before the first search

    def follow(self, score: Any) -> Any:
        """Return the next score, which looks up what the last one has kept; a score that cannot is left as it is."""
        if hasattr(score, "follow"):
            score.follow(self._last)
            self._last = score
        return score


@dataclass(frozen=True)
class Method:
    """A row of `methods.yaml` whose functions are looked up, by the key of the row that names them."""

    category: ClassVar[str]
    functions: Mapping[str, Function]

    def learn(
        self,
        values: np.ndarray,
        discrete: np.ndarray,
        thresholds: Sequence[np.ndarray] | None = None,
        variables: Names = None,
        knowledge: Knowledge | None = None,
        ordered: np.ndarray | None = None,
    ) -> Learned:
        """Run the method on one data set, float64 [N, n]; discrete variables, bool [n], keep their codes.

        The result honours the knowledge, or an InputError says that it cannot; with knowledge of arcs the pattern has
        the directions that follow from it too. thresholds: of the method's discretizer, where they are at hand;
        variables: n names for messages, and by which knowledge knows the columns; ordered: bool [n], discrete variables
        whose codes have an order, for a function that takes it.
        """
        names = variables or numbered(len(discrete))
        learned = self._learn(values, discrete, thresholds, names, knowledge, ordered)
        if knowledge is not None and learned.cpdag is not None:
            learned.cpdag = knowledge.oriented(learned.cpdag, names)
        return learned

    def pattern(
        self,
        values: np.ndarray,
        discrete: np.ndarray,
        order: np.ndarray,
        variables: Sequence[str],
        knowledge: Knowledge | None = None,
    ) -> np.ndarray:
        """Return the class, bool [n, n], that is learned from columns that the method sees in an order, int64 [n]."""
        names = [variables[i] for i in order]
        learned = self.learn(np.asfortranarray(values[:, order]), discrete[order], variables=names, knowledge=knowledge)
        assert learned.cpdag is not None
        back = np.argsort(order)
        return learned.cpdag[np.ix_(back, back)]

    def _learn(self, values, discrete, thresholds, variables, knowledge, ordered) -> Learned:
        raise InputError("an external method runs in the workflow, by its rule")

    @property
    def paths(self) -> list[str]:
        """Return the paths of all functions of the method."""
        return [function.path for function in self.functions.values()]

    @property
    def is_shipped(self) -> bool:
        """Return whether all functions of the method belong to this package."""
        return all(map(is_shipped, self.paths))

    def seeded(self, seed: int) -> Self:
        """Return the method with a seed for each function of a user that takes one, see `Function.seeded`."""
        return replace(self, functions={key: each.seeded(seed) for key, each in self.functions.items()})

    @property
    def discretizer(self) -> DiscretizerFunction | None:
        """Return the discretizer that makes thresholds before the method starts, if there is one."""
        first = self.functions.get("discretizer")
        return first if isinstance(first, DiscretizerFunction) else None

    def search(
        self,
        codes: np.ndarray,
        levels: np.ndarray,
        start: np.ndarray | None = None,
        after_move: Callable | None = None,
        *,
        arcs: Arcs | None = None,
        scores: Successive | None = None,
        restarts: int | None = None,
        draws: int = 1,
    ) -> Any:
        """Return the `cutpoint.Search` of the method's learner with its score, from codes int32 [draws x N, n].

        after_move: ``after_move(dag)`` may code the data anew, see `cutpoint.discretization.loop.Recode`; scores:
        of the searches before, of which this one looks up what it can, and with whose graph a search over orders
        begins, without random orders unless the row says how many; restarts: in place of those of the method, for a
        learner that takes them; draws: of the codes, one below the other, over which the score is a mean.
        """
        more: dict[str, Any] = {} if start is None else {"start": start}
        learner = self.functions["learner"]
        if restarts is not None:
            more |= accepted(learner.path, {"restarts": restarts})
        elif scores is not None and "restarts" not in learner.options and after_move is None:
            warm = accepted(learner.path, {"restarts": 0, "start": scores.graph})
            more = warm | more if len(warm) == 2 else more
        if after_move is not None:
            more["after_move"] = lambda dag: (recoded := after_move(dag)) and self._score(*recoded, scores=scores)
        score = mean_over(draws, partial(self._score, scores=scores if draws == 1 else None), codes, levels)
        learned = self._search(score, len(levels), arcs, **more)
        if scores is not None:
            scores.graph = learned.dag
        return learned

    def warm(self) -> None:
        """Run the method on a small mixed data set, so that its kernels are compiled and loaded."""
        self.learn(*_sample())

    def warm_search(self) -> None:
        """Compile the kernels of a shipped learner with a shipped score of codes, whatever else the method does."""
        if all(key in self.functions and self.functions[key].is_shipped for key in ("learner", "score")):
            values, discrete = _sample()
            thresholds = FIRST.find(values, discrete)
            self.search(encode(values, thresholds), cardinalities(thresholds))

    def _score(self, *arrays: np.ndarray, scores: Successive | None = None) -> Any:
        score = checks.score(self.functions["score"](*arrays), self.functions["score"].path)
        return score if scores is None else scores.follow(score)

    def _search(self, score: Any, n: int, arcs: Arcs | None, **more: Any) -> Any:
        learner = self.functions["learner"]
        return checks.search(learner(score, **self._handed(arcs), **more), n, learner.path)

    def _handed(self, arcs: Arcs | None) -> dict[str, Arcs]:
        """Return the knowledge of arcs as an argument of the learner; none where there is none."""
        path = self.functions["learner"].path
        if arcs is not None and "arcs" not in signature(resolve(path)).parameters:
            raise InputError(f"{path}: takes no option arcs, and so cannot honour what is known of the arcs")
        return {} if arcs is None else {"arcs": arcs}


class Prediscretization(Method):
    """Thresholds first, then a structure from codes."""

    category = "prediscretization"

    def _learn(self, values, discrete, thresholds, variables, knowledge, ordered):
        start = time.process_time()
        if thresholds is None and self.discretizer:
            thresholds = self.discretizer.find(values, discrete, variables, knowledge)
        middle = time.process_time()
        arcs = _arcs(knowledge, variables)
        codes, levels = _coded(values, thresholds, variables, knowledge)
        if "score" in self.functions:
            learned = from_search(self.search(codes, levels, arcs=arcs))
        else:
            learner = self.functions["learner"]
            learned = checks.structure(learner(codes, levels, **self._handed(arcs)), variables, learner.path)
        learned.learn_seconds = time.process_time() - middle
        learned.thresholds, learned.discretize_seconds = list(thresholds), middle - start
        return learned


class Integrated(Method):
    """Thresholds and structure alternately, by a function of the search and, if needed, of first thresholds."""

    category = "integrated"

    def _learn(self, values, discrete, thresholds, variables, knowledge, ordered):
        if self.functions["learner"].options.get("order") != "stable":
            return self._learn_in_turns(values, discrete, variables, knowledge, ordered)
        # one variable is discretized after the other, so that their order decides more than equal moves of the search
        order = canonical_order(values, discrete)
        names = [variables[i] for i in order]
        scales = ordered if ordered is None else ordered[order]
        learned = self._learn_in_turns(np.asfortranarray(values[:, order]), discrete[order], names, knowledge, scales)
        reorder(learned, np.argsort(order))
        return learned

    def _learn_in_turns(self, values, discrete, variables, knowledge, ordered):
        arcs = _arcs(knowledge, variables)
        search = partial(self.search, arcs=arcs, scores=Successive())
        given = {"arcs": arcs, "ordered": ordered}
        if knowledge is None:
            return self._run(values, discrete, variables, search, given)
        cells = Cells(knowledge, values, discrete, variables)
        learned = self._run(cells.values, cells.discrete, variables, search, given)
        codes, learned.thresholds = encode(cells.values, learned.thresholds), cells.restored(learned.thresholds)
        recoded, levels = _coded(values, learned.thresholds, variables, knowledge)
        # the number of levels is not what the method chose, where the graph is the best one of these codes
        if learned.score is not None and (recoded != codes).any():
            result = search(recoded, levels)
            learned.dag, learned.cpdag, learned.score = result.dag, cpdag(result.dag), result.score
        return learned

    def _run(self, values, discrete, variables, search, given):
        function = self.functions["policy"]
        start = time.process_time()
        more: dict[str, Any] = {"search": search} | accepted(function.path, given)
        if isinstance(initial := self.functions.get("initial"), DiscretizerFunction):
            more["initial"] = initial.find(values, discrete, variables)
        learned = checks.structure(function.on_values(values, discrete, **more), variables, function.path)
        learned.discretize_seconds = time.process_time() - start - (learned.learn_seconds or 0.0)
        return learned


class Direct(Method):
    """A structure from values, without thresholds."""

    category = "direct"

    def _learn(self, values, discrete, thresholds, variables, knowledge, ordered):
        start = time.process_time()
        arcs, learner, score = _arcs(knowledge, variables), self.functions["learner"], self.functions.get("score")
        if score is None:
            learned = learner.on_values(values, discrete, **self._handed(arcs))
            learned = checks.structure(learned, variables, learner.path)
        else:
            family_score = checks.score(score.on_values(values, discrete), score.path)
            learned = from_search(self._search(family_score, len(discrete), arcs))
        learned.learn_seconds = time.process_time() - start
        return learned

    def warm_search(self) -> None:
        """Do nothing: the score is not one of codes."""


class Reference(Method):
    """A structure from the codes behind simulated data, which the workflow hands over as discrete values."""

    category = "reference"

    def _learn(self, values, discrete, thresholds, variables, knowledge, ordered):
        if not discrete.all():
            raise InputError("a reference learns from the codes behind simulated data, in the workflow alone")
        levels = np.array(values.max(0), np.int64) + 1
        start = time.process_time()
        return from_search(self.search(values.astype(np.int32), levels), learn_seconds=time.process_time() - start)

    def warm(self) -> None:
        """Compile the kernels of the search."""
        self.warm_search()


@dataclass(frozen=True)
class External(Method):
    """A program or function of others, which a rule of the workflow runs with `options`."""

    category = "external"
    options: Mapping[str, Any] = field(default_factory=dict)


CATEGORIES: dict[str, type[Method]] = {one.category: one for one in Method.__subclasses__()}
IN_WORKFLOW = (Reference.category, External.category)  # categories whose methods run in the workflow alone


def _arcs(knowledge: Knowledge | None, variables: Sequence[str]) -> Arcs | None:
    return None if knowledge is None else knowledge.arcs(variables)


def _coded(
    values: np.ndarray, thresholds: Sequence[np.ndarray], variables: Sequence[str], knowledge: Knowledge | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return codes, int32 [N, n], and numbers of levels, int64 [n], without those of fixed thresholds that are empty.

    A score would give these a share of the prior, so that independent columns seem dependent.
    """
    codes, levels = encode(values, thresholds), cardinalities(thresholds)
    known = {} if knowledge is None else knowledge.content.thresholds
    for name in (name for name, allowed in known.items() if allowed.fixed is not None):
        i = list(variables).index(name)
        there, codes[:, i] = np.unique(codes[:, i], return_inverse=True)
        levels[i] = len(there)
    return codes, levels


def _sample() -> tuple[np.ndarray, np.ndarray]:
    """Return dependent values [300, 5], the last column codes."""
    values = np.asfortranarray(np.random.default_rng(0).standard_normal((300, 5)).cumsum(axis=1))
    values[:, 4] = values[:, 4] > 0
    return values, np.arange(5) == 4

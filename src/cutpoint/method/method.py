"""A method as its jobs get it: the functions of a row by where they stand, their options, and how they are run.

`cutpoint.method.rows` makes methods from `methods.yaml`. Nothing here knows the registry, so that a job depends on the
functions of its own methods alone.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.learned import Learned
from cutpoint.method import checks
from cutpoint.method.functions import accepted, is_shipped, options_of, protected, resolve

Names = Sequence[str] | None


@dataclass(frozen=True)
class Discretizer:
    """A function that finds thresholds before a structure is learned.

    Attributes:
        path: where the function stands, ``module:function`` or ``file.py:function``.
        options: its keyword arguments.
    """

    path: str
    options: Mapping[str, Any]

    def find(self, values: np.ndarray, frozen: np.ndarray, variables: Names = None) -> list[np.ndarray]:
        """Return one increasing float64 array of thresholds per variable.

        Args:
            values: float64 [N, n].
            frozen: bool [n], the discrete variables, which keep their codes.
            variables: n names for messages.

        Raises:
            InputError: the function returned something else.
        """
        found = resolve(self.path)(*protected(self.path, values, frozen), **self.options)
        return checks.thresholds(found, variables or numbered(len(frozen)), self.path, values, frozen)

    @property
    def is_shipped(self) -> bool:
        """Return whether the function belongs to this package."""
        return is_shipped(self.path)

    def warm(self) -> None:
        """Run it on a small mixed data set, so that its kernels are compiled and loaded."""
        self.find(*_sample())


# The first thresholds of an integrated method whose row gives none.
FIRST = Discretizer("cutpoint.discretization.binning:equal_frequency", {"bins": 3})


@dataclass(frozen=True)
class Method(ABC):
    """A row of `methods.yaml` whose names are looked up.

    Attributes:
        functions: where the functions stand, by the key of the row that names them.
        options: of all of them; each function gets those that it takes.
    """

    category: ClassVar[str]
    functions: Mapping[str, str]
    options: Mapping[str, Any]

    @abstractmethod
    def learn(
        self,
        values: np.ndarray,
        frozen: np.ndarray,
        thresholds: Sequence[np.ndarray] | None = None,
        variables: Names = None,
    ) -> Learned:
        """Run the method on one data set.

        Args:
            values: float64 [N, n].
            frozen: bool [n], the discrete variables, which keep their codes.
            thresholds: of the method's discretizer, where they are at hand.
            variables: n names for messages.

        Returns:
            The structure, the thresholds and the CPU seconds of both stages.

        Raises:
            InputError: a function of the method returned something invalid.
        """

    @property
    def paths(self) -> list[str]:
        """Return where all functions of the method stand."""
        return list(self.functions.values())

    @property
    def is_shipped(self) -> bool:
        """Return whether all functions of the method belong to this package."""
        return all(map(is_shipped, self.paths))

    @property
    def discretizer(self) -> Discretizer | None:
        """Return what finds the thresholds before the method starts, if anything does."""
        path = self.functions.get("discretizer")
        return Discretizer(path, accepted(path, self.options)) if path else None

    def plain(self) -> dict[str, Any]:
        """Return the method as plain data, from which `of` makes it again."""
        return {"category": self.category, **asdict(self)}

    def search(
        self, codes: np.ndarray, levels: np.ndarray, start: np.ndarray | None = None, after_move: Callable | None = None
    ) -> Any:
        """Return the `cutpoint.Search` of the method's learner with its score.

        Args:
            codes: int32 [N, n].
            levels: int64 [n], cardinalities.
            start: bool [n, n], the first graph.
            after_move: ``after_move(dag)`` may code the data anew, see `cutpoint.discretization.stepwise.Recode`.
        """
        more: dict[str, Any] = {} if start is None else {"start": start}
        if after_move is not None:
            more["after_move"] = partial(self._rescore, after_move)
        found = self._call("learner", self._score(codes, levels), **more)
        return checks.search(found, len(levels), self.functions["learner"])

    def warm(self) -> None:
        """Run the method on a small mixed data set, so that its kernels are compiled and loaded."""
        self.learn(*_sample())

    def warm_search(self) -> None:
        """Compile the kernels of a shipped learner with a shipped score, whatever else a user's method does."""
        parts = [self.functions.get(key, "") for key in ("learner", "score")]
        if all(map(is_shipped, parts)):
            values, frozen = _sample()
            thresholds = FIRST.find(values, frozen)
            self.search(encode(values, thresholds), cardinalities(thresholds))

    def _score(self, *arrays: np.ndarray) -> Any:
        return checks.score(self._call("score", *arrays), self.functions["score"])

    def _rescore(self, recode: Callable, dag: np.ndarray) -> Any:
        recoded = recode(dag)
        return None if recoded is None else self._score(*recoded)

    def _call(self, key: str, *arguments: Any, **more: Any) -> Any:
        path = self.functions[key]
        return resolve(path)(*arguments, **accepted(path, self.options), **more)

    def _structure(self, value: Any, key: str, variables: Sequence[str]) -> Learned:
        return checks.structure(value, variables, self.functions[key])


class Prediscretization(Method):
    """Thresholds first, then a structure from codes."""

    category = "prediscretization"

    def learn(self, values, frozen, thresholds=None, variables=None):  # noqa: D102
        start = time.process_time()
        if thresholds is None and self.discretizer:
            thresholds = self.discretizer.find(values, frozen, variables)
        middle = time.process_time()
        learned = self._learn(encode(values, thresholds), cardinalities(thresholds), variables or numbered(len(frozen)))
        learned.learn_seconds = time.process_time() - middle
        learned.thresholds, learned.discretize_seconds = list(thresholds), middle - start
        return learned

    def _learn(self, codes, levels, variables):
        if "score" in self.functions:
            return from_search(self.search(codes, levels))
        return self._structure(self._call("learner", codes, levels), "learner", variables)


@dataclass(frozen=True)
class Integrated(Method):
    """Thresholds and structure in turns; the policy is handed the search.

    Attributes:
        initial: finds the first thresholds of a policy that takes them, `FIRST` where it is None.
    """

    category = "integrated"
    initial: Discretizer | None = None

    @property
    def paths(self) -> list[str]:
        """Return where all functions of the method stand, that of the first thresholds among them."""
        return [*super().paths, (self.initial or FIRST).path]

    def learn(self, values, frozen, thresholds=None, variables=None):  # noqa: D102
        variables, path = variables or numbered(len(frozen)), self.functions["policy"]
        start = time.process_time()
        more: dict[str, Any] = {"search": self.search}
        if "initial" in options_of(path):
            more["initial"] = (self.initial or FIRST).find(values, frozen, variables)
        found = self._call("policy", *protected(path, values, frozen), **more)
        learned = self._structure(found, "policy", variables)
        learned.discretize_seconds = time.process_time() - start - (learned.learn_seconds or 0.0)
        return learned


class Direct(Method):
    """A structure from values, without thresholds."""

    category = "direct"

    def learn(self, values, frozen, thresholds=None, variables=None):  # noqa: D102
        start = time.process_time()
        learned = self._learn(values, frozen, variables or numbered(len(frozen)))
        learned.learn_seconds = time.process_time() - start
        return learned

    def _learn(self, values, frozen, variables):
        if "score" not in self.functions:
            arrays = protected(self.functions["learner"], values, frozen)
            return self._structure(self._call("learner", *arrays), "learner", variables)
        score = self._score(*protected(self.functions["score"], values, frozen))
        found = self._call("learner", score)
        return from_search(checks.search(found, len(frozen), self.functions["learner"]))


class External(Method):
    """A program or function of others, which a rule of the workflow runs."""

    category = "external"

    def learn(self, values, frozen, thresholds=None, variables=None):  # noqa: D102
        raise InputError("an external method runs in the workflow, by its rule")

    @property
    def rule_options(self) -> dict[str, Any]:
        """Return the options of the rule: those that are not the discretizer's."""
        taken = self.discretizer.options if self.discretizer else {}
        return {key: value for key, value in self.options.items() if key not in taken}


CATEGORIES: dict[str, type[Method]] = {one.category: one for one in (Prediscretization, Integrated, Direct, External)}


def of(plain: Mapping[str, Any]) -> Method:
    """Return the method of what `Method.plain` returned."""
    fields = {key: value for key, value in plain.items() if key != "category"}
    if fields.get("initial"):
        fields["initial"] = Discretizer(**fields["initial"])
    return CATEGORIES[plain["category"]](**fields)


def from_search(found: Any, seconds: float | None = None) -> Learned:
    """Return the result of a search for the best score, which took `seconds` of CPU time."""
    return Learned(
        cpdag=cpdag(found.dag),
        dag=found.dag,
        score=found.score,
        score_calls=found.calls,
        evaluations=found.evaluations,
        iterations=found.steps,
        learn_seconds=seconds,
    )


def _sample() -> tuple[np.ndarray, np.ndarray]:
    """Return dependent values [300, 5], the last column codes."""
    rng = np.random.default_rng(0)
    values = np.asfortranarray(rng.standard_normal((300, 5)).cumsum(axis=1))
    values[:, 4] = values[:, 4] > 0
    return values, np.arange(5) == 4

"""Verdicts on the inequalities of a claim, and its grade (docs/statistics.md).

An inequality is supported or contradicted where a one-sided test says so, both adjusted for the inequalities of the
claim by Holm's method; else it is inconclusive. What is said of several methods is put together from tests of pairs:
`all_of` them, `any_of` them, or `at_least` so many.

    ratio = (shd[steck2] / shd[bach]).mean(0).estimate(log=True)
    below(ratio, 1.025)               # "steck2 is at or below bach": a tie within 2.5 % supports it
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from cutpoint.bench.statistics.comparisons import holm
from cutpoint.bench.statistics.estimates import LEVEL, Estimate

SUPPORTED, INCONCLUSIVE, CONTRADICTED = "supported", "inconclusive", "contradicted"
DIRECTION, PREVIEW, NO_DATA = "direction only", "preview", "no data"
REPRODUCED, NOT_COMPARABLE = "reproduced", "not comparable"
FEWEST = 3  # replicates; from fewer nothing is concluded


class Number(Protocol):
    """What is compared: an `Estimate` or a `Share`."""

    def tail(self, bound: float) -> Any:
        """Return the p value of "the true value is at or above the bound"."""


@dataclass(frozen=True)
class PValues:
    """Those of both sides of an inequality, float64 [...] each, NaN where there are no data.

    That of "the inequality is false", where a small one supports it; and that of "it is false by no more than
    the margin", where a small one says that it is contradicted.
    """

    supported: np.ndarray
    contradicted: np.ndarray


def below(number: Number, bound: float) -> PValues:
    """Return the test that a number is below a bound, in which a margin allows a tie."""
    return PValues(np.asarray(number.tail(bound)), 1 - np.asarray(number.tail(bound)))


def above(number: Number, bound: float) -> PValues:
    """Return the test that a number is above a bound."""
    return PValues(1 - np.asarray(number.tail(bound)), np.asarray(number.tail(bound)))


def exact(truth: bool) -> PValues:
    """Return the test of what is without chance."""
    return PValues(np.asarray(float(not truth)), np.asarray(float(truth)))


def all_of(*tests: PValues) -> PValues:
    """Return the test that all are true: the largest p value; contradicted by one of K, its p value times K."""
    return at_least(sum(test.supported.size for test in tests), *tests)


def any_of(*tests: PValues) -> PValues:
    """Return the test that at least one is true: contradicted only if all are."""
    return at_least(1, *tests)


def lowest(differences: Estimate, names: Sequence[int], rivals: Sequence[int]) -> PValues:
    """Return the test that for every rival one of some methods is as low; contradicted where a rival beats them all.

    Differences are those of all pairs of methods, first - second, [M, M]; up to 0 they are a tie.
    """
    return all_of(_at_least(1, below(differences[np.ix_(names, rivals)], 0.0)))


def at_least(count: int, *tests: PValues) -> PValues:
    """Return the test that some number of K inequalities is true, or more; tests are K in all.

    The p value is (K - count + 1) times the count-th smallest (partial conjunction, Benjamini and Heller 2008). Of a
    number without data nothing is known, nor of no inequality.
    """
    supported, contradicted = (
        np.concatenate([getattr(test, side).ravel() for test in tests]) for side in ("supported", "contradicted")
    )
    if not supported.size:
        return PValues(np.asarray(np.nan), np.asarray(np.nan))
    return _at_least(count, PValues(supported, contradicted))


def _at_least(count: int, tests: PValues) -> PValues:
    """Return the same along the first axis of tests [K, ...]."""
    rest = len(tests.supported) - count + 1
    missing = np.isnan(tests.supported).all(0)
    sides = (tests.supported, count, rest), (tests.contradicted, rest, count)
    smallest = (f * np.sort(np.nan_to_num(p, nan=1.0), axis=0)[place - 1] for p, place, f in sides)
    return PValues(*(np.where(missing, np.nan, np.minimum(each, 1.0)) for each in smallest))


@dataclass(frozen=True)
class Statement:
    """One inequality of a claim, its test, and the numbers that it rests on by name."""

    text: str
    test: PValues
    numbers: Mapping[str, float]
    replicates: int | None  # the fewest behind a number; None where no chance is in it
    direction: PValues | None = None  # the test of the direction alone, of one that says by how much
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # of 95 %; NaN where there is none


@dataclass(frozen=True)
class Judgement:
    """The grade of a claim and the verdict on each of its inequalities."""

    grade: str  # REPRODUCED, DIRECTION, "k of n", INCONCLUSIVE, CONTRADICTED, PREVIEW, NOT_COMPARABLE or NO_DATA
    verdicts: tuple[str, ...]  # SUPPORTED, DIRECTION, INCONCLUSIVE, CONTRADICTED, PREVIEW or NO_DATA
    statements: tuple[Statement, ...]

    @property
    def summary(self) -> str:
        """Such as "4 of 5 supported; inconclusive: eqwidth3 is below bach"."""
        parts = [f"{self.verdicts.count(SUPPORTED)} of {len(self.verdicts)} supported"]
        for verdict in (DIRECTION, INCONCLUSIVE, CONTRADICTED, PREVIEW, NO_DATA):
            texts = [s.text for s, each in zip(self.statements, self.verdicts, strict=True) if each == verdict]
            parts += [f"{verdict}: {', '.join(texts)}"] if texts else []
        return "; ".join(parts)


def judge(statements: Sequence[Statement], *, comparable: bool = True) -> Judgement:
    """Return the judgement on a claim from its inequalities.

    Published claims that rest on run time, or on how many calls a program counted, are not comparable: both are of the
    authors' programs. What is expected of our own run times can be tested.
    """
    verdicts = _verdicts_on(statements)
    return Judgement(_grade(verdicts) if comparable else NOT_COMPARABLE, tuple(verdicts), tuple(statements))


def _verdicts_on(statements: Sequence[Statement]) -> list[str]:
    """Return the verdict on each inequality; tests of directions are adjusted together with the others."""
    tests = [s.test for s in statements]
    directions = {i: s.direction for i, s in enumerate(statements) if s.direction is not None}
    adjusted = dict(enumerate(decide_all([*tests, *directions.values()])))
    verdicts = [adjusted[i] for i in range(len(tests))]
    for place, i in enumerate(directions, len(tests)):
        if verdicts[i] != SUPPORTED and adjusted[place] == SUPPORTED:
            verdicts[i] = DIRECTION
    return [PREVIEW if _early(s) else verdict for s, verdict in zip(statements, verdicts, strict=True)]


def _early(statement: Statement) -> bool:
    """Return whether an inequality has numbers, from too few replicates."""
    unknown = statement.numbers and all(np.isnan(value) for value in statement.numbers.values())
    return not unknown and statement.replicates is not None and 0 < statement.replicates < FEWEST


def decide_all(tests: Sequence[PValues]) -> list[str]:
    """Return SUPPORTED, CONTRADICTED, INCONCLUSIVE or NO_DATA for each of m tests of one inequality.

    Twice the smaller p value of the two sides is adjusted by Holm's method over the m. So at most 5 % of claims have an
    inequality that is called contradicted and is true, or that is called supported and is false.
    """
    sides = np.array([[float(test.supported), float(test.contradicted)] for test in tests]).reshape(-1, 2)
    adjusted = holm(2 * sides.min(1))
    names = np.where(sides[:, 0] < sides[:, 1], SUPPORTED, CONTRADICTED)
    called = np.where(adjusted <= 1 - LEVEL, names, INCONCLUSIVE)
    return [str(each) for each in np.where(np.isnan(adjusted), NO_DATA, called)]


def _grade(verdicts: Sequence[str]) -> str:
    """Return the grade of a claim that can be tested."""
    count, held = len(verdicts), verdicts.count(SUPPORTED)
    if verdicts.count(NO_DATA) == count:
        return NO_DATA
    if PREVIEW in verdicts:
        return PREVIEW
    if held == count:
        return REPRODUCED
    if held + verdicts.count(DIRECTION) == count:
        return DIRECTION
    if held:
        return f"{held} of {count}"
    return CONTRADICTED if CONTRADICTED in verdicts else INCONCLUSIVE

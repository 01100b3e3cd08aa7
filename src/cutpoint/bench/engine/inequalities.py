"""Claims that studies declare: what their inequalities mean, and the statements that functions of studies make.

An inequality is written as one of

    [each of] NAMES < NAMES in MEASURE[COLUMN]     also <=, >, >=, and a number on the right
    [each of] NAMES from LOW to HIGH in MEASURE[COLUMN]
    lowest of NAMES is NAMES in MEASURE[COLUMN]

where NAMES are methods and groups, or the "others of" a group; without a column it is the mean. "each of" makes an
inequality of each, else all of the left side are compared with all of the right one.

Methods are compared by a margin: "A < B" is supported where A is significantly below B, and contradicted where it is
significantly above by more than the margin; for "<=" and "lowest" a tie within the margin is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.bench.artefacts.claims import OURS, PAPER, Judged
from cutpoint.bench.engine import declaration as form
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Numbers, number
from cutpoint.bench.statistics import verdicts
from cutpoint.bench.statistics.comparisons import Share
from cutpoint.bench.statistics.estimates import Statistic, combine
from cutpoint.bench.statistics.verdicts import PValues, Statement, all_of, exact

TIE = 1e-9  # numbers closer than this are equal


@dataclass(frozen=True)
class Margin:
    """How much more than another number still counts as a tie: a share of that number, and a constant."""

    share: float = 0.0
    constant: float = 0.0

    @classmethod
    def read(cls, margin: str | float) -> Margin:
        """Return the margin written as a share, "2.5 %", or as a number."""
        if isinstance(margin, str):
            return cls(share=float(margin.removesuffix("%")) / 100)
        return cls(constant=margin)

    def over(self, values: np.ndarray) -> np.ndarray:
        """Return values with the margin added."""
        return values * (1 + self.share) + self.constant


USUAL = Margin(share=0.025)  # of structural errors


def judge(inputs: Inputs, name: str) -> Judged:
    """Return a claim that the study declares with the judgement on it."""
    study, row = inputs.study, inputs.study.claims[name]
    statements = study.made(inputs, row) if row.make else inequalities(inputs, row.needs, Margin.read(row.margin))
    judgement = verdicts.judge(list(statements), comparable=not row.implementation)
    source = OURS if study.ours else PAPER
    return Judged(name, row.says, row.look, judgement, row.implementation, source, inputs.labels)


def inequalities(inputs: Inputs, needs: Mapping[str, str], margin: Margin = USUAL) -> list[Statement]:
    """Return inequalities by what they say in words, in which {name} and {label} stand for "each of" the methods."""
    return [one for text, need in needs.items() for one in _inequalities(inputs, text, need, margin)]


def _inequalities(inputs: Inputs, text: str, need: str, margin: Margin) -> Iterator[Statement]:
    parts = form.NEED.fullmatch(need)
    assert parts  # as the declaration was checked
    name, column = form.split(parts["number"])
    numbers = number(inputs, name, form.MEAN if column is None else column)
    members, condition = inputs.study.members, parts["condition"]
    if lowest := form.LOWEST.fullmatch(condition):
        yield best(text, numbers, members(lowest["names"]), members(lowest["group"]), margin)
    elif limits := form.RANGE.fullmatch(condition):
        for one, words in _sides(inputs, text, limits["each"], members(limits["left"])):
            yield within(words, numbers, one, float(limits["low"]), float(limits["high"]))
    elif order := form.ORDER.fullmatch(condition):
        yield from _order(inputs, text, order, numbers, margin)


def _order(inputs: Inputs, text: str, order: re.Match[str], numbers: Numbers, margin: Margin) -> Iterator[Statement]:
    members = inputs.study.members
    left, right, each = order["left"], order["right"], order["each"]
    if is_number(right):
        low, high = (-np.inf, float(right)) if "<" in order["sign"] else (float(right), np.inf)
        for one, words in _sides(inputs, text, each, members(left)):
            yield within(words, numbers, one, low, high)
        return
    names = members(left, members(right)), members(right, members(left))
    turned = bool(order["every"])
    for one, words in _sides(inputs, text, each or order["every"], names[turned]):
        pair = (names[0], one) if turned else (one, names[1])
        yield ordered(words, numbers, *pair, order["sign"], margin)


def _sides(inputs: Inputs, text: str, each: str | None, names: list[str]) -> Iterator[tuple[list[str], str]]:
    """Yield the methods that an inequality is about and its text, one by one if it is of each."""
    labels = inputs.labels
    for one in [[name] for name in names] if each else [names]:
        yield one, text.replace("{name}", one[0]).replace("{label}", labels.get(one[0], one[0]))


def is_number(text: str) -> bool:
    """Return whether a text is a decimal number."""
    return text.replace(".", "", 1).removeprefix("-").isdigit()


# Tests of numbers


def below(left: Statistic, right: Statistic, margin: Margin = USUAL, *, tie: bool = False) -> PValues:
    """Return the test that numbers are below others, [...]; with `tie`, or not above by more than the margin."""
    margin_away = combine(lambda a, b: a - margin.over(b), left, right).estimate()
    apart = margin_away if tie else (left - right).estimate()
    return PValues(np.asarray(apart.tail(0.0)), 1 - np.asarray(margin_away.tail(0.0)))


def said_of(
    numbers: Numbers, names: Sequence[str], text: str, test: PValues, direction: PValues | None = None
) -> Statement:
    """Return a statement that rests on the numbers of some methods, which are shown with their intervals."""
    return Statement(text, test, numbers.values_of(names), numbers.replicates, direction, numbers.intervals(names))


def ordered(
    text: str, numbers: Numbers, left: Sequence[str], right: Sequence[str], sign: str, margin: Margin = USUAL
) -> Statement:
    """Say that every one of left is "<", "<=", ">" or ">=" every one of right."""
    low, high = (right, left) if ">" in sign else (left, right)
    test = all_of(below(numbers[low][:, None], numbers[high], margin, tie="=" in sign))
    return said_of(numbers, (*left, *right), text, test)


def within(text: str, numbers: Numbers, names: Sequence[str], low: float, high: float) -> Statement:
    """Say that every one of some methods lies in a range."""
    estimate = numbers[names].estimate()
    sides = [verdicts.above(estimate, low)] if np.isfinite(low) else []
    sides += [verdicts.below(estimate, high)] if np.isfinite(high) else []
    return said_of(numbers, names, text, all_of(*sides))


def best(text: str, numbers: Numbers, names: Sequence[str], group: Sequence[str], margin: Margin = USUAL) -> Statement:
    """Say that the lowest of the group is among names: no other one is below all of them by more than the margin."""
    everyone = list(dict.fromkeys((*names, *group)))
    values = numbers[everyone]
    beyond = combine(lambda a, b: a - margin.over(b), values[:, None], values).estimate()
    rivals = [i for i, name in enumerate(everyone) if name not in names]
    test = verdicts.lowest(beyond, range(len(names)), rivals)
    return said_of(numbers, group, text, test)


def in_more_than(
    text: str, holds: np.ndarray, share: float = 0.5, numbers: Mapping[str, float] | None = None
) -> Statement:
    """Say that something holds in more than a share of the samples, bool [samples]."""
    counted = Share(float(np.sum(holds)), len(holds))
    values, ends = {"share": counted.value} | dict(numbers or {}), {"share": counted.interval()}
    return Statement(text, verdicts.above(counted, share), values if len(holds) else {}, len(holds), intervals=ends)


def certain(text: str, truth: bool, numbers: Mapping[str, float]) -> Statement:
    """Say what has no chance in it."""
    return Statement(text, exact(truth), dict(numbers), None)


def unknown(text: str) -> Statement:
    """Say what no run tells anything of."""
    return Statement(text, PValues(np.array(np.nan), np.array(np.nan)), {}, 0)

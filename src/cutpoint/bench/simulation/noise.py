"""Continuous data from a network: noise around the codes of a sample, values in an interval per code, or equations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.simulation.intervals import draw_intervals, in_intervals, latent_intervals
from cutpoint.bench.simulation.measurement import Measurement, measure
from cutpoint.bench.simulation.structural_equations import draw_equations, sample_equations
from cutpoint.bench.simulation.targets import choose_targets
from cutpoint.networks.network import Network, equations_of, sample
from cutpoint.networks.strength import information, variance_shares

EQUATIONS = ("linear_sem", "additive_sem", "nonadditive_sem", "own_sem")  # take no tables of a network
REFERENCE = 5000  # records by which the thresholds of latent values are placed


def gaussian(codes: np.ndarray, sigma: float, rng: np.random.Generator) -> np.ndarray:
    """Return each code [N, n] plus independent normal noise (Fu 2005, V.1.1, after Monti 1999); columns contiguous.

    Sigma is in units of the distance between two codes.
    """
    noise = rng.standard_normal(codes.shape[::-1]).T
    return codes + sigma * noise


def code_thresholds(cardinalities: Iterable[int]) -> list[np.ndarray]:
    """Return the thresholds halfway between codes, c + 0.5 for c in 0..r-2, float64, by variable."""
    return [np.arange(int(r) - 1) + 0.5 for r in cardinalities]


class Origin(NamedTuple):
    """What decides the random numbers of one data set; noises of the same records have them in common.

    The part is "noise" for the records to learn from, "test" for those held out.
    """

    seed: int
    study: str
    network: str
    n: int
    replicate: int
    part: str

    def of_values(self, purpose: str) -> np.random.Generator:
        """Return the generator of a purpose for these records, the same for all noises."""
        return np.random.default_rng(seed_sequence(self.seed, *self[1:-1], purpose))

    def of_network(self, purpose: str) -> np.random.Generator:
        """Return the generator of a purpose that is the same for all sizes, noises and parts of a replicate."""
        return np.random.default_rng(seed_sequence(self.seed, self.study, self.network, self.replicate, purpose))


class Continuous(NamedTuple):
    """Values [N, n] that stand for codes, or come from equations on the same graph.

    Thresholds are the true ones by variable, None where no codes are behind the values; discrete are the variables that
    kept their codes.
    """

    values: np.ndarray
    thresholds: list[np.ndarray] | None
    discrete: list[str]


def make_continuous(
    codes: np.ndarray, cardinalities: Mapping[str, int], options: Mapping[str, Any], origin: Origin, truth: Network
) -> Continuous:
    """Turn sampled codes into continuous values, or draw as many records from equations on the same graph.

    Cardinalities are by name, in the order of the columns; options are a noise of the config. Intervals, discrete
    variables and equations are those of the network and replicate of the origin; equations have the graph of the true
    network.
    """
    case = _Case(cardinalities, options, origin, truth)
    discrete = _discrete_variables(case)
    continuous = (_of_equations if options["kind"] in EQUATIONS else _of_codes)(codes, case, discrete)
    return _measured(continuous, case) if options.get("measured") else continuous


class _Case(NamedTuple):
    cardinalities: Mapping[str, int]
    options: Mapping[str, Any]
    origin: Origin
    truth: Network

    def chosen(self, *names: str) -> dict[str, Any]:
        """Return those of some options that are set."""
        return {name: self.options[name] for name in names if name in self.options}


def _discrete_variables(case: _Case) -> list[str]:
    """Return the variables that stay discrete: so many targets, or a share of all, one at least continuous."""
    if case.options.get("targets"):
        chosen = choose_targets(case.truth.dag, case.options["targets"], case.origin.of_network("targets"))
        return [case.truth.variables[i] for i in chosen]
    names = sorted(case.cardinalities)
    count = min(round(case.options.get("discrete", 0) * len(names)), len(names) - 1)
    return sorted(names[i] for i in case.origin.of_network("discrete").permutation(len(names))[:count])


def _of_equations(codes: np.ndarray, case: _Case, discrete: list[str]) -> Continuous:
    rng = case.origin.of_values("noise")
    if case.options["kind"] == "own_sem":
        own = equations_of(case.truth).of(case.truth.places(list(case.cardinalities)))
        return Continuous(own.sample(len(codes), rng), None, [])
    shares = None
    if case.options.get("matched"):
        reference = sample(case.truth, REFERENCE, case.origin.of_network("reference"))
        shares = variance_shares(information(case.truth, reference))[case.truth.places(list(case.cardinalities))]
    equations = draw_equations(
        case.truth.dag_of(list(case.cardinalities)),
        case.origin.of_network("equations"),
        joint=case.options["kind"] == "nonadditive_sem",
        levels={i: r for i, (name, r) in enumerate(case.cardinalities.items()) if name in discrete},
        shares=shares,
        **case.chosen("weights", "length", "errors", "spread"),
    )
    return Continuous(sample_equations(equations, len(codes), rng), None, discrete)


def _of_codes(codes: np.ndarray, case: _Case, discrete: list[str]) -> Continuous:
    values, thresholds = _thresholded(codes, case)
    for i, name in enumerate(case.cardinalities):
        if name in discrete:
            values[:, i] = codes[:, i]
            thresholds[i] = np.arange(len(thresholds[i])) + 0.5
    return Continuous(values, thresholds, discrete)


def _thresholded(codes: np.ndarray, case: _Case) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return values that stand for codes, and their true thresholds."""
    cardinalities, options, origin, truth = case
    if options["kind"] == "gaussian":
        values = gaussian(codes, options["sigma"], origin.of_values("noise"))
        return values, code_thresholds(cardinalities.values())
    if options["kind"] == "latent_normal":
        reference = sample(truth, REFERENCE, origin.of_network("latent"))[:, truth.places(list(cardinalities))]
        intervals = latent_intervals(reference, cardinalities.values())
    else:
        ranges = case.chosen("lengths", "sd", "shapes")
        intervals = draw_intervals(cardinalities.values(), origin.of_network("intervals"), **ranges)
    values = in_intervals(codes.astype(int), intervals, origin.of_values(origin.part))
    return values, [interval.edges[1:-1] for interval in intervals]


def _measured(continuous: Continuous, case: _Case) -> Continuous:
    """Return what is seen of the continuous columns; their scales are those of the network and replicate."""
    how, names = Measurement(**case.options["measured"]), sorted(case.cardinalities)
    scales = dict(zip(names, how.scales(len(names), case.origin.of_network("scales")), strict=True))
    values, thresholds = continuous.values.copy(order="F"), list(continuous.thresholds or ())
    errors = case.origin.of_values("measurement").standard_normal(values.shape[::-1]).T if how.error else None
    for i, name in enumerate(case.cardinalities):
        if name in continuous.discrete:
            continue
        if errors is not None:
            values[:, i] += how.error * values[:, i].std() * errors[:, i]
        if continuous.thresholds is None:
            values[:, i] = measure(values[:, i], how, float(scales[name]))[0]
        else:
            values[:, i], thresholds[i] = measure(values[:, i], how, float(scales[name]), thresholds[i])
    return Continuous(values, continuous.thresholds and thresholds, continuous.discrete)

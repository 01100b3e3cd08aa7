"""Continuous data from a network: noise around the codes of a sample, values in an interval per code, or equations.

A noise of study.yaml is named by its `kind`. Its other keys are keyword-only parameters of the functions in `NOISES`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.bench.simulation.columns import choose_targets, in_order, learned_from
from cutpoint.bench.simulation.intervals import Intervals, draw_intervals, in_intervals, latent_intervals
from cutpoint.bench.simulation.measurement import MOST_BEYOND, MOST_SKEWED, Measurement, measure, treated, with_gaps
from cutpoint.bench.simulation.structural_equations import Errors, draw_equations, sample_equations
from cutpoint.method.functions import accepted
from cutpoint.networks.network import Network, equations_of, sample
from cutpoint.networks.random_networks import MOST, information
from cutpoint.options import AboveZero, AtLeast0, BelowOne, Range, UpToOne

LENGTHS = (0.5, 2.0)  # range of the lengths of the intervals
WEIGHTS = (0.5, 2.0)  # range of the absolute weights of the parents or of their functions
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
        return generator_for(self.seed, *self[1:-1], purpose)

    def of_network(self, purpose: str) -> np.random.Generator:
        """Return the generator of a purpose that is the same for all sizes, noises and parts of a replicate."""
        return generator_for(self.seed, self.study, self.network, self.replicate, purpose)


class Continuous(NamedTuple):
    """Values [N, n] that stand for codes, or come from equations on the same graph.

    Thresholds are the true ones by variable, None where no codes are behind the values; discrete are the variables that
    kept their codes.
    """

    values: np.ndarray
    thresholds: list[np.ndarray] | None
    discrete: list[str]


class Case(NamedTuple):
    """What values are made from: codes [N, n], the levels of their columns by name, and the true network."""

    kind: str
    codes: np.ndarray
    cardinalities: Mapping[str, int]
    origin: Origin
    truth: Network
    discrete: list[str]  # variables that keep their codes


def make_continuous(
    codes: np.ndarray, cardinalities: Mapping[str, int], options: Mapping[str, Any], origin: Origin, truth: Network
) -> Continuous:
    """Turn sampled codes into continuous values, or draw as many records from equations on the same graph.

    Cardinalities are by name, in the order of the columns; options are a noise of the config. Intervals, discrete
    variables and equations are those of the network and replicate of the origin; equations have the graph of the true
    network.
    """
    case, noise = Case(options["kind"], codes, cardinalities, origin, truth, []), NOISES[options["kind"]][0]
    kept = to_predict(case, **accepted(to_predict, options)) or stay_discrete(case, **accepted(stay_discrete, options))
    case = case._replace(discrete=kept)
    return measured_columns(noise(case, **accepted(noise, options)), case, **accepted(measured_columns, options))


def to_predict(case: Case, *, targets: AtLeast0 = 0) -> list[str]:
    """Return so many variables that stay discrete, to be predicted."""
    chosen = choose_targets(case.truth.dag, targets, case.origin.of_network("targets")) if targets else []
    return [case.truth.variables[i] for i in chosen]


def stay_discrete(case: Case, *, discrete: BelowOne = 0.0) -> list[str]:
    """Return a share of the variables, at random, that stay discrete; one at least is continuous."""
    names = sorted(case.cardinalities)
    count = min(round(discrete * len(names)), len(names) - 1)
    return sorted(names[i] for i in case.origin.of_network("discrete").permutation(len(names))[:count])


def gaussian_noise(case: Case, *, sigma: AboveZero) -> Continuous:
    """Return normal noise around integer codes (Fu V.1.1)."""
    values = gaussian(case.codes, sigma, case.origin.of_values("noise"))
    return _of_codes(case, values, code_thresholds(case.cardinalities.values()))


def latent_normal(case: Case) -> Continuous:
    """Return standard normal values that a level is read from; nothing in their density shows the thresholds."""
    reference = sample(case.truth, REFERENCE, case.origin.of_network("latent"))
    places = case.truth.places(list(case.cardinalities))
    return _inside(case, latent_intervals(reference[:, places], case.cardinalities.values()))


def truncated_gaussian(case: Case, *, sd: Range, lengths: Range = LENGTHS) -> Continuous:
    """Return values in the interval of their code, with a truncated normal density (Mabrouk 4).

    Lengths of the intervals, and standard deviations in lengths of the interval, are drawn from these ranges.
    """
    return _drawn(case, lengths=lengths, sd=sd)


def uniform(case: Case, *, lengths: Range = LENGTHS) -> Continuous:
    """Return values anywhere in the interval of their code."""
    return _drawn(case, lengths=lengths)


def beta(case: Case, *, lengths: Range = LENGTHS, shapes: Range = (0.5, 4.0)) -> Continuous:
    """Return values in the interval of their code, with a beta density whose parameters are drawn from a range."""
    return _drawn(case, lengths=lengths, shapes=shapes)


def linear_sem(
    case: Case, *, weights: Range = WEIGHTS, errors: Errors = "normal", spread: UpToOne = 0.0, matched: bool = False
) -> Continuous:
    """Return data of linear structural equations, internally standardised.

    The spread says how much the scale of the errors depends on the parents. If matched, parents tell as much of a
    variable as in the tables of the network.
    """
    return _of_equations(case, matched, weights=weights, errors=errors, spread=spread)


def smooth_sem(
    case: Case,
    *,
    length: AboveZero = 1.0,
    weights: Range = WEIGHTS,
    errors: Errors = "normal",
    spread: UpToOne = 0.0,
    matched: bool = False,
) -> Continuous:
    """Return the same with a random smooth function of each parent in its place, or with one of all parents.

    Length is their length scale, in the root mean square of what they take.
    """
    joint = case.kind == "nonadditive_sem"
    return _of_equations(case, matched, joint=joint, length=length, weights=weights, errors=errors, spread=spread)


def own_sem(case: Case) -> Continuous:
    """Return data of the linear equations of a Gaussian network, as they were published."""
    own = equations_of(case.truth).of(case.truth.places(list(case.cardinalities)))
    return Continuous(own.sample(len(case.codes), case.origin.of_values("noise")), None, [])


def _of_equations(case: Case, matched: bool, **options: Any) -> Continuous:
    names = list(case.cardinalities)
    shares = None
    if matched:
        reference = sample(case.truth, REFERENCE, case.origin.of_network("reference"))
        shares = variance_shares(information(case.truth, reference))[case.truth.places(names)]
    levels = {i: r for i, (name, r) in enumerate(case.cardinalities.items()) if name in case.discrete}
    rng, dag = case.origin.of_network("equations"), case.truth.dag_of(names)
    equations = draw_equations(dag, rng, levels=levels, shares=shares, **options)
    return Continuous(sample_equations(equations, len(case.codes), case.origin.of_values("noise")), None, case.discrete)


def _drawn(case: Case, **ranges: Range) -> Continuous:
    return _inside(case, draw_intervals(case.cardinalities.values(), case.origin.of_network("intervals"), **ranges))


def _inside(case: Case, intervals: list[Intervals]) -> Continuous:
    values = in_intervals(case.codes.astype(int), intervals, case.origin.of_values(case.origin.part))
    return _of_codes(case, values, [interval.edges[1:-1] for interval in intervals])


def _of_codes(case: Case, values: np.ndarray, thresholds: list[np.ndarray]) -> Continuous:
    """Return values of codes, of which the discrete variables keep theirs."""
    for i, name in enumerate(case.cardinalities):
        if name in case.discrete:
            values[:, i] = case.codes[:, i]
            thresholds[i] = np.arange(len(thresholds[i])) + 0.5
    return Continuous(values, thresholds, case.discrete)


def measured_columns(continuous: Continuous, case: Case, *, measured: Mapping[str, Any] | None = None) -> Continuous:
    """Return what is seen of the continuous columns; their scales are those of the network and replicate.

    Measured has the options of `Measurement`.
    """
    if not measured:
        return continuous
    how, names = Measurement(**measured), sorted(case.cardinalities)
    scales = dict(zip(names, how.scales(len(names), case.origin.of_network("scales")), strict=True))
    values, thresholds = continuous.values.copy(order="F"), list(continuous.thresholds or ())
    errors = case.origin.of_values("measurement").standard_normal(values.shape[::-1]).T if how.error else None
    rng = case.origin.of_values("counts")
    for i, name in enumerate(case.cardinalities):
        if name in continuous.discrete:
            continue
        if errors is not None:
            values[:, i] += how.error * values[:, i].std() * errors[:, i]
        if continuous.thresholds is None:
            values[:, i] = measure(values[:, i], how, float(scales[name]), rng=rng)[0]
        else:
            values[:, i], thresholds[i] = measure(values[:, i], how, float(scales[name]), thresholds[i])
    return Continuous(values, continuous.thresholds and thresholds, continuous.discrete)


def without_gaps(
    values: np.ndarray, discrete: np.ndarray, origin: Origin, *, missing: Mapping[str, Any] | None = None
) -> np.ndarray:
    """Return values of which some cells were missing, and were imputed or dropped with their records.

    Missing has the options of `with_gaps` and of `treated`.
    """
    if not missing:
        return values
    gapped = with_gaps(values, origin.of_values("gaps"), **accepted(with_gaps, missing))
    return treated(gapped, values, discrete, origin.of_values("impute"), **accepted(treated, missing))


# By kind: the function that makes the values, and those whose options it takes too.
def variance_shares(nats: np.ndarray) -> np.ndarray:
    """Return the share of its variance that a variable owes to its parents if they tell so many nats, float64 [n].

    Of a normal variable that is its signal plus normal noise the information is -log(1 - share) / 2. At most `MOST`, so
    that nothing is nearly a function of its parents.
    """
    return np.minimum(1 - np.exp(-2 * nats), MOST)


EVERY: tuple[Callable, ...] = (stay_discrete, measured_columns, in_order, without_gaps)
LEVELS: tuple[Callable, ...] = (*EVERY, to_predict, learned_from)
NOISES: dict[str, tuple[Callable, ...]] = {
    "gaussian": (gaussian_noise, *EVERY),
    "latent_normal": (latent_normal, *LEVELS),
    "truncated_gaussian": (truncated_gaussian, *LEVELS),
    "uniform": (uniform, *LEVELS),
    "beta": (beta, *LEVELS),
    "linear_sem": (linear_sem, *EVERY),
    "additive_sem": (smooth_sem, *EVERY),
    "nonadditive_sem": (smooth_sem, *EVERY),
    "own_sem": (own_sem, *EVERY),
}


def check_noise(options: Mapping[str, Any]) -> None:
    """Raise InputError for options of a noise that do not go together."""
    measured = options.get("measured") or {}
    for key, value in {**options, **measured}.items():
        if isinstance(value, list) and value[0] > value[1]:
            raise InputError(f"{key}: the lower end of the range comes first, got {value}")
    if options.get("discrete") and options["kind"] == "own_sem":
        raise InputError("discrete: all variables of a Gaussian network are continuous; leave the key out")
    if options.get("discrete") and options.get("targets"):
        raise InputError("discrete: targets say already which variables stay discrete; leave one of them out")
    if options.get("test") and measured:
        raise InputError("measured: scales and limits are those of all records, so that none can be held out")
    if sum(bool(measured.get(key)) for key in ("step", "answers", "counts")) > 1:
        raise InputError("measured: a column is rounded (step), an answer (answers) or a count (counts); keep one")
    if measured.get("counts") and not options["kind"].endswith("_sem"):
        raise InputError("measured: counts: levels have no rates; use a noise of equations, such as linear_sem")
    if measured.get("below", 0) + measured.get("above", 0) > MOST_BEYOND:
        raise InputError(f"measured: below and above: at most {100 * MOST_BEYOND:g} % of the records are beyond limits")
    if (measured.get("skew") or [0])[-1] > MOST_SKEWED:
        raise InputError(f"measured: skew: a scale is at most {MOST_SKEWED:g} skewed")

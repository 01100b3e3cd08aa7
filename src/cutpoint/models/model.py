"""A fitted network: tables over the levels of a learned discretization, in the units of the data."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator
from cutpoint.base.text import first_of, listed
from cutpoint.data.cells import text_of
from cutpoint.data.columns import INDEX
from cutpoint.data.frames import Records, cells_of, coded, records_of
from cutpoint.data.table import Table
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.thresholds import spoken
from cutpoint.models import writing
from cutpoint.models.effects import Effects, effects, mutilated
from cutpoint.models.fitted import Fitted, drawn, expected, log_family
from cutpoint.models.inference import SAMPLES, Inference, check_mapping, is_open, likelihood, observed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_DRAWN = 2**31  # cells of a sample
Likelihoods = Mapping[int, np.ndarray]  # of the levels, by the places of variables
SHOWN = 30  # variables that are listed one by one


@dataclass(frozen=True, eq=False, repr=False)
class Model(Fitted):
    """A discrete Bayesian network fitted to records, with the thresholds by which it discretizes new records.

    Records are what `cutpoint.encode` takes; a state that was not learned is refused. Its attributes are those of
    `cutpoint.models.fitted.Fitted`.

    Examples:
        >>> float(model.predict({"x0": 1.0}, "x2").round(2))
        0.61
        >>> model.effects("x0", "x2").least.round(2)
        array([-0.96, -0.14, -0.14])
    """

    def __repr__(self) -> str:
        fitted = "" if self.records is None else f", fitted to {self.records} records"
        prior = "" if self.ess is None else f", equivalent sample size {self.ess:g}"
        lines = [repr(self.network).replace("<Network", "<Model").removesuffix(">") + f"{fitted}{prior}>"]
        lines += [f"note: {self.note}"] if self.note else []
        for i, name in enumerate(self.variables[:SHOWN]):
            parents = [self.variables[j] for j in self.network.parents[i]]
            curve = f"; {self.curves[name].kind}" if name in self.curves else ""
            of_parents = f"  (given {listed(parents)}{curve})" if parents else ""
            lines.append(f"  {name}: {first_of(self.network.states[i])}{of_parents}")
        left = len(self.variables) - SHOWN
        return "\n".join(lines + ([f"... and {left} more variables"] if left > 0 else []))

    def encode(self, data: Any) -> np.ndarray:
        """Return the codes of records, int32 [M, n], or of a single one [n]; see `cutpoint.encode`."""
        return self.thresholds.encode(data)

    def label(self, data: Any) -> Any:
        """Return records with names of levels for other programs: an Arrow table, or a dict of a single one."""
        codes = np.atleast_2d(self.encode(data))
        columns = zip(self.variables, self.network.states, codes.T, strict=True)
        names = {name: [states[code] for code in column] for name, states, column in columns}
        return {name: texts[0] for name, texts in names.items()} if records_of(data).single else pa.table(names)

    def query(self, target: str | Sequence[str], evidence: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the exact posterior of a variable given others.

        Args:
            target: a variable, or several, each of which is answered by itself.
            evidence: values by variable: numbers in the units of the data, states, or names of levels. A tuple ``(5,
                10)`` is an interval of values, of which either end may be infinite: each level has the likelihood of
                its share of the smoothed density in there, or, in a model from a file without densities, of its width.
                A list or set is one of these states or names of levels. A dict has the likelihood of each state or
                name of a level, the probability of what was observed given it; others have 0 (virtual evidence). None
                and NaN are no evidence.

        Returns:
            Probabilities by level; for several targets these by variable. An InputError names an unknown variable or
            state, a target among the evidence, impossible evidence, or ends of an interval that do not rise.
        """
        certain, likelihoods = self._parted(evidence or {})
        values = {self.place(name): self._code(name, value) for name, value in certain.items()}
        codes = np.array([[*values.values()]], np.int64).reshape(1, len(values))
        several = isinstance(target, Iterable) and not isinstance(target, str)
        names: Any = target if several else [target]
        answers = {name: self._posteriors(self.place(name), [*values], codes, likelihoods)[0] for name in names}
        states = {name: self.network.states[self.place(name)] for name in names}
        named = {name: dict(zip(states[name], row.tolist(), strict=True)) for name, row in answers.items()}
        return named if several else named[target]

    def _code(self, name: str, value: Any, what: str = "evidence") -> int:
        place, where = self.place(name), f"{what}: {name}"
        if isinstance(value, str) and value in self.network.states[place]:
            return self.network.states[place].index(value)
        states = self.thresholds.states.get(name)
        code = coded(cells_of(name, [value]), states, where)[0]
        return int(code if states else np.searchsorted(self.thresholds[place], code, side="right"))

    def _parted(self, evidence: Mapping[str, Any]) -> tuple[dict[str, Any], dict[int, np.ndarray]]:
        """Return the values that are certain, and the likelihoods of the others by the places of their variables."""
        check_mapping(evidence, "evidence")
        rest = [name for name, value in evidence.items() if is_open(value)]
        certain = {name: v for name, v in evidence.items() if name not in rest and text_of(v) is not None}
        return certain, {self.place(name): likelihood(self, name, evidence[name]) for name in rest}

    def _posteriors(self, target: int, evidence: Sequence[int], codes: np.ndarray, more: Likelihoods) -> np.ndarray:
        if target in (*evidence, *more):
            raise InputError(f"{self.variables[target]} is target and evidence; leave it out of one of them")
        network = observed(self.network, more)
        added = range(len(self.variables), len(network.variables))
        engine = Inference(network)
        answer = engine.posteriors(target, [*evidence, *added], np.pad(codes, ((0, 0), (0, len(added)))))
        if engine.error:
            about = f"{self.variables[target]}: by {SAMPLES:,} weighted samples, standard error {engine.error:.2g}"
            warnings.warn(f"{about}; the network is too wide for exact probabilities", stacklevel=4)
        return answer

    def probabilities(self, data: Any, target: str) -> np.ndarray:
        """Return the posterior of a variable in each record given the other values of the record.

        Args:
            data: records as for `encode`; columns with names may be missing, and that of the target is not read. A
                missing cell is no evidence. A dict may hold intervals, sets and likelihoods, as for `query`.
            target: a variable. The answer is float64 [M, r], or [r] for one record, by levels of ``network.states``.
        """
        place = self.place(target)
        values, chosen, likelihoods, single = self._evidence(data, place)
        shares = self._shares(place, values, chosen, likelihoods)
        return shares[0] if single else shares

    def _shares(self, target: int, values: np.ndarray, chosen: Sequence[int], more: Likelihoods) -> np.ndarray:
        """Return the posterior of a variable in each record, float64 [M, r]; a missing value is no evidence."""
        absent = np.isnan(values)
        codes = np.where(absent, -1, encode(np.where(absent, 0, values), self.thresholds.of(chosen)))
        return self._posteriors(target, chosen, codes, more)

    def _evidence(self, data: Any, target: int) -> tuple[np.ndarray, list[int], dict[int, np.ndarray], bool]:
        """Return values of other variables, float64 [M, k], their places, likelihoods, and whether it is one record."""
        likelihoods: dict[int, np.ndarray] = {}
        if isinstance(data, Mapping):
            others = {name: cell for name, cell in data.items() if name != self.variables[target]}
            data, likelihoods = self._parted(others)
        records = records_of(data)
        evidence, chosen = self._without(records, target)
        values = self.thresholds.of(chosen).values_of(evidence, gaps=True)
        return values.reshape(1, -1) if records.single else values, chosen, likelihoods, records.single

    def _without(self, records: Records, target: int) -> tuple[Records, list[int]]:
        """Return the columns that are evidence and the places of their variables."""
        if records.names is None:
            records.matched(None, len(self.variables))  # refuses another number of columns
        unread = {self.variables[target], *({*INDEX} - {*self.variables})}
        names = self.variables if records.names is None else records.names  # which may be empty
        kept = [(name, cells) for name, cells in zip(names, records.columns, strict=True) if name not in unread]
        chosen = replace(records, names=[name for name, _ in kept], columns=[cells for _, cells in kept])
        return chosen, [self.place(name) for name, _ in kept]

    def predict(self, data: Any, target: str) -> Any:
        """Return the prediction of a variable in each record given the other values of the record.

        For a discrete variable it is the most probable state. That of a continuous one is its mean: by the curves of
        its family and its children's where the record has the values of all that they join it with, else that of the
        records of each level, weighted by the probabilities of the levels. It is in the units of the data.

        Args:
            data, target: as of `probabilities`. The answer is an array [M] of texts or float64; one value of a record.
        """
        place = self.place(target)
        values, chosen, likelihoods, single = self._evidence(data, place)
        if target not in self.scales:
            shares = self._shares(place, values, chosen, likelihoods)
            answer = np.array(self.network.states[place], object)[shares.argmax(-1)]
        else:
            answer = self._by_curves(place, values, chosen) if not likelihoods else np.full(len(values), np.nan)
            if (rest := np.isnan(answer)).any():
                shares = self._shares(place, values[rest], chosen, likelihoods)
                answer[rest] = shares @ self.scales[target].means
        return answer[0] if single else answer

    def _by_curves(self, target: int, values: np.ndarray, chosen: Sequence[int]) -> np.ndarray:
        """Return the means of a variable by the curves around it; NaN where there are none, or too little is seen."""
        wide = np.full((len(values), len(self.variables)), np.nan)
        wide[:, chosen] = values
        patterns, group = np.unique(np.isnan(wide), axis=0, return_inverse=True)
        means = np.full(len(values), np.nan)
        for k, absent in enumerate(patterns if self.curves else ()):
            rows = np.flatnonzero(group.reshape(-1) == k)
            found = expected(self, target, wide[rows], np.flatnonzero(~absent).tolist())
            means[rows] = np.nan if found is None else found
        return means

    def do(self, values: Mapping[str, Any]) -> "Model":
        """Return the model after interventions that set variables, by the truncated factorization (Pearl 2009, 3.2).

        A variable that is set has one level and no parents; all other tables stay. `query`, `predict` and `sample` of
        it answer "what if it is set", those of this model "what if it is seen". That is right if the arcs are causes,
        no common cause of two variables is missing, and a value that is set does what its level does on average.

        Args:
            values: by variable: numbers in the units of the data, states, or names of levels; InputError for others.
        """
        check_mapping(values, "do")
        if open_ones := [name for name, value in values.items() if is_open(value)]:
            raise InputError(f"do: {open_ones[0]}: is set to one value or state, not {values[open_ones[0]]}")
        levels = {self.place(name): self._code(name, value, "do") for name, value in values.items()}
        what = ", ".join(f"{self.variables[i]} = {self.network.states[i][code]}" for i, code in levels.items())
        note = "; ".join(filter(None, [self.note, f"do({what})"]))
        families = [{i, *parents} for i, parents in enumerate(self.network.parents)]
        curves = {name: curve for name, curve in self.curves.items() if not families[self.place(name)] & {*levels}}
        network = mutilated(self.network, levels)
        settled = tuple([(self.variables[i], self.variables[j]) for i, j in np.argwhere(network.dag)])
        return replace(self, network=network, note=note, curves=curves, settled=settled)

    def effects(self, cause: str, outcome: str) -> Effects:
        """Return the effects of setting one variable on another, over all graphs of `pattern`.

        Graphs of a Markov equivalence class have the same distribution and differ in the parents of the cause. For each
        set of parents that it has in one of them the effect is sum over u of P(parents = u) P(outcome | cause, parents
        = u), as of the truncated factorization of that graph (IDA: Maathuis, Kalisch and Bühlmann 2009). It rests on
        the assumptions of `do`, but not on knowing which graph of the class is the true one.

        Of a model after `do` it is one graph. An unknown variable is an InputError, as is a level that never occurs.
        """
        return effects(self, self.place(cause), self.place(outcome))

    def log_likelihood(self, data: Any) -> np.ndarray:
        """Return the log density of each record on the scale of the data, float64 [M], in nats.

        A variable without parents has the smoothed marginal density g of the records that the model was fitted to
        (`cutpoint.models.density`). Parents change it by a curve, which has the density of the regression, or by a
        table, in which g holds within each level; see `cutpoint.models.fitted.log_family`. A model that was read from
        a file without densities is an InputError.
        """
        values = self.thresholds.read(data)
        total = np.zeros(len(values))
        for i, name in enumerate(self.variables):
            total += log_family(self, i, values)
            if name in self.scales:
                total += self.density(name).log_density(values[:, i])
        return total

    def sample(self, n: int, seed: int = 0) -> Table:
        """Draw records from the model, in the units of the data.

        Each variable is drawn given its parents, by its curve, or by its table and within a level by the smoothed
        marginal density, see `log_likelihood`. The tails of that density are those of a Cauchy distribution, so that a
        value may lie far outside the range of the data. n: the number of records; seed: of the generator.
        """
        most = MAX_DRAWN // len(self.variables)
        if not isinstance(n, int | np.integer) or not 0 <= n <= most:
            raise InputError(f"n: at most {most} records are drawn at once, and no fewer than 0, not {n!r}")
        names, levels = tuple(self.variables), dict(self.thresholds.states)
        values, discrete = drawn(self, n, generator(seed)), self.thresholds.discrete
        return Table(source="the sample", variables=names, values=values, discrete=discrete, levels=levels)

    write = writing.write
    to_pyagrum = writing.to_pyagrum
    to_networkx = writing.to_networkx

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz."""
        return writing.dot(self.variables, self.dag)

    def plot(self) -> "Figure":
        """Return a figure of the graph: each variable with its levels and their probabilities."""
        engine, nothing, shares = Inference(self.network), np.zeros((1, 0), np.int64), []
        for i, (name, states) in enumerate(zip(self.variables, self.network.states, strict=True)):
            levels = map(spoken, states) if name in self.scales else states
            shares.append(dict(zip(levels, engine.posteriors(i, [], nothing)[0].tolist(), strict=True)))
        return writing.figure(self.variables, self.dag, shares)

    def _repr_svg_(self) -> str:
        return writing.svg(self.plot())

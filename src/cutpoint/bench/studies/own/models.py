"""The network of every method that has thresholds, fitted to all records, in files that other programs read."""

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.table import Cell
from cutpoint.bench.data.parquet import array
from cutpoint.bench.engine.inputs import Data, Inputs
from cutpoint.bench.studies.own.columns import times
from cutpoint.bench.studies.own.outcomes import Outcome, data
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.dags import find_cycle
from cutpoint.graphs.frequencies import EdgeFrequencies
from cutpoint.knowledge.knowledge import Knowledge
from cutpoint.learners.learned import Learned, Uncertainty
from cutpoint.models.fitting import fit
from cutpoint.models.model import Model


def network_cell(inputs: Inputs, outcome: Outcome, shares: EdgeFrequencies | None) -> Cell:
    """Return whether a method has a fitted network, or why it has none."""
    if outcome.graph is None:
        return Cell(reason=outcome.reason)
    if outcome.thresholds is None:
        return Cell("no levels")
    try:
        fitted(outcome, data(inputs), inputs.scale.seed, shares)
    except InputError as problem:
        return Cell(f"no: {problem}")
    return Cell("yes")


def fitted(outcome: Outcome, about: Data, seed: int, shares: EdgeFrequencies | None) -> Model:
    """Return the network of what a method learned, its tables estimated from all records, gaps filled in by a seed."""
    assert outcome.thresholds is not None
    cuts = [
        np.arange(len(about.levels[name]) - 1) + 0.5 if name in about.levels else lists
        for name, lists in zip(about.variables, outcome.thresholds, strict=True)
    ]
    states = {name: tuple(levels) for name, levels in about.levels.items()}
    names = list(about.variables)
    learned = Learned(
        outcome.graph, thresholds=Thresholds(cuts, names, states, times(about)), variables=names, kinds=outcome.kinds
    )
    if outcome.learned is not None and not find_cycle(outcome.learned):
        learned.dag = outcome.learned
    learned.uncertainty = Uncertainty(shares) if shares else None
    learned.knowledge = Knowledge(about.knowledge) if about.knowledge else None
    return fit(learned, records(about), missing="impute" if np.isnan(about.values).any() else "refuse", seed=seed)


def records(about: Data) -> pa.Table:
    """Return the data as a user has them: text in discrete columns, None where it is missing, numbers in the others."""
    columns = {}
    for name, discrete, values in zip(about.variables, about.discrete, about.values.T, strict=True):
        cells = [None if np.isnan(code) else about.levels[name][int(code)] for code in values] if discrete else values
        columns[name] = array(cells, pa.string() if discrete else pa.float64())
    return pa.table(columns)

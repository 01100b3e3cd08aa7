"""Comparisons of the methods on the runs of one grid: the blocks of the tests, means and ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from cutpoint.bench.engine import declaration as form
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.numbers import blocks_of, cells_of, cube, inputs_of, runs_by_data
from cutpoint.bench.statistics.estimates import Statistic, jackknife, mean
from cutpoint.bench.statistics.ranks import Friedman, average_ranks, complete, friedman


@dataclass(frozen=True)
class Contest:
    """The runs of one grid as they are compared.

    Where replicates are `apart`, each is a block of the tests; else a block is the mean over the replicates of a cell.
    """

    inputs: Inputs  # whose runs
    spec: form.ContestSpec  # what they are compared by
    values: np.ndarray  # float64 [M, G, R], means over cells that share their replicates, NaN where one of them failed
    present: np.ndarray  # bool [G, R]

    @cached_property
    def kept(self) -> np.ndarray:
        """The methods compared by ranks, int [K]: those with a value on three quarters of the data sets or more.

        References are not compared.
        """
        competes = np.array([method.competes for method in self.inputs.methods], bool)
        return np.intersect1d(complete(self.values[:, self.present].T)[0], np.flatnonzero(competes))

    @cached_property
    def shared(self) -> np.ndarray:
        """The values on the data sets that every kept method has one on, float64 [M, G, R], NaN elsewhere."""
        return np.where(np.isfinite(self.values[self.kept]).all(0), self.values, np.nan)

    def tested(self, values: np.ndarray) -> np.ndarray:
        """Return values [M, G, R] by block, float64 [M, B, R']: a replicate each if they are apart, else a cell."""
        return values[:, self.present][:, :, None] if self.spec.apart else values

    @cached_property
    def blocks(self) -> np.ndarray:
        """The values that the ranks compare, float64 [B, M]: means over `shared`, NaN for methods not kept."""
        means = np.full(self.tested(self.values).shape[:2], np.nan)
        means[self.kept] = mean(self.tested(self.shared)[self.kept], 2)
        return means.T

    @cached_property
    def friedman(self) -> Friedman | None:
        """The comparison by ranks of the blocks, None where there is too little to compare."""
        whole = np.isfinite(self.blocks).any(1)
        return friedman(self.blocks[whole], lower_is_better=self.spec.lower_is_better)

    @cached_property
    def means(self) -> np.ndarray:
        """The mean of every method over the cells, float64 [M].

        Kept methods are compared on the data sets that they share; the others have their own, and so do all where no
        data set is shared.
        """
        own, paired = (mean(mean(values, 2), 1) for values in (self.values, self.shared))
        return np.where(np.isin(np.arange(len(own)), self.kept) & np.isfinite(paired), paired, own)

    @property
    def missing(self) -> str:
        """Why there are no runs at all, or ""."""
        return self.inputs.missing(self.spec.grid)

    @property
    def replicates(self) -> int | str:
        """How many replicates the runs have, as `RunScale` says it."""
        return self.inputs.scale_of(self.spec.grid).replicates

    def units(self) -> int:
        """Return the smallest number of replicates in a cell, 0 without cells."""
        return int(self.present.sum(1).min()) if self.present.size else 0

    @cached_property
    def ranked(self) -> np.ndarray:
        """The ranks of the kept methods in each data set, float64 [K, G, R], NaN where one has no value."""
        values = self.shared[self.kept]
        ranks = average_ranks(values.transpose(1, 2, 0), lower_is_better=self.spec.lower_is_better).transpose(2, 0, 1)
        return np.where(np.isfinite(values).all(0), ranks, np.nan)

    @cached_property
    def mean_ranks(self) -> Statistic:
        """The mean over cells of the mean ranks over data sets, [K]."""
        return jackknife(self.ranked, blocks=range(len(self.present))).mean(1)


@once
def declared_contest(inputs: Inputs, name: str) -> Contest:
    """Return a comparison that the study declares."""
    row = inputs.study.contests[name]
    return contest(inputs_of(inputs, row.of), row)


def contest(inputs: Inputs, spec: form.ContestSpec) -> Contest:
    """Return the comparison of the methods on the runs of one grid."""
    data = runs_by_data(inputs, spec.grid, spec.metric, tuple(spec.cells))
    label = dict(zip(cells_of(data), blocks_of(inputs, data), strict=True))
    place = {block: i for i, block in enumerate(dict.fromkeys(label.values()))}
    sets = [(place[label[cell]], replicate) for *key, replicate in data.columns if (cell := tuple(key))]
    by_block = data.set_axis(pd.MultiIndex.from_tuples(sets, names=["block", "replicate"]), axis=1)
    joined = by_block.T.groupby(level=[0, 1]).mean(skipna=False).T  # NaN where a run of one of the cells failed
    return Contest(
        inputs=inputs,
        spec=spec,
        values=cube(joined)[0],
        present=np.isfinite(cube(joined.iloc[:1].notna().astype(float))[0][0]),
    )

"""The discretizers as scikit-learn transformers, for use in its pipelines.

>>> from cutpoint.estimators import EqualFrequencyDiscretizer
>>> EqualFrequencyDiscretizer(bins=2).fit_transform([[1.0], [2.0], [3.0], [4.0]]).ravel()
array([0, 0, 1, 1], dtype=int32)

All columns are continuous; let others bypass them in a ColumnTransformer. scikit-learn is an optional dependency
of the package, and this is the only module that imports it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

try:
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.utils.validation import check_array, check_is_fitted, validate_data
except ImportError:
    raise ImportError("cutpoint.estimators needs scikit-learn: pip install 'bn-cutpoint[sklearn]'") from None

from cutpoint import api
from cutpoint.base.errors import InputError
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.labels import interval_labels
from cutpoint.models.fitting import level_means


class _Thresholds(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """A transformer of values into codes by thresholds that it finds when it is fitted.

    Attributes:
        thresholds_: n sorted float64 arrays, as of `cutpoint.discretize`.
        bin_edges_: the same between the least and the greatest value of each column, as of KBinsDiscretizer.
        labels_: the names of the levels of each column, such as ``lt_1.5``, ``from_1.5_to_3``, ``ge_3``.
        means_: the mean of the values that were learned from in each level, by column.
        n_features_in_, feature_names_in_: as everywhere in scikit-learn.
    """

    _least: ClassVar[int] = 1  # records

    def fit(self, X: Any, y: Any = None) -> Any:
        """Find the thresholds.

        Args:
            X: [N, n] array or data frame of finite numbers.
            y: not read.

        Raises:
            ValueError: for values that are no finite numbers or, as `cutpoint.InputError`, a wrong option.
        """
        values = validate_data(self, X, dtype=np.float64, ensure_min_samples=self._least)
        self.thresholds_ = self._find(values)
        self.bin_edges_ = [
            np.concatenate([[x.min()], cuts, [x.max()]]) for x, cuts in zip(values.T, self.thresholds_, strict=True)
        ]
        self.labels_ = [interval_labels(cuts) for cuts in self.thresholds_]
        codes = encode(values, self.thresholds_)
        self.means_ = [level_means(*column) for column in zip(values.T, codes.T, self.thresholds_, strict=True)]
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return codes, int32 [N, n]: x has code k when t_k <= x < t_(k+1); values beyond the edges go to the ends."""
        check_is_fitted(self)
        return encode(validate_data(self, X, dtype=np.float64, reset=False), self.thresholds_)

    def inverse_transform(self, X: Any) -> np.ndarray:
        """Return numbers for codes, float64 [N, n]: the mean of the values that were learned from in each level.

        Args:
            X: [N, n] array or data frame of codes, as `transform` returns them.

        Raises:
            ValueError: for codes that are none, with the column, or another number of columns.
        """
        check_is_fitted(self)
        codes = check_array(X, dtype=np.float64)
        if codes.shape[1] != len(self.means_):
            raise ValueError(f"X has {codes.shape[1]} columns; {len(self.means_)} are expected")
        for i, (column, means) in enumerate(zip(codes.T, self.means_, strict=True)):
            if not np.isin(column, np.arange(len(means))).all():
                raise ValueError(f"column {i}: codes from 0 to {len(means) - 1} are expected")
        places = codes.astype(np.int64).T
        return np.column_stack([means[column] for column, means in zip(places, self.means_, strict=True)])

    @abstractmethod
    def _find(self, values: np.ndarray) -> list[np.ndarray]:
        """Return the thresholds of checked values, float64 [N, n]."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # codes are integers
        return tags


class _Discretizer(_Thresholds):
    """A discretizer of `cutpoint.method.registry.DISCRETIZERS`; its parameters are the options of the function."""

    _name: ClassVar[str]

    def _find(self, values: np.ndarray) -> list[np.ndarray]:
        discrete = np.zeros(values.shape[1], bool)
        return api.find_thresholds(values, discrete, self._name, self.get_params(), type(self).__name__)


class EqualWidthDiscretizer(_Discretizer):
    """Intervals of equal width; see `cutpoint.discretization.binning.equal_width`.

    Args:
        bins: number of levels.
    """

    _name = "equal_width"

    def __init__(self, bins: int = 3):
        self.bins = bins


class EqualFrequencyDiscretizer(_Discretizer):
    """Levels of equally many records; see `cutpoint.discretization.binning.equal_frequency`.

    Args:
        bins: number of levels.
    """

    _name = "equal_frequency"

    def __init__(self, bins: int = 3):
        self.bins = bins


class HarteminkDiscretizer(_Discretizer):
    """Levels merged at the least loss of mutual information; see `cutpoint.discretization.hartemink.hartemink`.

    Args:
        bins: number of levels to stop at.
        initial: start from this many levels of equal frequency; None: from one per distinct value.
        order: in which variables merge: "columns" as they come, "stable" one that depends on their values alone.
    """

    _name = "hartemink"

    def __init__(self, bins: int = 3, initial: int | None = None, order: str = "columns"):
        self.bins, self.initial, self.order = bins, initial, order


class RuichuDiscretizer(_Discretizer):
    """Levels between the components of Gaussian mixtures; see `cutpoint.discretization.mixtures.ruichu`.

    Args:
        min_levels: fewest components.
        max_levels: most components.
    """

    _name = "ruichu"

    def __init__(self, min_levels: int = 2, max_levels: int = 8):
        self.min_levels, self.max_levels = min_levels, max_levels


class KMeansDiscretizer(_Discretizer):
    """Clusters of least variance; see `cutpoint.discretization.kmeans.kmeans`.

    Args:
        bins: number of levels.
    """

    _name = "kmeans"

    def __init__(self, bins: int = 3):
        self.bins = bins


class MDLHistogramDiscretizer(_Discretizer):
    """Levels with the shortest description; see `cutpoint.discretization.mdl_histogram.mdl_histogram`.

    Args:
        accuracy_share: accuracies to a range, at most.
        max_levels: most levels.
    """

    _name = "mdl_histogram"

    def __init__(self, accuracy_share: int = 200, max_levels: int = 20):
        self.accuracy_share, self.max_levels = accuracy_share, max_levels


class BayesianBlocksDiscretizer(_Discretizer):
    """Blocks of constant density; see `cutpoint.discretization.bayesian_blocks.bayesian_blocks`.

    Args:
        p0: probability of a threshold where the density is constant.
    """

    _name = "bayesian_blocks"

    def __init__(self, p0: float = 0.05):
        self.p0 = p0


class DensityLadderDiscretizer(_Discretizer):
    """Levels between the modes of a density; see `cutpoint.discretization.density_ladder.density_ladder`.

    Args:
        bins: number of the simpler levels.
    """

    _name = "density_ladder"

    def __init__(self, bins: int = 3):
        self.bins = bins


class SturgesDiscretizer(_Discretizer):
    """Equal widths, as many as Sturges' rule says; see `cutpoint.discretization.histogram_rules.sturges`.

    Args:
        max_levels: most levels.
    """

    _name = "sturges"

    def __init__(self, max_levels: int = 60):
        self.max_levels = max_levels


class ScottDiscretizer(_Discretizer):
    """Equal widths by Scott's rule; see `cutpoint.discretization.histogram_rules.scott`.

    Args:
        max_levels: most levels.
    """

    _name = "scott"

    def __init__(self, max_levels: int = 60):
        self.max_levels = max_levels


class FreedmanDiaconisDiscretizer(_Discretizer):
    """Equal widths by Freedman and Diaconis; see `cutpoint.discretization.histogram_rules.freedman_diaconis`.

    Args:
        max_levels: most levels.
    """

    _name = "freedman_diaconis"

    def __init__(self, max_levels: int = 60):
        self.max_levels = max_levels


class IntegratedDiscretizer(_Thresholds):
    """Thresholds that are learned together with a Bayesian network of the columns; see `cutpoint.learn`.

    Args:
        method: a row of `cutpoint.method` that has thresholds, such as "steck3".
        options: replace those of the row, such as ``{"ess": 5.0}``.

    Attributes:
        graph_: bool [n, n], the CPDAG of the learned network (a pattern for PC), columns in the order of X.
    """

    _least = 2

    def __init__(self, method: str = "steck3", options: Mapping[str, Any] | None = None):
        self.method, self.options = method, options

    def _find(self, values: np.ndarray) -> list[np.ndarray]:
        learned = api.learn(values, self.method, **(self.options or {}))
        if learned.thresholds is None or learned.cpdag is None:
            raise InputError(
                f"IntegratedDiscretizer: {self.method} has no thresholds; choose a method that discretizes"
            )
        self.graph_ = learned.cpdag
        return learned.thresholds

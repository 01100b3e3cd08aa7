"""Discretization as a scikit-learn transformer, for use in its pipelines.

All columns are continuous; let others bypass them in a ColumnTransformer. scikit-learn is an optional dependency
of the package, and this is the only module that imports it.

Examples:
    >>> from cutpoint.estimators import Discretizer
    >>> Discretizer("equal_frequency", bins=2).fit_transform([[1.0], [2.0], [3.0], [4.0]]).ravel()
    array([0, 0, 1, 1], dtype=int32)
"""

from functools import partial
from typing import Any, Self

import numpy as np

try:
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_array, check_is_fitted, validate_data
except ImportError:
    raise ImportError("cutpoint.estimators needs scikit-learn: pip install 'bn-cutpoint[sklearn]'") from None

from cutpoint import api
from cutpoint.base.checking import check_options
from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.design import repeated
from cutpoint.data.table import Table
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.supervised import CRITERIA, divided
from cutpoint.discretization.thresholds import interval_labels
from cutpoint.method.functions import parameters_of
from cutpoint.method.registry import DISCRETIZERS
from cutpoint.method.rows import method_rows
from cutpoint.models.families import level_means


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """A transformer that discretizes values into integer codes, by thresholds learned in `fit`.

    Args:
        method: of `cutpoint.discretize`, or one of `cutpoint.methods` that has thresholds, such as "steck3", which
            learns them together with a Bayesian network of the columns.
        options: of the method, such as ``bins=3``; they are parameters of the estimator and checked when it is fitted.

    Attributes:
        thresholds_: n sorted float64 arrays, as of `cutpoint.discretize`.
        bin_edges_: the same between the least and the greatest value of each column, as of KBinsDiscretizer.
        labels_: the names of the levels of each column, such as ``lt_1.5``, ``from_1.5_to_3``, ``ge_3``.
        means_: the mean of the training values in each level, by column.
        graph_: bool [n, n], the CPDAG of the learned network (a pattern for PC), where the method learns one.
        n_features_in_, feature_names_in_: as everywhere in scikit-learn.
    """

    def __init__(self, method: str = "equal_frequency", **options: Any):
        self.method = method
        self.__dict__.update(options)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the method and those options that were set."""
        return {key: value for key, value in vars(self).items() if not key.startswith("_") and not key.endswith("_")}

    def set_params(self, **params: Any) -> Self:
        """Set the method, or options by their names."""
        self.__dict__.update(params)
        return self

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learn the thresholds from an array [N, n] or data frame of finite numbers; y is ignored.

        sample_weight: how many equal records each one stands for, whole numbers [N]. Other values are a ValueError, as
        are a wrong method or option, a `cutpoint.InputError`.
        """
        options = self.get_params()
        method = options.pop("method")
        learns = method not in DISCRETIZERS and method in method_rows()
        values = validate_data(self, X, dtype=np.float64, ensure_min_samples=2 if learns else 1)
        values = values[repeated(sample_weight, *values.shape)]
        if learns:
            learned = api.learn(values, method, **options)
            if learned.thresholds is None or learned.cpdag is None:
                raise InputError(f"Discretizer: {method} has no thresholds; choose a method that discretizes")
            self.thresholds_, self.graph_ = learned.thresholds, learned.cpdag
        else:
            n = values.shape[1]  # not `read_table`: a constant column is no fault here
            names, discrete = tuple(f"x{i}" for i in range(n)), np.zeros(n, bool)
            table = Table(source="X", variables=names, values=values, discrete=discrete, levels={}, named=False)
            self.thresholds_ = api.thresholds_of(table, method, options, f"Discretizer: {method}")
        return self._describe(values)

    def _describe(self, values: np.ndarray) -> Any:
        """Set the edges, labels and means of the levels from thresholds and values."""
        columns = zip(values.T, self.thresholds_, strict=True)
        self.bin_edges_ = [np.concatenate([[x.min()], cuts, [x.max()]]) for x, cuts in columns]
        self.labels_ = [interval_labels(cuts) for cuts in self.thresholds_]
        codes = encode(values, self.thresholds_)
        self.means_ = [level_means(*column) for column in zip(values.T, codes.T, self.thresholds_, strict=True)]
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return codes, int32 [N, n]: x has code k when t_k <= x < t_(k+1); values beyond the edges go to the ends."""
        check_is_fitted(self)
        return encode(validate_data(self, X, dtype=np.float64, reset=False), self.thresholds_)

    def inverse_transform(self, X: Any) -> np.ndarray:
        """Return the mean of the training values in each level for codes as of `transform`, float64 [N, n].

        A ValueError names the column of invalid codes, or another number of columns.
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # codes are integers
        return tags


class SupervisedDiscretizer(Discretizer):
    """A `Discretizer` whose thresholds separate the classes of a target, each column on its own.

    Args:
        method: "mdlp" (Fayyad and Irani 1993), "modl" (Boullé 2006) or "nml" (Cabeli et al. 2020), see
            `cutpoint.discretization.class_criteria`.
        options: of the method, such as ``max_levels=5`` of "modl".

    A column that is unrelated to the classes has one level.
    """

    def __init__(self, method: str = "mdlp", **options: Any):
        super().__init__(method, **options)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        """Learn the thresholds; y: the class of each record [N], text, whole number or boolean."""
        options = self.get_params()
        method = options.pop("method")
        if method not in CRITERIA:
            raise InputError(f"SupervisedDiscretizer: unknown method {method!r}{suggest(str(method), CRITERIA)}")
        divide = CRITERIA[method]
        values, target = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(target)
        check_options(parameters_of(divide), options, f"SupervisedDiscretizer: {method}")
        rows = repeated(sample_weight, *values.shape)
        values, classes = values[rows], np.unique(target[rows], return_inverse=True)[1]
        self.thresholds_ = divided(values, classes, partial(divide, **options))
        return self._describe(values)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def __getattr__(name: str) -> Any:
    """Return a short form such as ``KMeansDiscretizer(bins=3)``, a discretizer or criterion by its name in capitals."""
    for kind, methods in ((Discretizer, DISCRETIZERS), (SupervisedDiscretizer, CRITERIA)):
        for method in methods:
            if name.casefold() == f"{method.replace('_', '')}discretizer":
                return partial(kind, method)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

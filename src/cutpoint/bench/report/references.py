"""Where each part of a method was published: what a methods section cites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

FRIEDMAN = (
    "Friedman, N. and Goldszmidt, M. (1996). Discretizing continuous attributes while learning Bayesian networks. ICML."
)
MONTI = (
    "Monti, S. and Cooper, G. F. (1998). A multivariate discretization method for learning Bayesian "
    "networks from mixed data. UAI."
)
STECK = "Steck, H. and Jaakkola, T. S. (2007). Predictive discretization during model selection. AISTATS."
MABROUK = (
    "Mabrouk, A., Gonzales, C., Jabet-Chevalier, K. and Chojnacki, E. (2015). Multivariate cluster-based "
    "discretization for Bayesian network structure learning. SUM."
)
TRAN = (
    "Tran, D. D. (2013). An efficient search strategy for aggregation and discretization of attributes of"
    " Bayesian networks using minimum description length. Master's thesis, University of Colorado at "
    "Boulder."
)
HARTEMINK = (
    "Hartemink, A. J. (2001). Principled computational methods for the validation and discovery of "
    "genetic regulatory networks. PhD thesis, MIT."
)
RUICHU = (
    "Ruichu, C., Zhifeng, H., Wen, W. and Lijuan, W. (2013). Regularized Gaussian mixture model based "
    "discretization for gene expression data association mining. Applied Intelligence 39."
)
HECKERMAN = (
    "Heckerman, D., Geiger, D. and Chickering, D. M. (1995). Learning Bayesian networks: the combination "
    "of knowledge and statistical data. Machine Learning 20."
)
COOPER = (
    "Cooper, G. F. and Herskovits, E. (1992). A Bayesian method for the induction of probabilistic "
    "networks from data. Machine Learning 9."
)
SPIRTES = "Spirtes, P., Glymour, C. and Scheines, R. (2001). Causation, prediction, and search. MIT Press."

# By the name in the registry; what is in every textbook has none.
REFERENCES: dict[str, str] = {
    "hartemink": HARTEMINK,
    "ruichu": RUICHU,
    "bdeu": HECKERMAN,
    "bic": "Schwarz, G. (1978). Estimating the dimension of a model. Annals of Statistics 6.",
    "aic": (
        "Akaike, H. (1974). A new look at the statistical model identification. IEEE Transactions on "
        "Automatic Control 19."
    ),
    "mdl": (
        "Lam, W. and Bacchus, F. (1994). Learning Bayesian belief networks: an approach based on the MDL "
        "principle. Computational Intelligence 10."
    ),
    "k2": COOPER,
    "fnml": (
        "Silander, T., Roos, T., Kontkanen, P. and Myllymaki, P. (2008). Factorized normalized maximum likelihood "
        "criterion for learning Bayesian network structures. PGM."
    ),
    "kgv": "Bach, F. R. and Jordan, M. I. (2003). Learning graphical models with Mercer kernels. NIPS 15.",
    "gaussian_bic": "Geiger, D. and Heckerman, D. (1994). Learning Gaussian networks. UAI.",
    "hill_climbing": HECKERMAN,
    "tabu": "Glover, F. (1989). Tabu search, part I. ORSA Journal on Computing 1.",
    "order_search": (
        "Teyssier, M. and Koller, D. (2005). Ordering-based search: a simple and effective algorithm for "
        "learning Bayesian networks. UAI."
    ),
    "exact": (
        "Silander, T. and Myllymaki, P. (2006). A simple approach for finding the globally optimal Bayesian "
        "network structure. UAI."
    ),
    "stable": (
        "Kitson, N. K. and Constantinou, A. C. (2024). Eliminating variable order instability in greedy score-based "
        "structure learning. PGM, PMLR 246."
    ),
    "pc_g2": SPIRTES,
    "pc_fisherz": SPIRTES,
    "friedman": FRIEDMAN,
    "friedman_exact": FRIEDMAN,
    "friedman_tabu": FRIEDMAN,
    "monti": MONTI,
    "monti_exact": MONTI,
    "steck": STECK,
    "steck_exact": STECK,
    "mgcd": MABROUK,
    "kmeans": (
        "Wang, H. and Song, M. (2011). Ckmeans.1d.dp: optimal k-means clustering in one dimension by dynamic "
        "programming. The R Journal 3."
    ),
    "mdl_histogram": "Kontkanen, P. and Myllymaki, P. (2007). MDL histogram density estimation. AISTATS.",
    "bayesian_blocks": (
        "Scargle, J. D., Norris, J. P., Jackson, B. and Chiang, J. (2013). Studies in astronomical time series "
        "analysis VI: Bayesian block representations. Astrophysical Journal 764."
    ),
    "density_ladder": "Bayesia. BayesiaLab user guide: discretization.",
    "sturges": (
        "Sturges, H. A. (1926). The choice of a class interval. Journal of the American Statistical Association 21."
    ),
    "scott": "Scott, D. W. (1979). On optimal and data-based histograms. Biometrika 66.",
    "freedman_diaconis": (
        "Freedman, D. and Diaconis, P. (1981). On the histogram as a density estimator: L2 theory. Zeitschrift fur "
        "Wahrscheinlichkeitstheorie und verwandte Gebiete 57."
    ),
    "bge": (
        "Kuipers, J., Moffa, G. and Heckerman, D. (2014). Addendum on the scoring of Gaussian directed acyclic "
        "graphical models. Annals of Statistics 42."
    ),
    "degenerate_gaussian": (
        "Andrews, B., Ramsey, J. and Cooper, G. F. (2019). Learning high-dimensional directed acyclic graphs with "
        "mixed data-types. KDD workshop on causal discovery, PMLR 104."
    ),
    "k2_search": COOPER,
    "pc_rank": (
        "Harris, N. and Drton, M. (2013). PC algorithm for nonparanormal graphical models. Journal of Machine "
        "Learning Research 14."
    ),
    "conditional_gaussian": (
        "Lauritzen, S. L. and Wermuth, N. (1989). Graphical models for associations between variables, some of which "
        "are qualitative and some quantitative. Annals of Statistics 17."
    ),
    "pc_copula": (
        "Cui, R., Groot, P. and Heskes, T. (2016). Copula PC algorithm for causal discovery from mixed data. ECML "
        "PKDD. Goebler, K., Drton, M., Mukherjee, S. and Miloschewski, A. (2024). High-dimensional undirected "
        "graphical models for arbitrary mixed data. Electronic Journal of Statistics 18."
    ),
    "miic": (
        "Cabeli, V., Verny, L., Sella, N., Uguzzoni, G., Verny, M. and Isambert, H. (2020). Learning clinical networks "
        "from medical records based on information estimates in mixed-type data. PLoS Computational Biology 16."
    ),
    "chen": (
        "Chen, Y.-C., Wheeler, T. A. and Kochenderfer, M. J. (2017). Learning discrete Bayesian networks from "
        "continuous data. Journal of Artificial Intelligence Research 59."
    ),
    "vogel": (
        "Vogel, K. (2013). Applications of Bayesian networks in natural hazard assessments. PhD thesis, University of "
        "Potsdam."
    ),
    "mdlp": (
        "Fayyad, U. M. and Irani, K. B. (1993). Multi-interval discretization of continuous-valued attributes for "
        "classification learning. IJCAI."
    ),
    "modl": (
        "Boullé, M. (2006). MODL: a Bayes optimal discretization method for continuous attributes. Machine Learning 65."
    ),
    "nml": (
        "Cabeli, V. et al. (2020). Learning clinical networks from medical records based on information estimates in "
        "mixed-type data. PLoS Computational Biology 16."
    ),
    "tran_onepass": TRAN,
    "tran_iterated": TRAN,
}
PARTS = ("discretizer", "policy", "learner", "score", "order")


def references_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what some rows of `methods.yaml` are cited by, sorted, each once."""
    named = {str(row.get(part)) for row in rows for part in PARTS}
    return sorted({REFERENCES[name] for name in named & REFERENCES.keys()})

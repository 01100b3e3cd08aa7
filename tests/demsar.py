"""What tests of ranks and of pairs share: the example of Demsar (2006), and how far a count may stray."""

import numpy as np
from scipy import stats

# Demsar (2006), Table 6: AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf; the ranks printed for `voting` tell 0.975 apart.
AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.97501, 0.975], [0.957, 0.978, 0.946, 0.970],
    ]
)  # fmt: skip


def within(count, trials, share):
    """Whether a count is one that a binomial variable takes but for 1 in 5000."""
    return stats.binom.ppf(1e-4, trials, share) <= count <= stats.binom.ppf(1 - 1e-4, trials, share)

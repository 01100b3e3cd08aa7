"""What BayesiaLab does by default: thresholds between the modes of a density, and simpler rules where there are none.

Its documentation names the steps and not their details (Bayesia, user guide, "Density Approximation" and "Choosing a
discretization algorithm"). `docs/methods.md` has the steps, and what is settled here.
"""

from itertools import pairwise

import numpy as np

from cutpoint.base.scaling import exponents
from cutpoint.discretization.binning import per_column, width_cuts
from cutpoint.discretization.histograms import kmeans_cuts
from cutpoint.options import AtLeast1

LEAST = 0.01  # share of the records in a level
GRID = 1024  # points of the density
PROMINENCE = 0.01  # of a maximum above its neighbouring minima, as a share of the highest density


def density_ladder(values: np.ndarray, discrete: np.ndarray, *, bins: AtLeast1 = 3) -> list[np.ndarray]:
    """Cut each variable between the modes of its density, else by k-means or into equal widths; see the module.

    bins: number of levels of all steps but the first, which chooses its own.
    """
    return per_column(values, discrete, lambda column: _first_that_works(column, bins))


def _first_that_works(column: np.ndarray, bins: int) -> np.ndarray:
    least = LEAST * column.size
    inner = np.percentile(column, [1, 99])
    steps = (
        lambda: merged(column, mode_cuts(column), least),
        lambda: kmeans_cuts(column, bins),
        lambda: width_cuts(inner, bins),
    )
    for step in steps:
        cuts = step()
        if cuts.size and level_sizes(column, cuts).min() >= max(least, 1):
            return cuts
    return width_cuts(column, bins)


def level_sizes(column: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Return the records in each level, int64 [k + 1]."""
    return np.bincount(np.searchsorted(cuts, column, side="right"), minlength=len(cuts) + 1)


def merged(column: np.ndarray, cuts: np.ndarray, least: float) -> np.ndarray:
    """Return thresholds, float64 [k], without those that part levels with fewer records than `least`, or none."""
    sizes = level_sizes(column, cuts).tolist()
    kept = cuts.tolist()
    while len(sizes) > 1 and min(sizes) < max(least, 1):
        k = sizes.index(min(sizes))
        right = k == 0 or (k + 1 < len(sizes) and sizes[k + 1] < sizes[k - 1])
        first = k if right else k - 1
        sizes[first : first + 2] = [sizes[first] + sizes[first + 1]]
        del kept[first]
    return np.array(kept)


def mode_cuts(column: np.ndarray) -> np.ndarray:
    """Return thresholds between neighbouring minima and maxima of the density of a column, float64 [k]."""
    shift = int(exponents(column))
    scaled = np.ldexp(column, -shift)
    low, high = scaled.min(), scaled.max()
    if not high > low:
        return np.empty(0)
    extremes = np.concatenate([[low], _turns(*density(scaled)), [high]])
    # A density that is highest at an end of the range may turn a little beyond it.
    cuts = 0.5 * (extremes[:-1] + extremes[1:])
    return np.ldexp(np.unique(cuts[(cuts > low) & (cuts <= high)]), shift)


def density(column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return evenly spaced places, float64 [GRID], and the kernel density of a column there, up to a factor."""
    quarter, three_quarters = np.percentile(column, [25, 75])
    deviation = column.std()
    spread = min(deviation, (three_quarters - quarter) / 1.349) or deviation
    bandwidth = 0.9 * spread * column.size**-0.2
    margin = 4 * bandwidth
    places, step = np.linspace(column.min() - margin, column.max() + margin, GRID, retstep=True)
    at = (column - places[0]) / step
    left = np.minimum(at.astype(np.int64), GRID - 2)
    # Each record is shared by the two places beside it, so that evenly spaced records make no ripples.
    held = np.bincount(left, left + 1 - at, GRID) + np.bincount(left + 1, at - left, GRID)
    # A kernel that is narrower than the grid would be a spike.
    width = max(bandwidth, float(step))
    reach = min(int(np.ceil(margin / step)) + 1, GRID // 2 - 1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * (step / width)) ** 2)
    return places, np.convolve(held, kernel, "same")


def _turns(places: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Return where a density, float64 [m], has its maxima and the minima between them, increasing."""
    from scipy.signal import find_peaks  # takes longer to import than all of this package

    # Of two equally high ends of a plateau each would rise above all around it.
    heights = heights * np.linspace(1.0, 1.0 - 1e-9, heights.size)
    peaks = find_peaks(heights, prominence=PROMINENCE * heights.max())[0]
    lows = [a + int(np.argmin(heights[a:b])) for a, b in pairwise(peaks.tolist())]
    return places[np.sort(np.concatenate([peaks, np.array(lows, np.int64)]))]

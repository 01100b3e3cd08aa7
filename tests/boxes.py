"""Boxes of drawn texts."""

import numpy as np


def overlap_area(a, b, margin=0.0):
    """The common area of boxes (x0, y0, x1, y1) [A, 4] and [B, 4], grown by a margin, [A, B]."""
    wide = np.minimum(a[:, None, 2], b[None, :, 2]) - np.maximum(a[:, None, 0], b[None, :, 0]) + margin
    high = np.minimum(a[:, None, 3], b[None, :, 3]) - np.maximum(a[:, None, 1], b[None, :, 1]) + margin
    return np.clip(wide, 0, None) * np.clip(high, 0, None)

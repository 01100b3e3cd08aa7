"""What the random numbers of a data set depend on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cutpoint.base.seeds import seed_sequence


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
        return np.random.default_rng(seed_sequence(self.seed, *self[1:-1], purpose))

    def of_network(self, purpose: str) -> np.random.Generator:
        """Return the generator of a purpose that is the same for all sizes, noises and parts of a replicate."""
        return np.random.default_rng(seed_sequence(self.seed, self.study, self.network, self.replicate, purpose))

"""Captions that several studies share."""

AGREEMENT = (
    "Published against reproduced numbers, table {}: points on the diagonal agree, and the rank correlation says "
    "whether the order comes back where the numbers do not."
)

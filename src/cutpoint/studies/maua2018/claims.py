"""The claims of the study: what the notes say are theorems, which the tests check."""

from __future__ import annotations

from cutpoint.report.claims import Claim

CLAIMS: dict[str, Claim] = {}

"""The claims of the study: none, as no paper has judged these data."""

from __future__ import annotations

from cutpoint.report.claims import Claim

CLAIMS: dict[str, Claim] = {}

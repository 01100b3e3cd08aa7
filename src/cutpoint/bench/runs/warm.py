"""Run shipped methods once before the first run, so that packages and kernels are loaded and not timed.

A user's own function may leave threads, a patched package or another folder behind. So it never runs in the process of
a job: the children in which it runs call it on the small sample first, see `supervise.calls`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # an environment of an outside program lacks what they need
    from cutpoint.method.method import DiscretizerFunction, Method


def warm_all(methods: Iterable[Method | DiscretizerFunction]) -> None:
    """Run shipped methods, and the shipped searches of others, on a small sample in this process."""
    for method in methods:
        warm = method.warm if method.is_shipped else getattr(method, "warm_search", None)
        try:
            if warm:
                warm()
        except Exception as problem:  # each of its runs gets a status
            logging.getLogger("cutpoint").info("not warm: %s", problem)

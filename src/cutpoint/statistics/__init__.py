"""Estimates with jackknife intervals, and what `cp.advise` weighs; imports base."""

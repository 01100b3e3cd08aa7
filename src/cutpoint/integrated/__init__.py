"""Methods that discretize while they learn the structure."""

from cutpoint.integrated.objectives import policy_score

__all__ = ["policy_score"]

"""Thresholds and structure by predictive accuracy, Steck and Jaakkola (2007), section 6; study.yaml cites them."""

"""The search of Tran (2013) for thresholds by minimum description length; study.yaml has title and citation."""

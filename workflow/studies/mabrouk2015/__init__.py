"""The comparison of Mabrouk et al. (2015), section 4; study.yaml has title and citation."""

"""The comparison of Fu (2005), chapter V; study.yaml has title and citation."""

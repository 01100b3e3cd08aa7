"""Methods: rows of config/methods.yaml, the functions they name, and checks of what these return."""

DEFAULT = "consensus"  # where no method is named

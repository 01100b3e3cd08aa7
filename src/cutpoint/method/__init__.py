"""Methods: rows of config/methods.yaml, the functions they name, and checks of what these return."""

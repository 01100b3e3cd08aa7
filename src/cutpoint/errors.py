"""The one exception for what a user can put right."""


class InputError(ValueError):
    """Bad input: one line that names the file, column or key and says what to do."""

"""How probable graphs, kinds of models and thresholds are: draws from one posterior over all three."""

from cutpoint.base.errors import InputError

MOST_VARIABLES = 40
CANDIDATES = 12  # parents of a child
CHAINS = 4


def check_size(n: int, required: int = 0) -> None:
    """Raise InputError for more variables, or more required parents of one, than can be drawn from."""
    for many, most, what in ((n, MOST_VARIABLES, "variables"), (required, CANDIDATES, "required parents of one")):
        if many > most:
            raise InputError(f"posterior: {many} {what}, and {most} is the most; leave some or the posterior out")

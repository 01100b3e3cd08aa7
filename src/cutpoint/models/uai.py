"""The format of the UAI competitions: numbers of levels and tables, without any names."""

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import numbered
from cutpoint.models.table_texts import reshaped
from cutpoint.networks.bif import BifContent


def render(content: BifContent) -> str:
    """Return the text of a file, one table a variable; the child is last in its scope and varies fastest."""
    place = {name: str(i) for i, name in enumerate(content.states)}
    sizes = " ".join(str(len(states)) for states in content.states.values())
    lines = ["BAYES", str(len(place)), sizes, str(len(place))]
    for name in content.states:
        scope = [place[one] for one in (*content.parents[name], name)]
        lines.append(" ".join([str(len(scope)), *scope]))
    for name in content.states:
        # all digits, and no exponents, which some readers do not know
        numbers = [np.format_float_positional(value, trim="-") for value in content.tables[name].ravel()]
        lines += ["", str(len(numbers)), " ".join(numbers)]
    return "\n".join(lines) + "\n"


def parse(text: str, source: str) -> BifContent:
    """Return the content of a file: variables x0, x1, ... with states 0, 1, ..."""
    words = iter(text.split())
    longest = len(text)

    def count() -> int:
        number = int(next(words))
        if not 0 <= number <= longest:  # a file of this length has no more things
            raise ValueError(f"{number} is no number of variables, states or entries of this file")
        return number

    try:
        if (kind := next(words)) != "BAYES":
            raise InputError(f"{source}: {kind} where BAYES is expected")
        names = numbered(count())
        states = {name: [str(k) for k in range(count())] for name in names}
        content = BifContent(states=states)
        scopes = [[names[count()] for _ in range(count())] for _ in range(count())]
        for *parents, child in scopes:
            if child in content.tables:
                raise ValueError(f"two tables of {child}")
            numbers = [next(words) for _ in range(count())]
            content.parents[child] = parents
            content.tables[child] = reshaped(content, child, " ".join(numbers), source)
    except InputError:  # which is a ValueError too
        raise
    except StopIteration:
        raise InputError(f"{source}: the file ends too early") from None
    except (ValueError, IndexError) as problem:
        raise InputError(f"{source}: {problem}") from None
    return content

"""The entry of a small data set in the registry, to be changed."""

from cutpoint.data.registry import make_entry

KEYS = {"title": "Toy", "licence": "none", "files": [], "separator": "comma", "header": False, "missing": "?"}
KEYS |= {"columns": ["b", "a", "id"], "discrete": ["a"], "dropped": ["id"]}


def toy(**changes):
    return make_entry("toy", {**KEYS, **changes})

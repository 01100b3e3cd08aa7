"""The entry of a small data set in the registry, to be changed."""

from cutpoint.data.registry import make_entry

KEYS = {
    "title": "Toy",
    "files": [],
    "separator": "comma",
    "header": False,
    "columns": ["b", "a", "id"],
    "discrete": ["a"],
    "dropped": ["id"],
    "missing": "?",
    "licence": "none",
}


def toy(**changes):
    return make_entry("toy", {**KEYS, **changes})

use rule function as pyagrum with:
    wildcard_constraints:
        job="pyagrum",
    params:
        file=shipped("scripts/methods/pyagrum.py"),

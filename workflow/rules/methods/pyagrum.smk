use rule function as pyagrum with:
    wildcard_constraints:
        job="pyagrum",
    params:
        file=plan.shipped("scripts/methods/pyagrum.py"),

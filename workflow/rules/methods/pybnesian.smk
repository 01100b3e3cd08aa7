use rule function as pybnesian with:
    wildcard_constraints:
        job="pybnesian",
    params:
        file=shipped("scripts/methods/pybnesian.py"),
        requirements=shipped("envs/pybnesian.txt"),

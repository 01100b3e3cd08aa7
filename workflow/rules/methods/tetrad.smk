use rule function as tetrad with:
    wildcard_constraints:
        job="tetrad",
    params:
        file=shipped("scripts/methods/tetrad.py"),
        requirements=shipped("envs/tetrad.py"),

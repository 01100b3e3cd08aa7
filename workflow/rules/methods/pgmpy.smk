use rule function as pgmpy with:
    wildcard_constraints:
        job="pgmpy",
    params:
        file=shipped("scripts/methods/pgmpy.py"),
        requirements=shipped("envs/pgmpy.txt"),

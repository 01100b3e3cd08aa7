use rule function as pgmpy with:
    wildcard_constraints:
        job="pgmpy",
    params:
        file=plan.shipped("scripts/methods/pgmpy.py"),
        requirements=plan.shipped("envs/pgmpy.txt"),

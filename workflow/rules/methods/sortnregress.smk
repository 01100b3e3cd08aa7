use rule function as sortnregress with:
    wildcard_constraints:
        job="sortnregress",
    params:
        file=shipped("scripts/methods/sortnregress.py"),
        requirements=shipped("envs/sortnregress.txt"),

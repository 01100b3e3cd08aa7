use rule function as flop with:
    wildcard_constraints:
        job="flop",
    params:
        file=shipped("scripts/methods/flop.py"),
        requirements=shipped("envs/flop.txt"),

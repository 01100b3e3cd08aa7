use rule function as bnlearn_port with:
    wildcard_constraints:
        job="bnlearn_port",
    params:
        file=shipped("scripts/methods/bnlearn_port.py"),
        requirements=shipped("envs/bnlearn-port.txt"),

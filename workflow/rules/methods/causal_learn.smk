use rule function as causal_learn with:
    wildcard_constraints:
        job="causal_learn",
    conda:
        "../../../envs/causal-learn.yaml"
    params:
        file=shipped("scripts/methods/causal_learn.py"),

use rule program as bnlearn with:
    wildcard_constraints:
        job="bnlearn",
    conda:
        "../../../envs/bnlearn.yaml"
    params:
        command=["Rscript", "--vanilla", shipped("scripts/methods/bnlearn.R")],

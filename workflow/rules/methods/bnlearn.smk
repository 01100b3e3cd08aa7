use rule program as bnlearn with:
    wildcard_constraints:
        job="bnlearn",
    params:
        command=["Rscript", "--vanilla", shipped("scripts/methods/bnlearn.R")],

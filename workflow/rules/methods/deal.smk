use rule program as deal with:
    wildcard_constraints:
        job="deal",
    params:
        command=["Rscript", "--vanilla", shipped("scripts/methods/deal.R")],

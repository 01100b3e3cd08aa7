# values -> thresholds, of all discretizers of the package in one file and of each file of a user's in another


rule discretize:
    input:
        data="results/{study}/{source}/{batch}/values.parquet",
    output:
        "results/{study}/{source}/{batch}/discretized/{discretizer}.parquet",
    log:
        "logs/{study}/discretize/{source}/{batch}/{discretizer}.log",
    group:
        "batch"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=plan.methods.memory,
        runtime=plan.methods.minutes,
    params:
        todo=plan.of_batch(plan.methods.discretize, "discretizer"),
        code=plan.of_batch(plan.methods.code_of_discretize, "discretizer"),
    script:
        "../../scripts/discretize.py"

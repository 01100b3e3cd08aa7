# nothing or data sets -> rows: computations of a study that are no grid of data sets and methods; they may take long, so
# that they begin first


rule experiment:
    input:
        datasets=plan.studies.datasets_of_experiment,
    output:
        "results/{study}/experiments/{experiment}.parquet",
    log:
        "logs/{study}/experiment/{experiment}.log",
    priority: 1
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=plan.methods.memory,
        runtime=120,
    params:
        todo=plan.studies.experiment,
        code=plan.studies.code_of_experiment,
    script:
        "../../scripts/experiment.py"

# nothing -> rows: computations of a study that are no grid of data sets and methods


rule experiment:
    output:
        "results/{study}/experiments/{experiment}.parquet",
    log:
        "logs/{study}/experiments/{experiment}.log",
    benchmark:
        "logs/benchmarks/{study}/experiment/{experiment}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        seed=SETTINGS.seed,
        options=options_of_experiment,
        methods=methods_of_experiment,
        code=code_of_experiment,
    script:
        "../../scripts/experiment.py"

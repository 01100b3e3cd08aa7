# continuous values -> thresholds, for methods that discretize before they learn


rule warm:
    output:
        touch("results/kernels.warm"),
    log:
        "logs/warm.log",
    benchmark:
        "benchmarks/warm.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        rows={name: SCIENCE[name] for name in INTERNAL},
        kernels=KERNELS,
    script:
        "../../scripts/warm.py"


rule discretize:
    input:
        data=data_of_batch,
        warm=ancient("results/kernels.warm"),
    output:
        runs="results/{study}/batches/{batch}/discretizers/{discretizer}/runs.parquet",
        thresholds="results/{study}/batches/{batch}/discretizers/{discretizer}/thresholds.parquet",
    log:
        "logs/{study}/discretize/{batch}/{discretizer}.log",
    benchmark:
        "benchmarks/{study}/discretize/{batch}/{discretizer}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=SETTINGS.memory_limit + 500,
        runtime=minutes,
    params:
        row=lookup(dpath="{discretizer}", within=DISCRETIZERS),
        limits=(SETTINGS.time_limit, SETTINGS.memory_limit),
        code=lookup(dpath="{discretizer}", within=CODE),
    script:
        "../../scripts/discretize.py"

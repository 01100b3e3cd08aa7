# continuous values -> thresholds, for methods that discretize before they learn, job by job


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
        runs="results/{study}/batches/{batch}/discretizers/{job}/runs.parquet",
        thresholds="results/{study}/batches/{batch}/discretizers/{job}/thresholds.parquet",
    log:
        "logs/{study}/discretize/{batch}/{job}.log",
    benchmark:
        "benchmarks/{study}/discretize/{batch}/{job}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=SETTINGS.memory_limit + 500,
        runtime=minutes,
    params:
        rows=discretizers_of_job,
        limits=(SETTINGS.time_limit, SETTINGS.memory_limit),
        code=code_of_job,
    script:
        "../../scripts/discretize.py"

# continuous values -> thresholds, for methods that discretize before they learn, job by job


rule discretize:
    input:
        data=data_of_batch,
    output:
        runs="results/{study}/batches/{batch}/discretizers/{job}/runs.parquet",
        thresholds="results/{study}/batches/{batch}/discretizers/{job}/thresholds.parquet",
    log:
        "logs/{study}/discretize/{batch}/{job}.log",
    benchmark:
        "logs/benchmarks/{study}/discretize/{batch}/{job}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=SETTINGS.memory_limit + 500,
        runtime=minutes,
    params:
        discretizers=discretizers_of_job,
        limits=(SETTINGS.time_limit, SETTINGS.memory_limit),
        code=code_of_discretizers,
    script:
        "../../scripts/discretize.py"

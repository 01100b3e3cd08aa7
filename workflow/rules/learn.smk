# values and thresholds -> edges; external methods bring their own rule


rule learn:
    input:
        data=data_of_batch,
        policy_runs=policies_of_job("runs"),
        policy_thresholds=policies_of_job("thresholds"),
    output:
        edges="results/{study}/batches/{batch}/methods/{job}/edges.parquet",
        thresholds="results/{study}/batches/{batch}/methods/{job}/thresholds.parquet",
        runs="results/{study}/batches/{batch}/methods/{job}/runs.parquet",
    log:
        "logs/{study}/learn/{batch}/{job}.log",
    benchmark:
        "logs/benchmarks/{study}/learn/{batch}/{job}.tsv"
    wildcard_constraints:
        job="|".join(INTERNAL_JOBS) or "(?!)",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=SETTINGS.memory_limit + 500,
        runtime=minutes,
    params:
        methods=methods_of_job,
        discretizers=discretizer_names_of_job,
        limits=(SETTINGS.time_limit, SETTINGS.memory_limit),
        code=code_of_job,
    script:
        "../../scripts/learn.py"

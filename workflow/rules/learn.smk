# values or codes -> edges, one job per method and batch; external methods bring their own rule


rule learn:
    input:
        data=data_of_batch,
        policy=policy_of,
        warm=ancient("results/kernels.warm"),
    output:
        edges="results/{study}/batches/{batch}/methods/{method}/edges.parquet",
        thresholds="results/{study}/batches/{batch}/methods/{method}/thresholds.parquet",
        runs="results/{study}/batches/{batch}/methods/{method}/runs.parquet",
    log:
        "logs/{study}/learn/{batch}/{method}.log",
    benchmark:
        "benchmarks/{study}/learn/{batch}/{method}.tsv"
    wildcard_constraints:
        method="|".join(INTERNAL) or "(?!)",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=SETTINGS.memory_limit + 500,
        runtime=minutes,
    params:
        row=lookup(dpath="{method}", within=SCIENCE),
        limits=(SETTINGS.time_limit, SETTINGS.memory_limit),
        code=lookup(dpath="{method}", within=CODE),
    script:
        "../../scripts/learn.py"

# edges and thresholds -> metrics, per batch over all methods, then one file per study


rule evaluate:
    input:
        data=data_of_batch,
        networks=networks_of_batch,
        edges=results_of_batch("edges"),
        thresholds=results_of_batch("thresholds"),
        runs=results_of_batch("runs"),
    output:
        "results/{study}/batches/{batch}/metrics.parquet",
    log:
        "logs/{study}/evaluate/{batch}.log",
    benchmark:
        "logs/benchmarks/{study}/evaluate/{batch}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        methods=methods_of_batch,
        own_jobs=own_jobs_of_batch,
        grid=grid_of_batch,
        code=code_of("evaluate.py"),
    script:
        "../../scripts/evaluate.py"


rule collect:
    input:
        metrics_of_study,
    output:
        "results/{study}/metrics.parquet",
    log:
        "logs/{study}/collect.log",
    benchmark:
        "logs/benchmarks/{study}/collect.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        schema="METRICS",
        scale=SETTINGS.scale,
        seed=SETTINGS.seed,
        code=code_of("collect.py"),
    script:
        "../../scripts/collect.py"


rule edges:
    input:
        runs=lambda wildcards: results_of_batches(wildcards.study, resampled(wildcards.study), "runs"),
        edges=lambda wildcards: results_of_batches(wildcards.study, resampled(wildcards.study), "edges"),
    output:
        "results/{study}/edges.parquet",
    log:
        "logs/{study}/edges.log",
    benchmark:
        "logs/benchmarks/{study}/edges.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        own_jobs=lambda wildcards: own_jobs_of_batches(wildcards.study, resampled(wildcards.study)),
        datasets=lambda wildcards: {c.name: c.dataset for b in BATCHES[wildcards.study].values() for c in b.cells},
        code=code_of("edges.py"),
    script:
        "../../scripts/edges.py"

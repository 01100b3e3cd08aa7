# edges and thresholds -> metrics, per batch over all methods, then one file per study


rule evaluate:
    input:
        unpack(plan.results_of_batch),
        data=plan.data_of_batch,
        networks=plan.networks_of_batch,
        held_out=plan.held_out_of_batch,
    output:
        "results/{study}/batches/{batch}/metrics.parquet",
    log:
        "logs/{study}/evaluate/{batch}.log",
    benchmark:
        "logs/benchmarks/{study}/evaluate/{batch}.tsv"
    resources:
        runtime=30,
    params:
        methods=plan.methods_of_batch,
        built_in_jobs=plan.built_in_jobs_of_batch,
        grid=plan.grid_of_batch,
        code=plan.code_of("evaluate.py"),
    script:
        "../../scripts/evaluate.py"


rule collect:
    input:
        plan.metrics_of_study,
    output:
        "results/{study}/metrics.parquet",
    log:
        "logs/{study}/collect.log",
    benchmark:
        "logs/benchmarks/{study}/collect.tsv"
    params:
        schema="METRICS",
        scale=plan.settings.scale,
        seed=plan.settings.seed,
        methods=plan.rows_of_study,
        jobs=plan.jobs_of_study,
        code=plan.code_of("collect.py"),
    script:
        "../../scripts/collect.py"


rule edges:
    input:
        unpack(plan.resamples_of_study),
    output:
        "results/{study}/edges.parquet",
    log:
        "logs/{study}/edges.log",
    benchmark:
        "logs/benchmarks/{study}/edges.tsv"
    params:
        built_in_jobs=plan.built_in_jobs_of_resamples,
        datasets=plan.datasets_of_cells,
        code=plan.code_of("edges.py"),
    script:
        "../../scripts/edges.py"

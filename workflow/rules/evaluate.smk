# edges and thresholds -> metrics, predictions and likelihoods, for a batch over all methods; then one file for a study


rule evaluate:
    input:
        unpack(plan.of_batch(plan.methods.results)),
        data="results/{study}/{source}/{batch}/values.parquet",
        test=plan.of_batch(plan.data.test),
        networks=plan.of_batch(plan.data.networks),
    output:
        "results/{study}/{source}/{batch}/metrics.parquet",
    log:
        "logs/{study}/evaluate/{source}/{batch}.log",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        runs=plan.of_batch(plan.methods.runs),
        built_in_jobs=plan.methods.jobs.internal,
        metrics=plan.studies.metrics,
        code=plan.studies.code_of_metrics,
    script:
        "../../scripts/evaluate.py"


# discrete targets of held-out records
rule predict:
    input:
        unpack(plan.of_batch(plan.methods.results)),
        data="results/{study}/{source}/{batch}/values.parquet",
        test=plan.of_batch(plan.data.test),
        codes="results/{study}/{source}/{batch}/codes.parquet",
        networks=plan.of_batch(plan.data.networks),
    output:
        "results/{study}/{source}/{batch}/predictions.parquet",
    log:
        "logs/{study}/predict/{source}/{batch}.log",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        runs=plan.of_batch(partial(plan.methods.runs, kind="predictions")),
        built_in_jobs=plan.methods.jobs.internal,
        code=plan.code_of("predict.py"),
    script:
        "../../scripts/predict.py"


# the fold of a data set that was left out
rule held_out:
    input:
        unpack(plan.of_batch(plan.methods.results)),
        data="results/{study}/{source}/{batch}/values.parquet",
        wholes=plan.of_batch(plan.data.datasets),
        networks=plan.of_batch(plan.data.networks),
    output:
        "results/{study}/{source}/{batch}/held_out.parquet",
    log:
        "logs/{study}/held_out/{source}/{batch}.log",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        runs=plan.of_batch(partial(plan.methods.runs, kind="held_out")),
        built_in_jobs=plan.methods.jobs.internal,
        code=plan.code_of("held_out.py"),
    script:
        "../../scripts/held_out.py"


rule collect:
    input:
        lambda wildcards: plan.studies.files_of(wildcards.study, "metrics"),
    output:
        "results/{study}/metrics.parquet",
    log:
        "logs/{study}/collect.log",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        schema="METRICS",
        about=plan.studies.metadata_of_runs,
        code=plan.code_of("collect.py"),
    script:
        "../../scripts/collect.py"


use rule collect as collect_predictions with:
    input:
        lambda wildcards: plan.studies.files_of(wildcards.study, "predictions"),
    output:
        "results/{study}/predictions.parquet",
    log:
        "logs/{study}/collect_predictions.log",
    params:
        schema="PREDICTIONS",


use rule collect as collect_held_out with:
    input:
        lambda wildcards: plan.studies.files_of(wildcards.study, "held_out"),
    output:
        "results/{study}/held_out.parquet",
    log:
        "logs/{study}/collect_held_out.log",
    params:
        schema="HELD_OUT",


rule edges:
    input:
        unpack(lambda wildcards: plan.studies.results_with(wildcards.study, "edges", ("data", "runs", "edges"))),
    output:
        "results/{study}/edges.parquet",
    log:
        "logs/{study}/edges.log",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        built_in_jobs=plan.methods.jobs.internal,
        datasets=plan.studies.datasets_of_resamples,
        code=plan.code_of("edges.py"),
    script:
        "../../scripts/edges.py"

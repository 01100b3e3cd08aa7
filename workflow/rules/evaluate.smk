# edges and thresholds -> metrics, predictions and likelihoods, for a batch over all methods; then one file for a study


rule evaluate:
    input:
        unpack(plan.methods.results_of_batch),
        data="results/{study}/{source}/{batch}/values.parquet",
        test=plan.data.test_of_batch,
        networks=plan.data.networks_of_batch,
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
        parts=plan.methods.parts_of_batch,
        built_in_jobs=plan.methods.jobs.internal,
        code=plan.code_of("evaluate.py"),
    script:
        "../../scripts/evaluate.py"


# discrete targets of held-out records
rule predict:
    input:
        unpack(plan.methods.results_of_batch),
        data="results/{study}/{source}/{batch}/values.parquet",
        test=plan.data.test_of_batch,
        codes="results/{study}/{source}/{batch}/codes.parquet",
        networks=plan.data.networks_of_batch,
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
        parts=plan.methods.predicting_of_batch,
        built_in_jobs=plan.methods.jobs.internal,
        seed=plan.settings.seed,
        code=plan.code_of("predict.py"),
    script:
        "../../scripts/predict.py"


# the fold of a data set that was left out
rule held_out:
    input:
        unpack(plan.methods.results_of_batch),
        data="results/{study}/{source}/{batch}/values.parquet",
        wholes=plan.data.datasets_of_batch,
        networks=plan.data.networks_of_batch,
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
        parts=plan.methods.folds_of_batch,
        built_in_jobs=plan.methods.jobs.internal,
        seed=plan.settings.seed,
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
        scale=plan.settings.scale,
        seed=plan.settings.seed,
        methods=plan.studies.rows_of_study,
        jobs=plan.studies.jobs_of_study,
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
        unpack(plan.studies.resamples_of_study),
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

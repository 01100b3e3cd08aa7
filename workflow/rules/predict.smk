# networks, edges and thresholds -> how well discrete targets are predicted, per batch and then one file per study


rule predict:
    input:
        data=data_of_batch,
        tests=tests_of_batch,
        codes=codes_of_batch,
        networks=networks_of_batch,
        edges=results_of_batch("edges"),
        thresholds=results_of_batch("thresholds"),
        runs=results_of_batch("runs"),
    output:
        "results/{study}/batches/{batch}/predictions.parquet",
    log:
        "logs/{study}/predict/{batch}.log",
    benchmark:
        "logs/benchmarks/{study}/predict/{batch}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        methods=methods_of_batch,
        own_jobs=own_jobs_of_batch,
        grid=grid_of_batch,
        shares=shares_of_batch,
        seed=SETTINGS.seed,
        code=code_of("predict.py"),
    script:
        "../../scripts/predict.py"


use rule collect as collect_predictions with:
    input:
        predictions_of_study,
    output:
        "results/{study}/predictions.parquet",
    log:
        "logs/{study}/collect_predictions.log",
    benchmark:
        "logs/benchmarks/{study}/collect_predictions.tsv"
    params:
        schema="PREDICTIONS",
        scale=SETTINGS.scale,
        seed=SETTINGS.seed,
        code=code_of("collect.py"),

# networks, edges and thresholds -> how well discrete targets are predicted, per batch and then one file per study


rule predict:
    input:
        unpack(plan.results_of_batch),
        data=plan.data_of_batch,
        tests=plan.tests_of_batch,
        codes=plan.codes_of_batch,
        networks=plan.networks_of_batch,
    output:
        "results/{study}/batches/{batch}/predictions.parquet",
    log:
        "logs/{study}/predict/{batch}.log",
    benchmark:
        "logs/benchmarks/{study}/predict/{batch}.tsv"
    resources:
        runtime=30,
    params:
        methods=plan.methods_of_batch,
        built_in_jobs=plan.built_in_jobs_of_batch,
        grid=plan.grid_of_batch,
        shares=plan.shares_of_batch,
        seed=plan.settings.seed,
        code=plan.code_of("predict.py"),
    script:
        "../../scripts/predict.py"


use rule collect as collect_predictions with:
    input:
        plan.predictions_of_study,
    output:
        "results/{study}/predictions.parquet",
    log:
        "logs/{study}/collect_predictions.log",
    benchmark:
        "logs/benchmarks/{study}/collect_predictions.tsv"
    params:
        schema="PREDICTIONS",

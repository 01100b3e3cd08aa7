# data sets, edges and thresholds -> the likelihood of the fold that was held out, per batch and then one file per study


rule held_out:
    input:
        data=wholes_of_batch,
        edges=results_of_batch("edges"),
        thresholds=results_of_batch("thresholds"),
        runs=results_of_batch("runs"),
    output:
        "results/{study}/batches/{batch}/held_out.parquet",
    log:
        "logs/{study}/held_out/{batch}.log",
    benchmark:
        "logs/benchmarks/{study}/held_out/{batch}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        methods=methods_of_batch,
        own_jobs=own_jobs_of_batch,
        grid=grid_of_batch,
        cells=folds_of_batch,
        replicates=lambda wildcards: [batch_of(wildcards).first, batch_of(wildcards).last],
        seed=SETTINGS.seed,
        code=code_of("held_out.py"),
    script:
        "../../scripts/held_out.py"


use rule collect as collect_held_out with:
    input:
        held_out_of_study,
    output:
        "results/{study}/held_out.parquet",
    log:
        "logs/{study}/collect_held_out.log",
    benchmark:
        "logs/benchmarks/{study}/collect_held_out.tsv"
    params:
        schema="HELD_OUT",
        scale=SETTINGS.scale,
        seed=SETTINGS.seed,
        code=code_of("collect.py"),

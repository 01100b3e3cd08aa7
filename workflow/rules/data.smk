# network -> discrete codes -> continuous values; real data sets enter beside them


rule sample:
    input:
        network=lookup(dpath="{network}", within=NETWORKS),
    output:
        "results/{study}/data/{network}/n{n}/{replicates}/discrete.parquet",
    log:
        "logs/{study}/sample/{network}-n{n}-{replicates}.log",
    benchmark:
        "logs/benchmarks/{study}/sample/{network}-n{n}-{replicates}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        seed=SETTINGS.seed,
        code=code_of("sample.py"),
    script:
        "../../scripts/sample.py"


rule noise:
    input:
        "results/{study}/data/{network}/n{n}/{replicates}/discrete.parquet",
    output:
        "results/{study}/data/{network}/n{n}/{replicates}/{noise}/continuous.parquet",
    log:
        "logs/{study}/noise/{network}-n{n}-{replicates}-{noise}.log",
    benchmark:
        "logs/benchmarks/{study}/noise/{network}-n{n}-{replicates}-{noise}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        seed=SETTINGS.seed,
        noise=noise_of,
        code=code_of("noise.py"),
    script:
        "../../scripts/noise.py"


rule dataset:
    input:
        own=own_file,
    output:
        "results/datasets/{dataset}.parquet",
    log:
        "logs/dataset/{dataset}.log",
    benchmark:
        "logs/benchmarks/dataset/{dataset}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=500,
        runtime=5,
    params:
        entry=lookup(dpath="{dataset}", within=DATASETS),
        mirror=SETTINGS.mirror and user_path(SETTINGS.mirror),
        code=code_of("dataset.py"),
    script:
        "../../scripts/dataset.py"

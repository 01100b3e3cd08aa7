# network -> discrete codes -> continuous values; real data sets enter beside them

for study in filter(families_of, STUDIES):

    rule:
        name:
            f"random_networks_{study}"
        output:
            [
                path
                for family in families_of(study)
                for path in network_files(study, family, 0, family_size(study, family) - 1)
            ],
        log:
            f"logs/{study}/random_networks.log",
        benchmark:
            f"logs/benchmarks/{study}/random_networks.tsv"
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=500,
            runtime=10,
        params:
            study=study,
            families=families_of(study),
            seed=SETTINGS.seed,
            code=code_of("random_networks.py"),
        script:
            "../../scripts/random_networks.py"


rule sample:
    input:
        networks=networks_of_data,
    output:
        "results/{study}/data/{network}/n{n}/{replicates}/discrete.parquet",
    log:
        "logs/{study}/sample/{network}-n{n}-{replicates}.log",
    benchmark:
        "logs/benchmarks/{study}/sample/{network}-n{n}-{replicates}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        seed=SETTINGS.seed,
        code=code_of("sample.py"),
    script:
        "../../scripts/sample.py"


rule noise:
    input:
        codes="results/{study}/data/{network}/n{n}/{replicates}/discrete.parquet",
        networks=networks_of_data,
    output:
        "results/{study}/data/{network}/n{n}/{replicates}/{noise}/continuous.parquet",
    log:
        "logs/{study}/noise/{network}-n{n}-{replicates}-{noise}.log",
    benchmark:
        "logs/benchmarks/{study}/noise/{network}-n{n}-{replicates}-{noise}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        part="noise",
        seed=SETTINGS.seed,
        noise=noise_of,
        code=code_of("noise.py"),
    script:
        "../../scripts/noise.py"


# The records held out of the same samples, for those that predict.
use rule noise as hold_out with:
    output:
        "results/{study}/data/{network}/n{n}/{replicates}/{noise}/test.parquet",
    log:
        "logs/{study}/hold_out/{network}-n{n}-{replicates}-{noise}.log",
    benchmark:
        "logs/benchmarks/{study}/hold_out/{network}-n{n}-{replicates}-{noise}.tsv"
    params:
        part="test",
        seed=SETTINGS.seed,
        noise=noise_of,
        code=code_of("noise.py"),


if SETTINGS.data is not None:

    rule own_data:
        input:
            user_path(SETTINGS.data),
        output:
            f"results/datasets/{OWN}.parquet",
        log:
            "logs/own_data.log",
        benchmark:
            "logs/benchmarks/own_data.tsv"
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            roles=own_roles(),
            truth=SETTINGS.truth and plan.stem(SETTINGS.truth),
            code=code_of("own_data.py"),
        script:
            "../../scripts/own_data.py"


# Fetched by the master: the nodes of a cluster often have no way out.
rule dataset:
    input:
        own=own_file,
    output:
        "results/datasets/{dataset}.parquet",
    log:
        "logs/dataset/{dataset}.log",
    benchmark:
        "logs/benchmarks/dataset/{dataset}.tsv"
    wildcard_constraints:
        dataset="|".join(DATASETS),
    localrule: True
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


rule resample:
    input:
        "results/datasets/{dataset}.parquet",
    output:
        "results/{study}/data/{dataset}/{resample}/{replicates}/continuous.parquet",
    log:
        "logs/{study}/resample/{dataset}-{resample}-{replicates}.log",
    benchmark:
        "logs/benchmarks/{study}/resample/{dataset}-{resample}-{replicates}.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        seed=SETTINGS.seed,
        options=resample_of,
        code=code_of("resample.py"),
    script:
        "../../scripts/resample.py"

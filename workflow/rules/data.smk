# network -> discrete codes -> continuous values; real data sets enter beside them

for study in filter(plan.families_of, plan.studies):

    rule:
        name:
            f"random_networks_{study}"
        output:
            plan.random_networks_of(study),
        log:
            f"logs/{study}/random_networks.log",
        benchmark:
            f"logs/benchmarks/{study}/random_networks.tsv"
        params:
            study=study,
            families=plan.families_of(study),
            seed=plan.settings.seed,
            code=plan.code_of("random_networks.py"),
        script:
            "../../scripts/random_networks.py"


rule sample:
    input:
        networks=plan.networks_of_data,
    output:
        "results/{study}/data/{network}/n{n}/{replicates}/discrete.parquet",
    log:
        "logs/{study}/sample/{network}-n{n}-{replicates}.log",
    benchmark:
        "logs/benchmarks/{study}/sample/{network}-n{n}-{replicates}.tsv"
    params:
        seed=plan.settings.seed,
        code=plan.code_of("sample.py"),
    script:
        "../../scripts/sample.py"


rule noise:
    input:
        codes=plan.codes_of_noise,
        networks=plan.networks_of_data,
    output:
        "results/{study}/data/{network}/n{n}/{replicates}/{noise}/continuous.parquet",
    log:
        "logs/{study}/noise/{network}-n{n}-{replicates}-{noise}.log",
    benchmark:
        "logs/benchmarks/{study}/noise/{network}-n{n}-{replicates}-{noise}.tsv"
    params:
        part="noise",
        seed=plan.settings.seed,
        noise=plan.noise_of,
        code=plan.code_of("noise.py"),
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


if plan.settings.data is not None:

    rule own_data:
        input:
            plan.data_file,
        output:
            "results/datasets/own.parquet",
        log:
            "logs/own_data.log",
        benchmark:
            "logs/benchmarks/own_data.tsv"
        params:
            reading=plan.reading,
            truth=plan.truth,
            knowledge=plan.knowledge,
            code=plan.code_of("own_data.py"),
        script:
            "../../scripts/own_data.py"


# Fetched by the master: the nodes of a cluster often have no way out.
rule dataset:
    input:
        own=plan.file_of_dataset,
    output:
        "results/datasets/{dataset}.parquet",
    log:
        "logs/dataset/{dataset}.log",
    benchmark:
        "logs/benchmarks/dataset/{dataset}.tsv"
    wildcard_constraints:
        dataset="|".join(plan.checked.datasets),
    localrule: True
    params:
        entry=lookup(dpath="{dataset}", within=plan.checked.datasets),
        mirror=plan.mirror,
        code=plan.code_of("dataset.py"),
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
    params:
        seed=plan.settings.seed,
        options=plan.resample_of,
        code=plan.code_of("resample.py"),
    script:
        "../../scripts/resample.py"

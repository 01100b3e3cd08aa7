# networks and data sets -> the codes and values of a batch: what its methods see, and the records held out from them


rule random_networks:
    output:
        directory("results/{study}/networks/{family}/block{block}"),
    log:
        "logs/{study}/random_networks/{family}.block{block}.log",
    group:
        "data"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        family=plan.data.family,
        code=plan.code_of("random_networks.py"),
    script:
        "../../scripts/random_networks.py"


rule sample:
    input:
        networks=plan.of_batch(plan.data.networks, source="simulated"),
    output:
        "results/{study}/simulated/{batch}/codes.parquet",
    log:
        "logs/{study}/sample/{batch}.log",
    group:
        "data"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        samples=plan.of_batch(plan.data.samples, source="simulated"),
        code=plan.code_of("sample.py"),
    script:
        "../../scripts/sample.py"


rule noise:
    input:
        codes="results/{study}/simulated/{batch}/codes.parquet",
        networks=plan.of_batch(plan.data.networks, source="simulated"),
    output:
        "results/{study}/simulated/{batch}/values.parquet",
    log:
        "logs/{study}/noise/{batch}.log",
    group:
        "data"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        noises=plan.of_batch(plan.data.noises, source="simulated"),
        code=plan.code_of("noise.py"),
    script:
        "../../scripts/noise.py"


# what references learn from, which is a secret of all other methods
rule truth:
    input:
        data="results/{study}/simulated/{batch}/values.parquet",
        codes="results/{study}/simulated/{batch}/codes.parquet",
    output:
        "results/{study}/simulated/{batch}/true_{truth}.parquet",
    log:
        "logs/{study}/truth/{batch}.{truth}.log",
    wildcard_constraints:
        truth="codes|thresholds",
    group:
        "data"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=plan.code_of("truth.py"),
    script:
        "../../scripts/truth.py"


# records that no method learns from: those of targets that are predicted, or further ones to judge graphs by
use rule noise as noise_test with:
    output:
        "results/{study}/simulated/{batch}/test.parquet",
    log:
        "logs/{study}/noise_test/{batch}.log",
    params:
        noises=plan.of_batch(plan.data.tests, source="simulated"),


if plan.settings.data is not None:

    rule own_data:
        input:
            plan.checked.places.user(plan.settings.data),
        output:
            "results/datasets/own.parquet",
        log:
            "logs/own_data.log",
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            reading=reading_of(plan.settings),
            truth=plan.data.truth,
            knowledge=plan.checked.knowledge,
            code=plan.code_of("own_data.py"),
        script:
            "../../scripts/own_data.py"


# Fetched by the master: the nodes of a cluster often have no way out.
rule dataset:
    input:
        own=plan.data.file_of_dataset,
    output:
        "results/datasets/{dataset}.parquet",
    log:
        "logs/dataset/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(plan.checked.datasets),
    localrule: True
    conda:
        "../../envs/cutpoint.yaml"
    params:
        entry=lookup(dpath="{dataset}", within=plan.checked.datasets),
        mirror=plan.settings.mirror and plan.checked.places.user(plan.settings.mirror),
        code=plan.code_of("dataset.py"),
    script:
        "../../scripts/dataset.py"


rule resample:
    input:
        plan.of_batch(plan.data.datasets, source="real"),
    output:
        "results/{study}/real/{batch}/values.parquet",
    log:
        "logs/{study}/resample/{batch}.log",
    group:
        "data"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        resamples=plan.of_batch(plan.data.resamples, source="real"),
        code=plan.code_of("resample.py"),
    script:
        "../../scripts/resample.py"

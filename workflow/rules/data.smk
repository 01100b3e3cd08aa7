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


# The data of a batch are made by one job of each kind.
for study in plan.studies:
    for number, made in enumerate(plan.samples_of(study), 1):

        rule:
            name:
                f"sample_{study}_{number}"
            input:
                networks=made.networks,
            output:
                made.paths,
            log:
                f"logs/{study}/sample/{made.batch}.log",
            benchmark:
                f"logs/benchmarks/{study}/sample/{made.batch}.tsv"
            group:
                "data"
            params:
                study=study,
                files=made.about,
                seed=plan.settings.seed,
                code=plan.code_of("sample.py"),
            script:
                "../../scripts/sample.py"

    for number, made in enumerate(plan.noises_of(study), 1):

        rule:
            name:
                f"noise_{study}_{number}"
            input:
                codes=made.sources,
                networks=made.networks,
            output:
                made.paths,
            log:
                f"logs/{study}/noise/{made.batch}.log",
            benchmark:
                f"logs/benchmarks/{study}/noise/{made.batch}.tsv"
            group:
                "data"
            params:
                files=made.about,
                seed=plan.settings.seed,
                code=plan.code_of("noise.py"),
            script:
                "../../scripts/noise.py"

    for number, made in enumerate(plan.resamples_of(study), 1):

        rule:
            name:
                f"resample_{study}_{number}"
            input:
                made.sources,
            output:
                made.paths,
            log:
                f"logs/{study}/resample/{made.batch}.log",
            benchmark:
                f"logs/benchmarks/{study}/resample/{made.batch}.tsv"
            group:
                "data"
            params:
                study=study,
                files=made.about,
                seed=plan.settings.seed,
                code=plan.code_of("resample.py"),
            script:
                "../../scripts/resample.py"


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

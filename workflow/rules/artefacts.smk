# metrics -> tables, figures, claims, and one report; the lists of artefacts are in config/studies

for study in STUDIES:

    rule:
        name:
            f"tables_{study}"
        input:
            **artefact_inputs(study),
        output:
            expand(
                "results/{study}/tables/{table}.{kind}",
                study=study,
                table=STUDIES[study].tables,
                kind=["csv", "md", "tex", "json"],
            ),
            [
                report(
                    f"results/{study}/tables/{name}.html",
                    caption="../report/table.rst",
                    category=study,
                    subcategory="Tables",
                    labels=labels_of(name),
                )
                for name in STUDIES[study].tables
            ],
        log:
            f"logs/{study}/tables.log",
        benchmark:
            f"logs/benchmarks/{study}/tables.tsv"
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            about=artefact_params(study),
            code=code_of_show("tables.py", study),
        script:
            "../../scripts/tables.py"

    rule:
        name:
            f"figures_{study}"
        input:
            **artefact_inputs(study),
        output:
            expand(
                "results/{study}/figures/{figure}.{kind}",
                study=study,
                figure=STUDIES[study].figures,
                kind=["pdf", "png"],
            ),
            [
                report(
                    f"results/{study}/figures/{name}.svg",
                    caption="../report/figure.rst",
                    category=study,
                    subcategory="Figures",
                    labels=labels_of(name, captions_of(study)),
                )
                for name in STUDIES[study].figures
            ],
        log:
            f"logs/{study}/figures.log",
        benchmark:
            f"logs/benchmarks/{study}/figures.tsv"
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            about=artefact_params(study),
            code=code_of_show("figures.py", study),
        script:
            "../../scripts/figures.py"

    rule:
        name:
            f"claims_{study}"
        input:
            **artefact_inputs(study),
        output:
            claims=report(
                f"results/{study}/claims.csv",
                caption="../report/claims.rst",
                category=study,
                subcategory="Claims",
                labels={"artefact": "Claims"},
            ),
            answers=f"results/{study}/answers.csv",
        log:
            f"logs/{study}/claims.log",
        benchmark:
            f"logs/benchmarks/{study}/claims.tsv"
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            about=artefact_params(study),
            code=code_of_show("claims.py", study),
        script:
            "../../scripts/claims.py"


# Less work than to start a job on another machine.
rule report:
    input:
        metrics=[f"results/{study}/metrics.parquet" for study in STUDIES if BATCHES[study]],
        claims=expand("results/{study}/{kind}.csv", study=STUDIES, kind=["claims", "answers"]),
        artefacts=[
            path
            for study in STUDIES
            for path in (
                *expand("results/{study}/tables/{name}.json", study=study, name=STUDIES[study].tables),
                *expand("results/{study}/figures/{name}.svg", study=study, name=STUDIES[study].figures),
            )
        ],
        own=[f"results/datasets/{name}.parquet" for name in STUDIES if name == OWN],
        templates=[shipped(path.relative_to(ROOT)) for path in TEMPLATES],
    output:
        report("results/report.html", caption="../report/report.rst", category="All in one file"),
    log:
        "logs/report.log",
    benchmark:
        "logs/benchmarks/report.tsv"
    localrule: True
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        studies=[report_params(study) for study in STUDIES],
        benchmarks="logs/benchmarks",
        code=code_of("report.py"),
    script:
        "../../scripts/report.py"

# metrics -> tables, figures and claims of each study, and one report of all


rule show:
    input:
        unpack(plan.studies.inputs_of_study),
    output:
        tables=report(
            directory("results/{study}/tables"),
            patterns=["{name}.html"],
            caption="../report/table.rst",
            category="{study}",
            subcategory="Tables",
            labels=plan.studies.label_of_artefact,
        ),
        figures=report(
            directory("results/{study}/figures"),
            patterns=["{name}.svg"],
            caption="../report/figure.rst",
            category="{study}",
            subcategory="Figures",
            labels=plan.studies.label_of_artefact,
        ),
        claims=report(
            "results/{study}/claims.csv",
            caption="../report/claims.rst",
            category="{study}",
            subcategory="Claims",
            labels={"artefact": "Claims"},
        ),
    log:
        "logs/{study}/show.log",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        settings=plan.studies.settings_of_study,
        titles=plan.settings.titles,
        code=plan.studies.code_of_study,
    script:
        "../../scripts/show.py"


if plan.settings.data is not None:

    rule models:
        input:
            unpack(plan.studies.inputs_of_study),
        output:
            directory("results/{study}/models"),
        log:
            "logs/{study}/models.log",
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            settings=plan.studies.settings_of_study,
            code=plan.code_of("models.py"),
        script:
            "../../scripts/models.py"

    # four chains, which ask each other whether they agree: one job
    rule posterior:
        input:
            plan.checked.places.user(plan.settings.data),
        output:
            page="results/posterior.html",
            model="results/posterior.json",
        log:
            "logs/posterior.log",
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=4000,
            runtime=120,
        params:
            reading=reading_of(plan.settings),
            knowledge=plan.checked.knowledge,
            code=plan.code_of("posterior.py"),
        script:
            "../../scripts/posterior.py"


# Less work than to start a job on another machine.
rule report:
    input:
        plan.studies.inputs_of_report(),
    output:
        report("results/report.html", caption="../report/report.rst", category="All in one file"),
    log:
        "logs/report.log",
    localrule: True
    conda:
        "../../envs/cutpoint.yaml"
    params:
        studies=plan.studies.studies_of_report(),
        code=plan.code_of("report.py"),
    script:
        "../../scripts/report.py"

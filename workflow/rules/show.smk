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

    # Four chains. A job begins with all of them; those that take long go on in jobs of their own, and meet.
    checkpoint begin:
        input:
            plan.checked.places.user(plan.settings.data),
        output:
            state="results/chains/0.pickle",
            agreed="results/chains/0.txt",
        log:
            "logs/own/begin.log",
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=lambda wildcards, attempt: 4000 * 2 ** (attempt - 1),
            runtime=lambda wildcards, attempt: 120 * 4 ** (attempt - 1),
        params:
            reading=reading_of(plan.settings),
            knowledge=plan.checked.knowledge,
            code=plan.code_of("posterior.py"),
        script:
            "../../scripts/posterior.py"

    rule chain:
        input:
            lambda wildcards: f"results/chains/{int(wildcards.stage) - 1}.pickle",
        output:
            temp("results/chains/{stage}.{chain}.pickle"),
        log:
            "logs/own/chain/{stage}.{chain}.log",
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=lambda wildcards, attempt: 4000 * 2 ** (attempt - 1),
            runtime=lambda wildcards, attempt: 120 * 4 ** (attempt - 1),
        params:
            code=plan.code_of("chain.py"),
        script:
            "../../scripts/chain.py"

    checkpoint meet:
        input:
            lambda wildcards: f"results/chains/{int(wildcards.stage) - 1}.pickle",
            expand("results/chains/{{stage}}.{chain}.pickle", chain=range(CHAINS)),
        output:
            state="results/chains/{stage}.pickle",
            agreed="results/chains/{stage}.txt",
        log:
            "logs/own/meet/{stage}.log",
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=lambda wildcards, attempt: 4000 * 2 ** (attempt - 1),
            runtime=lambda wildcards, attempt: 10 * 4 ** (attempt - 1),
        params:
            code=plan.code_of("chain.py"),
        script:
            "../../scripts/chain.py"

    rule posterior:
        input:
            plan.checked.places.user(plan.settings.data),
            chains_that_agree,
        output:
            page="results/posterior.html",
            model="results/posterior.json",
        log:
            "logs/own/posterior.log",
        conda:
            "../../envs/cutpoint.yaml"
        resources:
            mem_mb=lambda wildcards, attempt: 4000 * 2 ** (attempt - 1),
            runtime=lambda wildcards, attempt: 120 * 4 ** (attempt - 1),
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

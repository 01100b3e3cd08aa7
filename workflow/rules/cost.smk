# `snakemake cost --cores 8 --config ...` prints what the selected studies will take, and runs none of their jobs.


rule cost:
    input:
        costs=shipped("data/costs.csv"),
    log:
        "logs/cost.log",
    localrule: True
    conda:
        "../../envs/cutpoint.yaml"
    params:
        page=lambda wildcards: plan.studies.forecast(workflow.cores or workflow.nodes or 1),
        code=plan.code_of("cost.py"),
    script:
        "../../scripts/cost.py"

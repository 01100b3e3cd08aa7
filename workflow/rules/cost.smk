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
        loads=plan.studies.loads,
        groups=plan.studies.cost_groups,
        limit=plan.settings.time_limit,
        cores=lambda wildcards: workflow.cores or workflow.nodes or 1,
        code=plan.code_of("cost.py"),
    script:
        "../../scripts/cost.py"

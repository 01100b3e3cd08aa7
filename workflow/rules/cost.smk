# `snakemake cost --cores 8 --config ...` prints what the selected studies will take, and runs none of their jobs.


rule cost:
    input:
        laws=shipped("data/costs.csv"),
    log:
        "logs/cost.log",
    localrule: True
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        loads=loads,
        groups={name: forecast.group_of(row) for name, row in METHODS.items()},
        limit=SETTINGS.time_limit,
        cores=lambda wildcards: workflow.cores or workflow.nodes or 1,
        code=code_of("cost.py"),
    script:
        "../../scripts/cost.py"

# What the selected studies will cost: `snakemake cost --cores 8 --config ...`. It prints, and runs nothing of them.


rule cost:
    input:
        laws=shipped("data/costs.csv"),
    log:
        "logs/cost.log",
    benchmark:
        "logs/benchmarks/cost.tsv"
    localrule: True
    params:
        loads=loads,
        groups={name: costs.group_of(row) for name, row in plan.checked.methods.items()},
        limit=plan.settings.time_limit,
        cores=lambda wildcards: workflow.cores or workflow.nodes or 1,
        code=plan.code_of("cost.py"),
    script:
        "../../scripts/cost.py"

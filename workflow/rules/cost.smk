# What the selected studies will cost: `snakemake cost --cores 8 --config ...`. It prints, and runs nothing of them.


rule cost:
    input:
        laws=shipped("data/costs.csv"),
    log:
        "logs/cost.log",
    benchmark:
        "logs/benchmarks/cost.tsv"
    localrule: True
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        loads=loads,
        groups={name: costs.group_of(row) for name, row in METHODS.items()},
        limit=SETTINGS.time_limit,
        cores=lambda wildcards: workflow.cores or workflow.nodes or 1,
        code=code_of("cost.py"),
    script:
        "../../scripts/cost.py"

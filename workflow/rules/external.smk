# What rules of external methods are made from, in workflow/rules/methods: `use rule program as NAME with:`. The wildcard
# `job` selects the rows; the code of NAME is scripts/methods/NAME.*. Paths start at ROOT, as
# Snakemake takes relative ones from the folder of the rule that uses these.


# a command on the CSV files of each data set; also the rule of rows that name a command of their own
rule program:
    input:
        data=plan.data_of_batch,
    output:
        edges="results/{study}/batches/{batch}/methods/{job}/edges.parquet",
        thresholds="results/{study}/batches/{batch}/methods/{job}/thresholds.parquet",
        runs="results/{study}/batches/{batch}/methods/{job}/runs.parquet",
    log:
        "logs/{study}/learn/{batch}/{job}.log",
    benchmark:
        "logs/benchmarks/{study}/learn/{batch}/{job}.tsv"
    wildcard_constraints:
        job="program",
    group:
        "batch"
    resources:
        mem_mb=plan.memory,
        runtime=plan.minutes,
    params:
        methods=plan.methods_of_job,
        command=None,
        limits=plan.limits,
        code=plan.code_of_external("program.py"),
    script:
        f"{ROOT}/scripts/program.py"


# Made by the master: the nodes of a cluster often have no way out, and no uv.
rule environment:
    input:
        requirements=environments.file_of,
    output:
        directory("results/environments/{program}"),
    log:
        "logs/environment/{program}.log",
    benchmark:
        "logs/benchmarks/environment/{program}.tsv"
    wildcard_constraints:
        program="[^/]+",
    localrule: True
    params:
        code=plan.code_of("environment.py"),
    script:
        f"{ROOT}/scripts/environment.py"


# the function `learn` of a Python file on the arrays of each data set, here or in the environment of its `requirements`
rule function:
    input:
        data=plan.data_of_batch,
        environments=environments.of_job,
    output:
        edges="results/{study}/batches/{batch}/methods/{job}/edges.parquet",
        thresholds="results/{study}/batches/{batch}/methods/{job}/thresholds.parquet",
        runs="results/{study}/batches/{batch}/methods/{job}/runs.parquet",
    log:
        "logs/{study}/learn/{batch}/{job}.log",
    benchmark:
        "logs/benchmarks/{study}/learn/{batch}/{job}.tsv"
    wildcard_constraints:
        job="function",
    group:
        "batch"
    resources:
        mem_mb=plan.memory,
        runtime=plan.minutes,
    params:
        methods=plan.methods_of_job,
        file=None,
        requirements=None,
        limits=plan.limits,
        code=plan.code_of_external("function.py"),
    script:
        f"{ROOT}/scripts/function.py"

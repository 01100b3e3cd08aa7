# What rules of external methods are made from, in workflow/rules/methods: `use rule program as NAME with:`. The wildcard
# `job` selects the rows; the code of NAME is scripts/methods/NAME.*. Paths start at ROOT, as
# Snakemake takes relative ones from the folder of the rule that uses these.


# a command on the CSV files of each data set; also the rule of rows that name a command of their own
rule program:
    input:
        data="results/{study}/{source}/{batch}/values.parquet",
        discretized=plan.of_batch(plan.methods.discretized, "job"),
    output:
        edges="results/{study}/{source}/{batch}/learned/{job}/edges.parquet",
        thresholds="results/{study}/{source}/{batch}/learned/{job}/thresholds.parquet",
        runs="results/{study}/{source}/{batch}/learned/{job}/runs.parquet",
    log:
        "logs/{study}/external/{source}/{batch}/{job}.log",
    wildcard_constraints:
        job="program",
    priority: 1
    group:
        "batch"
    conda:
        f"{ROOT}/envs/cutpoint.yaml"
    resources:
        mem_mb=plan.methods.memory,
        runtime=plan.methods.minutes,
    params:
        todo=plan.of_batch(plan.methods.learn, "job"),
        command=None,
        code=plan.methods.code_of_external("program.py"),
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
    wildcard_constraints:
        program="[^/]+",
    localrule: True
    conda:
        f"{ROOT}/envs/cutpoint.yaml"
    params:
        code=plan.code_of("environment.py"),
    script:
        f"{ROOT}/scripts/environment.py"


# the function `learn` of a Python file on the arrays of each data set, here or in the environment of its `requirements`
rule function:
    input:
        data="results/{study}/{source}/{batch}/values.parquet",
        discretized=plan.of_batch(plan.methods.discretized, "job"),
        environments=plan.of_batch(environments.of_job, "job"),
    output:
        edges="results/{study}/{source}/{batch}/learned/{job}/edges.parquet",
        thresholds="results/{study}/{source}/{batch}/learned/{job}/thresholds.parquet",
        runs="results/{study}/{source}/{batch}/learned/{job}/runs.parquet",
    log:
        "logs/{study}/external/{source}/{batch}/{job}.log",
    wildcard_constraints:
        job="function",
    priority: 1
    group:
        "batch"
    conda:
        f"{ROOT}/envs/cutpoint.yaml"
    resources:
        mem_mb=plan.methods.memory,
        runtime=plan.methods.minutes,
    params:
        todo=plan.of_batch(plan.methods.learn, "job"),
        file=None,
        requirements=None,
        code=plan.methods.code_of_external("function.py"),
    script:
        f"{ROOT}/scripts/function.py"

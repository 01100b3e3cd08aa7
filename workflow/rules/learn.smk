# values and thresholds -> edges, by kind of method; programs of others stand in external.smk. A job that runs again keeps
# the runs that would be made from the same, see src/cutpoint/bench/runs/finished.py.


# from thresholds that were found before
rule learn:
    input:
        data="results/{study}/{source}/{batch}/values.parquet",
        discretized=plan.of_batch(plan.methods.discretized, "job"),
    output:
        edges="results/{study}/{source}/{batch}/learned/{job}/edges.parquet",
        thresholds="results/{study}/{source}/{batch}/learned/{job}/thresholds.parquet",
        runs="results/{study}/{source}/{batch}/learned/{job}/runs.parquet",
    log:
        "logs/{study}/learn/{source}/{batch}/{job}.log",
    wildcard_constraints:
        job=plan.methods.jobs.pattern("prediscretization"),
    group:
        "batch"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=plan.methods.memory,
        runtime=plan.methods.minutes,
    params:
        todo=plan.of_batch(plan.methods.learn, "job"),
        code=plan.of_batch(plan.methods.code_of_learn, "job"),
    script:
        "../../scripts/learn.py"


# thresholds and structure in turns; what takes longest begins first, so that no core waits for it in the end
use rule learn as learn_integrated with:
    input:
        data="results/{study}/{source}/{batch}/values.parquet",
        discretized=[],
    log:
        "logs/{study}/learn_integrated/{source}/{batch}/{job}.log",
    wildcard_constraints:
        job=plan.methods.jobs.pattern("integrated"),
    priority: 1


# without a discretization
use rule learn_integrated as learn_direct with:
    log:
        "logs/{study}/learn_direct/{source}/{batch}/{job}.log",
    wildcard_constraints:
        job=plan.methods.jobs.pattern("direct"),


# from the codes behind simulated values: what no discretization can know
use rule learn_integrated as learn_reference with:
    input:
        data="results/{study}/{source}/{batch}/{job}.parquet",
        discretized=[],
    log:
        "logs/{study}/learn_reference/{source}/{batch}/{job}.log",
    wildcard_constraints:
        job=plan.methods.jobs.pattern("reference"),
        source="simulated",

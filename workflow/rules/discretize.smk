# continuous values -> thresholds, for methods that discretize before they learn: a rule for each job of these

for job in plan.jobs.discretizing:

    rule:
        name:
            f"discretize_{job}"
        input:
            data=plan.data_of_batch,
        output:
            runs="results/{study}/batches/{batch}/discretizers/{job}/runs.parquet",
            thresholds="results/{study}/batches/{batch}/discretizers/{job}/thresholds.parquet",
        log:
            "logs/{study}/discretize/{batch}/{job}.log",
        benchmark:
            "logs/benchmarks/{study}/discretize/{batch}/{job}.tsv"
        wildcard_constraints:
            job=re.escape(job),
        group:
            "batch"
        resources:
            mem_mb=plan.memory,
            runtime=plan.minutes,
        params:
            discretizers=plan.discretizers_of_job,
            limits=plan.limits,
            code=plan.code_of_discretizers,
        script:
            "../../scripts/discretize.py"

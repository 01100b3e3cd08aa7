# values and thresholds -> edges: a rule for each job of methods; external methods bring their own, see external.smk

for job in plan.internal_jobs:

    rule:
        name:
            f"learn_{job}"
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
            job=re.escape(job),
        group:
            "batch"
        resources:
            mem_mb=plan.memory,
            runtime=plan.minutes,
        params:
            methods=plan.methods_of_job,
            limits=plan.limits,
            code=plan.code_of_job,
        script:
            "../../scripts/learn.py"

# PC of the Tetrad group's Python port: an external method, and the example of one.
# A rule that writes edges, thresholds and runs for the data files of a batch is all it takes.


rule tetrad_pc:
    input:
        data=plan.data_of_batch,
    output:
        edges="results/{study}/batches/{batch}/methods/tetrad_pc/edges.parquet",
        thresholds="results/{study}/batches/{batch}/methods/tetrad_pc/thresholds.parquet",
        runs="results/{study}/batches/{batch}/methods/tetrad_pc/runs.parquet",
    log:
        "logs/{study}/learn/{batch}/tetrad_pc.log",
    benchmark:
        "logs/benchmarks/{study}/learn/{batch}/tetrad_pc.tsv"
    group:
        "batch"
    conda:
        "../../../envs/causal-learn.yaml"
    resources:
        mem_mb=plan.memory,
        runtime=plan.minutes,
    params:
        row=plan.science.get("tetrad_pc"),
        limits=plan.limits,
        code=plan.code_of("tetrad_pc.py"),
    script:
        "../../../scripts/tetrad_pc.py"

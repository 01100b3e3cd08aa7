# Compile all kernels beforehand: `snakemake warm`. Nothing depends on it, since Snakemake does not look for changes in jobs
# downstream of one that runs again; jobs compile for themselves what they do not find, one at a time.


rule warm:
    output:
        touch("results/kernels.warm"),
    log:
        "logs/warm.log",
    benchmark:
        "logs/benchmarks/warm.tsv"
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=plan.memory,
        runtime=30,
    params:
        methods=plan.built_in,
        limits=plan.limits,
        code=plan.kernels,
    script:
        "../../scripts/warm.py"

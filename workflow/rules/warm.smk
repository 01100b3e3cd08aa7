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
        mem_mb=SETTINGS.memory_limit + 500,
        runtime=10,
    params:
        methods={name: PARSED[name].plain() for name in INTERNAL},
        limits=(SETTINGS.time_limit, SETTINGS.memory_limit),
        code=KERNELS,
    script:
        "../../scripts/warm.py"

# Compile all kernels and make the environments of other programs beforehand: `snakemake warm`. Nothing depends on the
# kernels, since Snakemake does not look for changes in jobs downstream of one that runs again; jobs compile for
# themselves what they do not find, one at a time.


rule warm:
    input:
        environments.selected,
    output:
        touch("results/kernels.warm"),
    log:
        "logs/warm.log",
    conda:
        "../../envs/cutpoint.yaml"
    resources:
        mem_mb=plan.methods.memory,
        runtime=30,
    params:
        methods=plan.methods.built_in,
        code=lambda wildcards: plan.code_of("warm.py", *PACKAGE.glob("kernels/*.py")),
    script:
        "../../scripts/warm.py"

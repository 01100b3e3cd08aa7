# The door: the workflow is workflow/Snakefile; this file lets `snakemake` find it from the root.


include: "workflow/Snakefile"


workflow.default_target = "all"

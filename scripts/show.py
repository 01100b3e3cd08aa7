"""Write the tables, figures and claims of a study."""

from pathlib import Path

from cutpoint.bench.engine.inputs import read_inputs
from cutpoint.bench.engine.show import show
from cutpoint.bench.runs.jobs import job, keep

if __name__ == "__main__":
    with job(snakemake.log[0]):
        params = snakemake.params
        inputs = read_inputs(**snakemake.input, **params.settings)
        folder = Path(snakemake.output.claims).parent
        show(inputs, folder, titles=params.titles)
        keep(folder)

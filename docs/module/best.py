"""Write the mean structural Hamming distance of every method, the best one first.

Means can be compared over the same runs only: of one grid, as some methods run in others too, at other noise levels.
"""

import csv

import pyarrow.compute as pc
import pyarrow.parquet as pq

GRID, SIGMA = "simulated", 0.35

runs = pq.read_table(snakemake.input[0], columns=["grid", "sigma", "method", "shd_fu2005"])
runs = runs.filter((pc.field("grid") == GRID) & (pc.field("sigma") == SIGMA) & pc.field("shd_fu2005").is_valid())
means = runs.group_by("method").aggregate([("shd_fu2005", "mean"), ("shd_fu2005", "count")])
with open(snakemake.output[0], "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["method", "mean_shd", "runs"])
    for row in means.sort_by("shd_fu2005_mean").to_pylist():
        writer.writerow([row["method"], row["shd_fu2005_mean"], row["shd_fu2005_count"]])

"""Write the mean structural Hamming distance of every method, the best one first."""

import csv

import pyarrow.compute as pc
import pyarrow.parquet as pq

runs = pq.read_table(snakemake.input[0], columns=["method", "status", "shd_fu2005"])
runs = runs.filter(pc.is_valid(runs["shd_fu2005"]))
means = runs.group_by("method").aggregate([("shd_fu2005", "mean"), ("shd_fu2005", "count")])
with open(snakemake.output[0], "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["method", "mean_shd", "runs"])
    for row in means.sort_by("shd_fu2005_mean").to_pylist():
        writer.writerow([row["method"], row["shd_fu2005_mean"], row["shd_fu2005_count"]])

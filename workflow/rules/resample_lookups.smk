# What rules look up about own data and about replicates that are drawn from a data set.


def resample_of(wildcards):
    """Return the options of a way to draw replicates from a data set, with the number of its folds where it has any."""
    study = STUDIES[wildcards.study]
    found = study.resamples[wildcards.resample].model_dump()
    for name, grid in study.grids.items():
        if study.folds_of(name) and wildcards.resample in grid.resamples and wildcards.dataset in grid.datasets:
            found["folds"] = study.scales[SETTINGS.scale].of("replicates", name)
    return found


def resampled(study):
    """Return the batches whose replicates are samples of a data set that show how sure an edge is."""
    grids, batches = STUDIES[study].grids, BATCHES[study].items()
    return [name for name, b in batches if grids[b.grid].resamples and not STUDIES[study].folds_of(b.grid)]


def parted(study):
    """Return the batches whose replicates are the folds of a cross-validation."""
    return [name for name, batch in BATCHES[study].items() if STUDIES[study].folds_of(batch.grid)]


def wholes_of_batch(wildcards):
    """Return the files of the data sets that the replicates of a batch are drawn from, in the order of its cells."""
    return [f"results/datasets/{cell.dataset}.parquet" for cell in batch_of(wildcards).cells]


def folds_of_batch(wildcards):
    """Return the cells of a batch with the name of their resample and the number of folds."""
    batch, study = batch_of(wildcards), STUDIES[wildcards.study]
    number = study.scales[SETTINGS.scale].of("replicates", batch.grid)
    return [{"cell": cell.name, "resample": cell.resample, "folds": number} for cell in batch.cells]


def held_out_of_study(wildcards):
    """Return the held-out likelihoods of all batches of a study that have any."""
    return [f"results/{wildcards.study}/batches/{name}/held_out.parquet" for name in parted(wildcards.study)]


def truth_of(study):
    """Return the file of the true network of own data, if the user gives one."""
    return [NETWORKS[plan.stem(SETTINGS.truth)]] if study == OWN and SETTINGS.truth else []

# Looked up for `snakemake cost`, the work of all selected studies.


def loads(wildcards):
    """Return the work of all selected studies, as plain values."""
    variables = {name: len(read_network(file).variables) for name, file in NETWORKS.items()}
    own = OWN_DATA.values.shape if OWN_DATA else None
    found = []
    for name, study in STUDIES.items():
        sizes = forecast.sizes(study, variables, DATASETS, own)
        found.append(vars(forecast.load_of(name, study, SETTINGS.scale, BATCHES[name].values(), JOB, sizes)))
    return found

# Looked up for `snakemake cost`, the work of all selected studies.


def size_of(study):
    """Return a function that gives the records and variables of a cell; means where replicates differ."""

    def size(cell):
        if cell.dataset == OWN:
            return OWN_DATA.values.shape if OWN_DATA else (0, 0)
        if cell.dataset:
            entry = DATASETS[cell.dataset]
            columns = len(entry.get("columns") or ()) - len(entry.get("dropped") or ())
            return entry.get("rows") or 1000, entry.get("variables") or max(columns, 1)
        if cell.network in STUDIES[study].random_networks:
            return cell.n, sum(STUDIES[study].random_networks[cell.network].nodes) / 2
        return cell.n, variables[cell.network]

    cells = [cell for batch in BATCHES[study].values() for cell in batch.cells]
    named = {cell.network for cell in cells if cell.network} - set(STUDIES[study].random_networks)
    variables = {network: len(read_network(NETWORKS[plan.stem(network)]).variables) for network in named}
    return size


def loads(wildcards):
    """Return the work of all selected studies."""
    parts = workload.Parts(JOB, DISCRETIZER_OF, {JOB[name] for name in EXTERNAL})
    found = []
    for name, study in STUDIES.items():
        options = study.scales[SETTINGS.scale].experiments
        made = [(experiment, options.get(experiment, {})) for experiment in study.experiments]
        load = workload.load_of(name, study, BATCHES[name], parts, size_of(name), made)
        found.append(load.plain())
    return found

# Looked up for `snakemake cost`, the work of all selected studies.

from cutpoint.networks.network import read_network
from cutpoint.tools import costs, workload
from cutpoint.workflow.plan import stem
from cutpoint.workflow.settings import OWN


def size_of(study):
    """Return a function that gives the records and variables of a cell; means where replicates differ."""
    families = plan.studies[study].random_networks

    def size(cell):
        if cell.dataset == OWN:
            return plan.checked.own.values.shape if plan.checked.own else (0, 0)
        if cell.dataset:
            entry = plan.checked.datasets[cell.dataset]
            columns = len(entry.get("columns") or ()) - len(entry.get("dropped") or ())
            return entry.get("rows") or 1000, entry.get("variables") or max(columns, 1)
        if cell.network in families:
            return cell.n, sum(families[cell.network].nodes) / 2
        return cell.n, variables[cell.network]

    cells = [cell for batch in plan.batches[study].values() for cell in batch.cells]
    named = {cell.network for cell in cells if cell.network} - set(families)
    variables = {network: len(read_network(plan.checked.networks[stem(network)]).variables) for network in named}
    return size


def loads(wildcards):
    """Return the work of all selected studies."""
    external = {plan.jobs.of[name] for name in plan.jobs.external}
    parts = workload.Parts(plan.jobs.of, plan.jobs.discretizer_of, external)
    found = []
    for name, study in plan.studies.items():
        options = study.scales[plan.settings.scale].experiments
        made = [(experiment, options.get(experiment, {})) for experiment in study.experiments]
        load = workload.load_of(name, study, plan.batches[name], parts, size_of(name), made)
        found.append(load.plain())
    return found

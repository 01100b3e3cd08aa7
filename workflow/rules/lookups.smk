# What rules look up for their wildcards: files, methods and parameters.


def code_of(script, *functions):
    """Fingerprint a script and the functions it looks up, so that a change in them reruns its jobs."""
    return fingerprint(SCRIPTS / script, *functions)


@cache
def code_of_method(name):
    """Fingerprint what one method is made of."""
    return code_of("learn.py", *PARSED[name].paths)


@cache
def code_of_discretizer(name):
    """Fingerprint what finds the thresholds of a shared discretization."""
    return code_of("discretize.py", DISCRETIZERS[name].path)


def families_of(study):
    """Return the options of the families of random networks that a study draws data from."""
    used = {c.network for b in BATCHES[study].values() for c in b.cells}
    return {name: family.model_dump() for name, family in STUDIES[study].random_networks.items() if name in used}


def family_size(study, family):
    """Return how many networks of a family a study needs: one for each replicate."""
    return max(b.last + 1 for b in BATCHES[study].values() for c in b.cells if c.network == family)


def network_files(study, network, first, last):
    """Return the file of a network, or those of a family, one for each replicate."""
    if network not in STUDIES[study].random_networks:
        return [NETWORKS[plan.stem(network)]]
    return [f"results/{study}/networks/{network}-{r}.bif" for r in range(first, last + 1)]


def networks_of_data(wildcards):
    """Return the files of the networks that data are drawn from."""
    first, last = map(int, wildcards.replicates.split("-"))
    return network_files(wildcards.study, wildcards.network, first, last)


def noise_of(wildcards):
    """Return the options of a noise."""
    return STUDIES[wildcards.study].noises[wildcards.noise].model_dump()


def own_file(wildcards):
    """Return the user's own file for a data set, if there is one."""
    path = SETTINGS.files.get(wildcards.dataset)
    return user_path(path) if path else []


def batch_of(wildcards):
    """Return the batch of a job."""
    return BATCHES[wildcards.study][wildcards.batch]


def methods_of_batch(wildcards):
    """Return the methods that run on a batch."""
    return batch_of(wildcards).methods


def own_jobs_of_batch(wildcards):
    """Return the jobs of a batch that are not of programs and functions of another's making."""
    return own_jobs_of_batches(wildcards.study, [wildcards.batch])


def own_jobs_of_batches(study, batches):
    """Return the jobs of some batches that are not of programs and functions of another's making."""
    jobs = {JOB[method] for name in batches for method in BATCHES[study][name].methods}
    return sorted(jobs & set(INTERNAL_JOBS))


def grid_of_batch(wildcards):
    """Return the grid that a batch is a part of."""
    return batch_of(wildcards).grid


def data_of_batch(wildcards, name="continuous"):
    """Return the data files of a batch, in the order of its cells."""
    batch = batch_of(wildcards)
    folder, files = f"results/{wildcards.study}/data", []
    for cell in batch.cells:
        if cell.resample:
            files.append(f"{folder}/{cell.dataset}/{cell.resample}/{batch.replicates}/continuous.parquet")
        elif cell.dataset:
            files.append(f"results/datasets/{cell.dataset}.parquet")
        else:
            network = plan.stem(cell.network)
            files.append(f"{folder}/{network}/n{cell.n}/{batch.replicates}/{cell.noise}/{name}.parquet")
    return files


def tests_of_batch(wildcards):
    """Return the files of the records of a batch that are held out."""
    return data_of_batch(wildcards, "test")


def codes_of_batch(wildcards):
    """Return the files of the true codes of a batch, in the order of its cells."""
    batch = batch_of(wildcards)
    folder = f"results/{wildcards.study}/data"
    return [f"{folder}/{plan.stem(c.network)}/n{c.n}/{batch.replicates}/discrete.parquet" for c in batch.cells]


def networks_of_batch(wildcards):
    """Return the files of the true networks of a batch."""
    batch = batch_of(wildcards)
    files = [network_files(wildcards.study, c.network, batch.first, batch.last) for c in batch.cells if c.network]
    return list(dict.fromkeys(path for paths in files for path in paths)) + truth_of(wildcards.study)


def shares_of_batch(wildcards):
    """Return the shares of the Markov blanket from which the methods of a batch predict."""
    return STUDIES[wildcards.study].grids[batch_of(wildcards).grid].predict


def methods_of_job(wildcards):
    """Return the methods of a job that run on its batch, as plain data."""
    return {name: PARSED[name].plain() for name in batch_of(wildcards).methods if JOB[name] == wildcards.job}


def discretizer_names_of_job(wildcards):
    """Return the discretization that each method of a job learns from, by method."""
    return {name: DISCRETIZER_OF[name] for name in methods_of_job(wildcards) if name in DISCRETIZER_OF}


def discretizers_of_job(wildcards):
    """Return the discretizations that a job finds for the methods of its batch, its own and other jobs'."""
    needed = {DISCRETIZER_OF[name] for name in batch_of(wildcards).methods if name in DISCRETIZER_OF}
    return {name: asdict(part) for name, part in DISCRETIZERS.items() if name in needed and JOB[name] == wildcards.job}


def code_of_job(wildcards):
    """Return the fingerprints of the methods of a job that run on its batch."""
    return {name: code_of_method(name) for name in methods_of_job(wildcards)}


def code_of_discretizers(wildcards):
    """Return the fingerprints of the discretizations that a job finds."""
    return {name: code_of_discretizer(name) for name in discretizers_of_job(wildcards)}


def code_of_external(script, name=None):
    """Return a function that fingerprints a script, the code of a name (else the job's) beside it, and users' programs."""

    def code(wildcards):
        options = [method["options"] for method in methods_of_job(wildcards).values()]
        own = [word for one in options for word in programs.words(one.get("command", ""))]
        own += [str(one[key]) for one in options for key in ("file", "requirements") if key in one]
        found = [*sorted(EXTERNAL_CODE.glob(f"{name or wildcards.job}.*")), *filter(os.path.isfile, own)]
        python = [path for path in found if str(path).endswith(".py")]
        return [code_of(script, *python), *(programs.digest(path) for path in found if path not in python)]

    return code


def policies_of_job(kind):
    """Return a function that lists one kind of file of the discretizations that a job learns from."""

    def files(wildcards):
        folder = f"results/{wildcards.study}/batches/{wildcards.batch}/discretizers"
        jobs = dict.fromkeys(JOB[name] for name in discretizer_names_of_job(wildcards).values())
        return [f"{folder}/{job}/{kind}.parquet" for job in jobs]

    return files


def results_of_batch(kind):
    """Return a function that lists one kind of file over the jobs of a batch."""

    def files(wildcards):
        return results_of_batches(wildcards.study, [wildcards.batch], kind)

    return files


def results_of_batches(study, batches, kind):
    """Return one kind of file over the jobs of some batches."""
    found = []
    for name in batches:
        jobs = dict.fromkeys(JOB[method] for method in BATCHES[study][name].methods)
        found += [f"results/{study}/batches/{name}/methods/{job}/{kind}.parquet" for job in jobs]
    return found


def metrics_of_study(wildcards):
    """Return the metrics of all batches of a study."""
    return [f"results/{wildcards.study}/batches/{batch}/metrics.parquet" for batch in BATCHES[wildcards.study]]


def predictions_of_study(wildcards):
    """Return the predictions of all batches of a study that make any."""
    grids = STUDIES[wildcards.study].grids
    batches = BATCHES[wildcards.study].items()
    return [
        f"results/{wildcards.study}/batches/{name}/predictions.parquet" for name, b in batches if grids[b.grid].predict
    ]


def minutes(wildcards, input):
    """Return a generous run time of a batch job for a scheduler: every run at its limit is rare."""
    return max(10, int(SETTINGS.time_limit / 60) * 2)


def methods_of_study(study):
    """Return the names of all methods that run in a study, in the order of the tables."""
    experiments = STUDIES[study].scales[SETTINGS.scale].experiments.values()
    lists = [batch.methods for batch in BATCHES[study].values()] + [o.get("methods", ()) for o in experiments]
    return list(dict.fromkeys(name for names in lists for name in names))


def everything():
    """Return all results of runs: under an up-to-date report Snakemake does not remake what a failed job left out."""
    found = []
    for study, batches in BATCHES.items():
        for name, batch in batches.items():
            folder = f"results/{study}/batches/{name}"
            found += [f"{folder}/methods/{job}/runs.parquet" for job in dict.fromkeys(JOB[m] for m in batch.methods)]
            found += [f"{folder}/metrics.parquet"]
            found += [f"{folder}/predictions.parquet"] if STUDIES[study].grids[batch.grid].predict else []
            found += [f"{folder}/held_out.parquet"] if STUDIES[study].folds_of(batch.grid) else []
            found += [f"results/datasets/{cell.dataset}.parquet" for cell in batch.cells if cell.dataset]
    return list(dict.fromkeys(found))


def check_external(rules):
    """End where the rule of an external row is missing."""
    for name in EXTERNAL:
        wanted = METHODS[name]["rule"]
        if not any(known == wanted or known.endswith(f"_{wanted}") for known in rules):  # a module has a prefix
            known = [path.stem for path in sorted((ROOT / "workflow" / "rules" / "methods").glob("*.smk"))]
            near = suggest(wanted, ["program", "function", *known])
            sys.exit(f"cutpoint: methods.yaml: {name}: rule: no rule {wanted!r} in workflow/rules/methods{near}")
        for shared, key in (("program", "command"), ("function", "file")):
            if wanted == shared and not METHODS[name].get(key):
                sys.exit(f"cutpoint: methods.yaml: {name}: {key}: missing; the rule {wanted!r} needs it")
        try:
            programs.words(METHODS[name].get("command", ""))
        except InputError as problem:
            sys.exit(f"cutpoint: methods.yaml: {name}: {problem}")

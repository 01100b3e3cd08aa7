# What tables, figures, claims and the report are made from, and how they are called.


def artefact_inputs(study):
    """Return the files that tables, figures and claims of a study are made from."""
    batches = BATCHES[study].values()
    networks = [
        path for b in batches for c in b.cells if c.network for path in network_files(study, c.network, 0, b.last)
    ]
    sets = dict.fromkeys(c.dataset for b in batches for c in b.cells if c.dataset)
    predicts = any(STUDIES[study].grids[b.grid].predict for b in batches)
    shown = [name for name, b in BATCHES[study].items() if STUDIES[study].grids[b.grid].graphs]
    return {
        "metrics": f"results/{study}/metrics.parquet" if batches else [],
        "edges": f"results/{study}/edges.parquet" if resampled(study) else [],
        "held_out": f"results/{study}/held_out.parquet" if parted(study) else [],
        **{f"learned_{kind}": results_of_batches(study, shown, kind) for kind in ("runs", "edges", "thresholds")},
        "experiments": [f"results/{study}/experiments/{name}.parquet" for name in STUDIES[study].experiments],
        "predictions": f"results/{study}/predictions.parquet" if predicts else [],
        "networks": sorted({*networks, *truth_of(study)}),
        "datasets": [f"results/datasets/{name}.parquet" for name in sets],
        "published": [shipped(path.relative_to(ROOT)) for path in printed_files(study)],
    }


def artefact_params(study):
    """Return what artefacts need to know beside their files."""
    rows = [
        {"name": name, "label": METHODS[name]["label"], "category": METHODS[name]["category"]}
        for name in methods_of_study(study)
    ]
    own_jobs = own_jobs_of_batches(study, BATCHES[study])
    return {"study": study, "methods": rows, "own_jobs": own_jobs, "scale": SETTINGS.scale, "seed": SETTINGS.seed}


def code_of_show(script, study):
    """Fingerprint what makes the artefacts of a study, and what it declares of them."""
    return [code_of(script, *modules_of(study)), digest(study)]


def captions_of(study):
    """Return what to look at in each figure of a study."""
    return artefacts_of(study).figures


def labels_of(name, captions=MappingProxyType({})):
    """Return how Snakemake's own report names an artefact."""
    look = {"look at": captions[name]} if name in captions else {}
    return {"artefact": name[:1].upper() + name[1:].replace("_", " "), **look}


def report_params(study):
    """Return what the report says of a study beside its artefacts."""
    rows = [
        {
            "label": METHODS[name]["label"],
            "category": METHODS[name]["category"],
            "settings": ", ".join(f"{k}: {v}" for k, v in rows_file.settings_of(METHODS[name]).items()),
            "note": METHODS[name].get("note", ""),
        }
        for name in methods_of_study(study)
    ]
    return {
        "name": study,
        "study": STUDIES[study].model_dump(mode="json"),
        "scale": SETTINGS.scale,
        "seed": SETTINGS.seed,
        "limits": [SETTINGS.time_limit, SETTINGS.memory_limit],
        "methods": rows,
        "rows": {name: METHODS[name] for name in methods_of_study(study)},
        "command": command_of(study),
    }


def command_of(study):
    """Return the command that makes the results of one study again, with the settings that are not those of the file."""
    usual = configs.read_yaml(ROOT / "config" / "config.yaml")
    given = SETTINGS.model_dump(exclude={"studies", "study"})
    changed = [f"{key}={json.dumps(value)}" for key, value in given.items() if key in usual and value != usual[key]]
    which = "" if study == "own" else f" study={study}"
    return f"uv run snakemake --cores all --config{which} {shlex.join(changed)}".rstrip()


TEMPLATES = sorted((ROOT / "src" / "cutpoint" / "templates").glob("*.*"))

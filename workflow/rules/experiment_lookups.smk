# For experiments: options, and the methods that run in their own job.


def options_of_experiment(wildcards):
    """Return the options of an experiment at the scale of the run."""
    return STUDIES[wildcards.study].scales[SETTINGS.scale].experiments.get(wildcards.experiment, {})


def methods_of_experiment(wildcards):
    """Return the rows of the methods that an experiment runs."""
    return {name: SCIENCE[name] for name in options_of_experiment(wildcards).get("methods", ())}


def code_of_experiment(wildcards):
    """Fingerprint the experiments of a study and the methods that one of them runs."""
    rows = [METHODS[name] for name in methods_of_experiment(wildcards)]
    parts = [path for row in rows for path in assembly.functions_of(row).values()]
    return code_of("experiment.py", f"cutpoint.studies.{wildcards.study}.experiments:EXPERIMENTS", *parts)

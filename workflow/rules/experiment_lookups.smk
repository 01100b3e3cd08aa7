# For experiments: options, and the methods that run in their own job.


def options_of_experiment(wildcards):
    """Return the options of an experiment at the scale of the run."""
    return STUDIES[wildcards.study].scales[SETTINGS.scale].experiments.get(wildcards.experiment, {})


def methods_of_experiment(wildcards):
    """Return the methods that an experiment runs."""
    return {name: PARSED[name].plain() for name in options_of_experiment(wildcards).get("methods", ())}


def code_of_experiment(wildcards):
    """Fingerprint the experiments of a study and the methods that one of them runs."""
    parts = [path for name in methods_of_experiment(wildcards) for path in PARSED[name].paths]
    return code_of("experiment.py", f"cutpoint.studies.{wildcards.study}.experiments:EXPERIMENTS", *parts)

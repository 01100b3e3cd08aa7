"""What the Snakefile asks for: settings, plan, files of jobs, fingerprints."""

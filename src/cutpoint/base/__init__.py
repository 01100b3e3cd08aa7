"""What every room uses: errors, wording, seeds, scaling, YAML files, users' code."""

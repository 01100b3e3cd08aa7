"""Subcommands of `cutpoint` that run the workflow or add to it."""

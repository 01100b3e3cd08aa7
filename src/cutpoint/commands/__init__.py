"""The subcommands of `cutpoint` that run on a user's file: each a module with `add_arguments` and `run`."""

"""The subcommands of `cutpoint`, a module each: `add_arguments(parser)`, `run(arguments)`, a docstring as help."""

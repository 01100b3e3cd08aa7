"""What every room stands on: errors, words, seeds, scaling, YAML, users' code; imports nothing of cutpoint."""

"""What every room stands on: errors, wording, seeds, scaling, YAML, code of users; imports nothing of cutpoint."""

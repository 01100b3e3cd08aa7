"""How good a learned graph and its thresholds are, one data set at a time; imports discretization and rooms below."""

"""How good a learned graph and its thresholds are; imports learners, networks, data and what is below them."""

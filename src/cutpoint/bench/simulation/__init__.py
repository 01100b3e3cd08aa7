"""Makes data sets: noise around codes, intervals, structural equations, measurement, missing cells."""

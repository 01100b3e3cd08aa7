"""How continuous values come about: noise around codes, intervals, structural equations, measurement, gaps."""

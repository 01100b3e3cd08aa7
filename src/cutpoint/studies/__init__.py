"""One package per paper: TABLES, FIGURES and CLAIMS in modules of these names, all made from `Inputs`."""

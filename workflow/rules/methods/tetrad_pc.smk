# PC of the Tetrad group's Python port with all its defaults: the row that Fu's tables print
use rule causal_learn as tetrad_pc with:
    wildcard_constraints:
        job="tetrad_pc",
    params:
        code=plan.methods.code_of_external("function.py", "causal_learn"),

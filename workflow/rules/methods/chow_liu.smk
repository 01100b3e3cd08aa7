use rule program as chow_liu with:
    wildcard_constraints:
        job="chow_liu",
    params:
        command=["awk", "-f", shipped("scripts/methods/chow_liu.awk"), "--"],

# A Chow-Liu tree (1968): the tree of undirected edges with the largest sum of mutual information, from codes.
# Edges without any mutual information are left out. Options: --min_information X (nats, 0)

BEGIN {
    FS = OFS = ","
    least = 1e-12 # below it is rounding
    for (i = 1; i < ARGC; i += 2)
        if (ARGV[i] == "--min_information") {
            if (ARGV[i + 1] + 0 > least) least = ARGV[i + 1] + 0
        } else
            stop("unknown option " ARGV[i])
    read()
    for (i = 1; i <= n; i++) {
        for (j = i + 1; j <= n; j++) tests++
    }
    print "source", "target", "directed" > "edges.csv"
    grow()
    print "name", "value" > "costs.csv"
    print "kind", "pdag" > "costs.csv"
    print "score_calls", tests + 0 > "costs.csv"
    print "score", sprintf("%.12g", total) > "costs.csv"
    exit
}

# Say what is wrong and end.
function stop(text) {
    print text > "/dev/stderr"
    failed = 1
    exit 1
}

# Split a line into `cell`; a cell may stand in quotes, which hold commas and doubled quotes.
function cells(line,    k, open, c, i, text) {
    k = 0; open = 0; text = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"" && open && substr(line, i + 1, 1) == "\"") { text = text c; i++ }
        else if (c == "\"") open = !open
        else if (c == "," && !open) { cell[++k] = text; text = "" }
        else text = text c
    }
    cell[++k] = text
    return k
}

# Read data.csv, columns.csv; count records by the codes of every variable and of every pair.
function read(    line, i, j, k) {
    while ((getline line < "columns.csv") > 0) {
        k = cells(line)
        if (rows++ && cell[2] != "true") stop("column " cell[1] " is continuous; give the row a discretizer")
    }
    getline line < "data.csv"
    n = cells(line)
    for (i = 1; i <= n; i++) name[i] = cell[i]
    while ((getline line < "data.csv") > 0) {
        split(line, code, ",")
        N++
        for (i = 1; i <= n; i++) {
            one[i, code[i]]++
            if (code[i] > top[i]) top[i] = code[i]
            for (j = i + 1; j <= n; j++) two[i, j, code[i], code[j]]++
        }
    }
}

# Return the mutual information of two variables, in nats.
function information(i, j,    a, b, both, sum, swap) {
    if (i > j) { swap = i; i = j; j = swap }
    for (a = 0; a <= top[i] + 0; a++)
        for (b = 0; b <= top[j] + 0; b++)
            if ((i, j, a, b) in two) {
                both = two[i, j, a, b]
                sum += both * log(both * N / (one[i, a] * one[j, b]))
            }
    return sum / N
}

# Grow the tree from the first variable by the best edge to one outside it (Prim 1957).
function grow(    i, k, added, best) {
    for (i = 1; i <= n; i++) near[i] = -1
    added = 1
    for (k = 1; k < n; k++) {
        inside[added] = 1
        best = 0
        for (i = 1; i <= n; i++)
            if (!(i in inside)) {
                mutual = information(added, i)
                if (mutual > near[i]) { near[i] = mutual; from[i] = added }
                if (!best || near[i] > near[best]) best = i
            }
        if (near[best] > least) {
            print quoted(name[from[best]]), quoted(name[best]), "false" > "edges.csv"
            total += near[best]
        }
        added = best
    }
}

# Return a name as a cell.
function quoted(text) {
    if (text !~ /[",]/) return text
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}

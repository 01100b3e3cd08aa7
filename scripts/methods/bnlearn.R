# Searches of bnlearn, on codes, on values, or on values that bnlearn itself discretizes after Hartemink.
# Options: --search hc|tabu|pc.stable, --score NAME (bde, bic, bic-g, bic-cg, ...), --iss X, --maxp N,
# --tabu N and --max_tabu N (length of the list, moves without a gain), --test NAME (x2, mi, cor, ...), --alpha X,
# --hartemink N (levels), --ibreaks N (levels at the start)

# The last line of an error is its message, not "Execution halted".
options(error = quote(quit("no", status = 1)), showErrorCalls = FALSE)
if (!requireNamespace("bnlearn", quietly = TRUE)) {
  stop("the R package bnlearn is missing; install it with install.packages(\"bnlearn\") or as r-bnlearn", call. = FALSE)
}
suppressPackageStartupMessages(library(bnlearn))

given <- matrix(commandArgs(trailingOnly = TRUE), nrow = 2)
options <- as.list(given[2, ])
names(options) <- sub("^--", "", given[1, ])
known <- c("search", "score", "iss", "maxp", "tabu", "max_tabu", "test", "alpha", "hartemink", "ibreaks")
if (any(!names(options) %in% known)) {
  wrong <- setdiff(names(options), known)[1]
  stop("unknown option --", wrong, "; known: ", paste(known, collapse = ", "), call. = FALSE)
}
option <- function(name, otherwise = NULL, type = as.numeric) {
  if (is.null(options[[name]])) otherwise else type(options[[name]])
}

data <- read.csv("data.csv", check.names = FALSE)
columns <- read.csv("columns.csv", check.names = FALSE, colClasses = c(variable = "character", discrete = "character"))
variables <- columns$variable
names(data) <- sprintf("v%d", seq_along(variables))
for (i in seq_along(variables)) {
  if (columns$discrete[i] == "true") {
    data[[i]] <- factor(data[[i]], levels = seq_len(columns$levels[i]) - 1)
  } else {
    data[[i]] <- as.numeric(data[[i]])
  }
}

costs <- list()
seconds <- function(start) sum((proc.time() - start)[c("user.self", "sys.self")])
if (!is.null(option("hartemink"))) {
  start <- proc.time()
  coded <- discretize(data, method = "hartemink", breaks = option("hartemink"), ibreaks = option("ibreaks", 20))
  costs$discretize_seconds <- seconds(start)
  thresholds <- NULL
  for (i in seq_along(variables)) {
    # halfway between neighbouring values with different levels, whose labels differ between versions of bnlearn
    rank <- order(data[[i]])
    last <- which(diff(as.integer(coded[[i]])[rank]) != 0)
    values <- if (columns$discrete[i] == "true") as.integer(data[[i]])[rank] - 1 else data[[i]][rank]
    cuts <- (values[last] + values[last + 1]) / 2
    if (length(cuts)) thresholds <- rbind(thresholds, data.frame(variable = variables[i], threshold = cuts))
  }
  if (is.null(thresholds)) thresholds <- data.frame(variable = character(), threshold = numeric())
  thresholds$threshold <- sprintf("%.17g", thresholds$threshold)
  write.csv(thresholds, "thresholds.csv", row.names = FALSE)
  data <- coded
}

# Arguments that are NULL are left out: bnlearn then takes its own.
call <- function(name, ...) do.call(name, Filter(Negate(is.null), list(data, ...)))
search <- option("search", "hc", as.character)
score <- option("score", NULL, as.character)
start <- proc.time()
found <- switch(search,
  hc = call("hc", score = score, iss = option("iss"), maxp = option("maxp")),
  tabu = call(
    "tabu", score = score, iss = option("iss"), maxp = option("maxp"),
    tabu = option("tabu"), max.tabu = option("max_tabu")
  ),
  pc.stable = call("pc.stable", test = option("test", NULL, as.character), alpha = option("alpha")),
  stop("unknown search ", search, "; known: hc, tabu, pc.stable", call. = FALSE)
)
costs$learn_seconds <- seconds(start)
costs$score_calls <- found$learning$ntests # tests or score comparisons
costs$kind <- if (search == "pc.stable") "pdag" else "dag"

arcs <- arcs(found)
index <- function(end) as.integer(sub("v", "", arcs[, end]))
edges <- data.frame(source = variables[index("from")], target = variables[index("to")])
both <- paste(arcs[, "to"], arcs[, "from"]) %in% paste(arcs[, "from"], arcs[, "to"]) # an undirected edge stands twice
edges$directed <- ifelse(both, "false", "true")[seq_len(nrow(edges))]
edges <- edges[!both | index("from") < index("to"), ]
write.csv(edges, "edges.csv", row.names = FALSE)
write.csv(data.frame(name = names(costs), value = as.character(unlist(costs))), "costs.csv", row.names = FALSE)

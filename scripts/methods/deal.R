# Networks of discrete and continuous variables (conditional Gaussian) by deal's heuristic search. In deal no continuous
# variable is a parent of a discrete one.
# Options: --restarts N, --degree N (changes of a restart), --max_iterations N, --seed N

# The last line of an error is its message, not "Execution halted".
options(error = quote(quit("no", status = 1)), showErrorCalls = FALSE)
if (!requireNamespace("deal", quietly = TRUE)) {
  stop("the R package deal is missing; install it with install.packages(\"deal\") or as r-cran-deal", call. = FALSE)
}
suppressPackageStartupMessages(library(deal))
pdf(NULL) # deal may draw

given <- matrix(commandArgs(trailingOnly = TRUE), nrow = 2)
options <- list(restarts = 10, degree = 10, max_iterations = 100, seed = 1)
options[sub("^--", "", given[1, ])] <- as.numeric(given[2, ])
set.seed(options$seed)

data <- read.csv("data.csv", check.names = FALSE)
columns <- read.csv("columns.csv", check.names = FALSE, colClasses = c(variable = "character", discrete = "character"))
names <- columns$variable
colnames(data) <- sprintf("v%d", seq_along(names)) # deal's own strings take no brackets or colons
for (i in which(columns$discrete == "true")) {
  data[[i]] <- factor(data[[i]], levels = seq_len(columns$levels[i]) - 1)
}
# deal needs a discrete variable for its prior; this one may have no arc, and so says nothing about the others.
alone <- !any(columns$discrete == "true")
if (alone) data$unused <- factor(rep_len(0:1, nrow(data)))

start <- proc.time()
network <- network(data)
if (alone) {
  others <- seq_along(names)
  last <- length(names) + 1
  banlist(network) <- rbind(cbind(others, last), cbind(last, others))
}
prior <- jointprior(network)
first <- learn(network, data, prior)
found <- heuristic(
  first$nw, data, prior,
  maxiter = options$max_iterations, restart = options$restarts, degree = options$degree,
  trylist = first$trylist, trace = FALSE,
  removecycles = TRUE # else a network with a cycle may be the best of the table
)
seconds <- sum((proc.time() - start)[c("user.self", "sys.self")])

edges <- data.frame(source = character(), target = character(), directed = character())
for (i in seq_along(names)) {
  parents <- found$nw$nodes[[i]]$parents
  if (length(parents)) edges <- rbind(edges, data.frame(source = names[parents], target = names[i], directed = "true"))
}
write.csv(edges, "edges.csv", row.names = FALSE)
# A family that deal has scored stands in the list of tries; networks that it met are in the table.
costs <- data.frame(
  name = c("learn_seconds", "evaluations", "iterations"),
  value = c(seconds, sum(unlist(lapply(found$trylist, nrow))), nrow(found$table))
)
if (!alone) costs <- rbind(costs, data.frame(name = "score", value = found$nw$score))
write.csv(costs, "costs.csv", row.names = FALSE)

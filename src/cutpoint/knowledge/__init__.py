"""Prior knowledge: arcs that a graph must or must not have, and thresholds that a column may have."""

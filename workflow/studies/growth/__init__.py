"""How the CPU time of every method grows, which shows the design of an implementation."""

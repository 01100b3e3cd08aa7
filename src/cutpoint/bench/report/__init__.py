"""The report: what it shows of each study, the page, and files of all runs."""

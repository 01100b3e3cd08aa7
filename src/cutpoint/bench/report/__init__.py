"""The report: tables and their formats, verdicts, the page."""

"""What an edge confidence is worth; study.yaml says after whom."""

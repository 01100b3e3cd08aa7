"""What missing cells cost, dropped with their records or imputed: the same graphs and records with both."""

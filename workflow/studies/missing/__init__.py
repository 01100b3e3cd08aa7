"""What do missing cells cost a method, dropped with their records or imputed? Our own question.

The same random graphs and records with missing cells in half of the columns, completely at random or at random given
another column.
"""

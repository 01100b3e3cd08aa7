"""A user's own data: which methods learn which structure, how stable it is, and how well it predicts unseen records.

There is no paper behind it: no printed numbers and no claims.
"""

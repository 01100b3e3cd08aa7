"""A user's own data: which methods find which structure, how sure it is, and how well it foretells records held out.

There is no paper behind it: no printed numbers and no claims.
"""

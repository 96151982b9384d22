"""Exercises: mistakes turned into questions, sets of them as text, and practice sessions that ask them."""

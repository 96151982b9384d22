"""Exercises: mistakes as questions, sets of them as text, and practice sessions that ask them."""

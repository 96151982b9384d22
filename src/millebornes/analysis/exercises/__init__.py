"""Exercises: mistakes turned into questions, files that contain sets of them, and practice sessions that ask them."""

"""Screens in the terminal."""

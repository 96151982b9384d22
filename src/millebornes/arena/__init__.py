"""Tournaments of many games, to measure players and the package itself."""

"""Measure a player against a range of opponents: the pool, its members, and games in which each move is judged."""

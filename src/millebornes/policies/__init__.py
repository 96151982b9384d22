"""Compiled functions that choose moves. They work on packed records and move codes, without the objects of the game."""

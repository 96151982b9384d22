"""Compiled code that chooses moves. It works on packed records and move codes, without the game's objects."""

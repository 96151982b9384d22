"""How to choose a move, compiled: on packed records and move codes, without the game's objects."""

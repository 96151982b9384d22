"""The commands at a table in a terminal: one list for both the line game and the full screen."""

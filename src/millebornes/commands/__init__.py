"""What a person can do at a table in a terminal: one table, which the line game and the full screen both read."""

"""The commands for playing in a terminal, as one list shared by the line game and the full screen."""

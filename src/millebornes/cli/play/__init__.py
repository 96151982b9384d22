"""The commands for people who play: games, practice, saved games, and the web game with its database."""

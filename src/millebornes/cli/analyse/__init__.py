"""The commands that weigh positions, matches and players."""

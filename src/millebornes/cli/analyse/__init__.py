"""The commands that analyse positions, matches and players."""

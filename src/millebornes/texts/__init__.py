"""The sentences and rows that the game shows to each viewer. Terminals and pages only lay them out."""

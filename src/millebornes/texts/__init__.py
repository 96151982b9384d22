"""What the game says, as sentences and rows for each viewer; terminals and pages only lay them out."""

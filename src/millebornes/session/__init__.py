"""A session of the game without input and output: the match being played, who plays it, and what happened."""

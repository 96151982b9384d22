"""The commands that explain the editions, the rules and the players."""

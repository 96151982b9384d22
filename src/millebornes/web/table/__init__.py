"""A single table: its events, its state, the commands from its seats and the messages to its viewers."""

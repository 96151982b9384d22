"""One table: its events, its state, the commands of its seats and the messages to its viewers."""

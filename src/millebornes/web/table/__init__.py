"""One table: its events, the state that follows from them, what its seats may do and are shown."""

"""The server around the tables: sockets, limits, logs, metrics and what is done again and again."""

"""The server around the tables: sockets, limits, logs, metrics and regular maintenance."""

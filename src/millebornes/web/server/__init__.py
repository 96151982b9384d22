"""Everything around the tables that a server needs: sockets, limits, logs, metrics and regular maintenance."""

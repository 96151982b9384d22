"""What every screen shares: the match being played, who plays it, and what happened; no input or output here."""

"""Programs as players, and our players behind lines of JSON for other hosts."""

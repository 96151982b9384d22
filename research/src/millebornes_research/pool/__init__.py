"""A player against a range of opponents: the pool, its members, and games whose moves are evaluated."""

"""Search: simulate the rest of a hand, with hidden cards that fit everything a seat has seen."""

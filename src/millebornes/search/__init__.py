"""Search: simulations of the rest of a hand, from determinizations that fit what a seat has seen."""

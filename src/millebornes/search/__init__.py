"""Search: worlds that fit what a seat has seen, and hands played to their ends in them."""

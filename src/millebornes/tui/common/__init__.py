"""What both screens have in common: the game in words, signs and letters; no input or output here."""

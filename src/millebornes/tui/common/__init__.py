"""Code that both screens share: the game in words, symbols and letters. Nothing here reads or writes."""

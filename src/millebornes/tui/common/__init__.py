"""Code that the line game and the full screen share: the game in words, symbols and letters.

Nothing here reads input or prints.
"""

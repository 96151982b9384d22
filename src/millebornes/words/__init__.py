"""The words in which the game describes moves, events and scores to each player.

Terminals and web pages only lay them out.
"""

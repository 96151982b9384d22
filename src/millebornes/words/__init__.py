"""Everything said to a person: events, moves, names, score sheets, hints, reviews, practice, and the rules of a table.

`words.Words` is what a text depends on. Terminals and web pages only lay the texts out.
"""

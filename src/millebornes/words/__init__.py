"""Everything said to a person: events, moves, names, score sheets, hints, reviews, practice, and the rules of a table.

A text depends on a `words.Words`, or on a `words.TableWords` if it names players. Terminals and web pages only lay the
texts out. Commands and questions at a terminal are described in `millebornes.commands`.
"""

"""The pages of the web game: HTML made here, which works by its forms alone; a little JavaScript makes it go by itself.

`routes.Pages` are the addresses. A page of a table is one `model.TableModel`, made from a state for one viewer, and
what has happened, from `activity_log.activity_lines`. Where the page listens, `stream.PageStream` sends the same
pieces again whenever the table has gone on. All words come through `locale_text.Words`: a language, the words of a
theme, light or dark.
"""

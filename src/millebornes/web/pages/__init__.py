"""The pages of the web game. They are HTML, made here, and work with forms alone. JavaScript keeps them up to date.

`routes.Pages` has the addresses. The page of a table is a `model.TableModel`, made from a state for one viewer, plus
the lines of `activity_log.activity_lines`. If the page listens, `stream.PageStream` sends the same pieces again
whenever the table has changed. All words come through `locale_text.Words`: a language, the words of a theme, light or
dark.
"""

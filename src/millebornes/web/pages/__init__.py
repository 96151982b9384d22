"""The pages of the web game: HTML that works with forms alone. JavaScript only keeps it up to date.

`routes.Pages` contains the routes. The page of a table shows what `tables.table_model` makes from a state for
one viewer. If the page keeps a connection open, `stream.page_events` sends its changing parts again whenever the table
has changed. All texts depend on `locale_text.PageWords`: the language, the theme, and light or dark colours.
"""

"""The event-sourced table: a command becomes a fact, and facts make the state, its messages and its next steps.

A table is the log of its facts (`table.facts`). `table.commands` are the functions that turn what a person asks for
into a fact, or refuse it. `table.state.TableState.apply` is the only function that changes a table; it returns the
messages, of which each viewer sees only their part. `table.steps` says what the table does next by itself, and when.
Every game starts from a `table.setup.GameSetup`.

The web stores the log, and its tables have clocks, spectators and votes. At a terminal, `millebornes.session` adds the
facts, and a save contains them as the lines of its hands.

Nothing here knows languages, screens, networks or files.
"""

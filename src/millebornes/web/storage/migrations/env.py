"""Run by alembic: goes through the steps on the connection that `upgrade` has given."""

from alembic import context

from millebornes.web.storage.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()

"""The script that Alembic runs. This script applies the steps on the connection from `upgrade`."""

from alembic import context

from millebornes.web.storage.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()

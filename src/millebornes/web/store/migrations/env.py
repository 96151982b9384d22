"""The script that Alembic runs. This script applies the steps on the connection from `upgrade`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()

"""Lets alembic run the steps in `versions/` on the connection that it is given."""

from alembic import context

from companion.club.hub.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata
)
with context.begin_transaction():
    context.run_migrations()

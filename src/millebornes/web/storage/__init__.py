"""Where tables are kept: logs in SQLite or PostgreSQL, their migrations, backups and archives."""

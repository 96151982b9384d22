"""The storage of tables: logs in SQLite or PostgreSQL, their migrations, backups and archives."""

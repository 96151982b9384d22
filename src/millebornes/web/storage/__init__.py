"""The storage of tables: their logs in SQLite or PostgreSQL, with migrations, backups and archives."""

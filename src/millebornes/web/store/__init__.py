"""What a server keeps: the facts of its tables and all else in a database, its migrations and backups."""

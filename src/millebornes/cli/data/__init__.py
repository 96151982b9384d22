"""The commands that read and write recorded games."""

"""Editions and settings: what is accepted, what is refused, and how."""

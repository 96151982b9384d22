"""Tournaments of many games, which measure how strong the players are."""

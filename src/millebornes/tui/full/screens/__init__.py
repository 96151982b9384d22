"""The screens and dialogues of the full-screen game."""

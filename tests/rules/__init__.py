"""The rules clause by clause, at a table whose cards are laid out beforehand."""

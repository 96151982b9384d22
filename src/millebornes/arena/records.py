"""Transcripts of an arena's games, in a file each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from millebornes.errors import SaveError

__all__ = ["Records"]

NAME: Final = "game.jsonl"
"""How the files in a folder are named, but for their numbers."""


class Records:
    """Where transcripts go. ``path`` is a folder that exists, or says how files are to be named.

    The first game is ``game-000001.jsonl`` in the folder, or ``games-000001.jsonl`` for the path ``games.jsonl``.
    """

    def __init__(self, path: Path) -> None:
        """Raises `SaveError` where no file can be written."""
        self.base: Final = path / NAME if path.is_dir() else path
        self.games = 0
        """How many there are; the next one comes after them."""
        if not self.base.parent.is_dir():
            raise SaveError(f"{path}: cannot be written (there is no folder {self.base.parent})")

    def file(self, number: int) -> Path:
        """The file of a game, by its number from 1 on."""
        return self.base.with_name(f"{self.base.stem}-{number:06}{self.base.suffix}")

    def add(self, lines: Sequence[str]) -> None:
        """Write the next game. Raises `SaveError`."""
        self.games += 1
        file = self.file(self.games)
        try:
            file.write_bytes("".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise SaveError(f"{file}: cannot be written ({error.strerror or error})") from None

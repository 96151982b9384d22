"""The transcripts of an arena's games, one file for each game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from millebornes.errors import SaveError

NAME: Final = "game.jsonl"
"""The name of each file in a folder, before the number of the game is added."""


class Records:
    """The files that contain transcripts. ``path`` is an existing folder, or a pattern for the names of the files.

    The first game is saved in the folder as ``game-000001.jsonl``. For the pattern ``games.jsonl``, it is saved as
    ``games-000001.jsonl``.
    """

    def __init__(self, path: Path) -> None:
        """Raises `SaveError` if it isn't possible to write files there."""
        self.base: Final = path / NAME if path.is_dir() else path
        self.games = 0
        """The number of transcripts written so far. The next transcript gets the next number."""
        if not self.base.parent.is_dir():
            raise SaveError(f"{path}: cannot be written (there is no folder {self.base.parent})")

    def file(self, number: int) -> Path:
        """Return the file for a game, given its number from 1."""
        return self.base.with_name(f"{self.base.stem}-{number:06}{self.base.suffix}")

    def add(self, lines: Sequence[str]) -> None:
        """Write the transcript of the next game. Raises `SaveError` if the file can't be written."""
        self.games += 1
        file = self.file(self.games)
        try:
            file.write_bytes("".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise SaveError(f"{file}: cannot be written ({error.strerror or error})") from None

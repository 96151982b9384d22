"""What the start screen puts together. No screen in here."""

import dataclasses
from pathlib import Path
from typing import Literal

from millebornes.session.new_game_options import MOST_PEOPLE, NewGameOptions, tables_of
from millebornes.session.setup import GameSetup

__all__ = ["MOST_PEOPLE", "NewGameOptions", "StartChoice", "tables_of"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class StartChoice:
    """What somebody wants to play.

    ``kind`` is ``"new"`` (then ``setup`` is there), ``"resume"`` (then ``save`` is the path of an unfinished game;
    `storage.slot_of` takes it) or ``"tutorial"``. ``practice``: with undo and counts. ``language`` and ``theme`` are as
    in the preferences, which hold them already.
    """

    kind: Literal["new", "resume", "tutorial"]
    setup: GameSetup | None = None
    save: Path | None = None
    practice: bool = False
    language: str = "en"
    theme: str | None = None

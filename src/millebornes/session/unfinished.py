"""Unfinished games: which there are, what they are in words, how one is resumed or deleted."""

import contextlib
import dataclasses
import datetime
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from millebornes.editions import EDITIONS, edition
from millebornes.errors import MALFORMED, SaveError, printable
from millebornes.i18n import Translator
from millebornes.session.setup import Start, target_text
from millebornes.session.troubles import why
from millebornes.shown import clean_name
from millebornes.storage import AutosaveSlot, VerifiedSave, hold_save, let_go, read_save, saves_folder, slot_of
from millebornes.storage.files import refusal
from millebornes.storage.saves import is_begun, peek

__all__ = [
    "UnfinishedGame",
    "delete_unfinished",
    "describe_unfinished",
    "resume",
    "take_save",
    "unfinished_games",
    "unreadable_games",
]

MAX_LISTED: Final = 100


@dataclasses.dataclass(frozen=True, kw_only=True)
class UnfinishedGame:
    """A game that waits to be gone on with: its save, when it was last played (local time), and how it stood.

    ``totals`` go by side and count the finished hands; ``hand`` is the number of the hand being played.
    """

    path: Path
    date: datetime.datetime
    names: tuple[str, ...]
    totals: tuple[int, ...]
    hand: int
    edition: str | None
    match_target: int | None
    practice: bool = False


def unfinished_games() -> list[UnfinishedGame]:
    """The unfinished games in the saves folder that no running program plays, the latest first.

    Saves that cannot be read are left alone; `unreadable_games` tells of them. A game in which nothing has been played
    is deleted: there is nothing in it to go on with.
    """
    return _look(tidy=True)[0]


def take_save(path: Path) -> AutosaveSlot | None:
    """Take a saved game, so that no other program plays it; returns its slot, or None for a file of the player's.

    Raises `SaveError`, also while another program plays it.
    """
    slot = slot_of(path)
    if slot is None:
        hold_save(path)
    return slot


def resume(path: Path, slot: AutosaveSlot | None) -> Start:
    """Continue a saved game that has been taken. If it can't be read, it is free again. Raises `SaveError`."""
    try:
        return Start.resumed(read_save(path), path, slot)
    except SaveError:
        if slot is None:
            let_go(path)
        else:
            slot.release()
        raise


def unreadable_games(_: Translator) -> list[str]:
    """A sentence for each game in the saves folder that cannot be gone on with: damaged, newer, or not to be read."""
    return [_fault(path, error, _) for path, error in _look()[1]]


def _fault(path: Path, error: Exception, _: Translator) -> str:
    if isinstance(error, SaveError) and error.is_newer:
        text = _("The saved game {path} is from a newer version of the program. The file is left as it is.")
    elif isinstance(error, SaveError) and error.reason:
        text = _("The saved game {path} can't be read: {reason}. The file is left as it is.")
        return text.format(path=printable(str(path)), reason=why(error, _))
    else:
        text = _("The saved game {path} is damaged and can't be continued. The file is left as it is.")
    return text.format(path=printable(str(path)))


def _look(*, tidy: bool = False) -> tuple[list[UnfinishedGame], list[tuple[Path, Exception]]]:
    """The games that wait, and the files that cannot be read, each with what is wrong.

    To ``tidy`` is to delete games in which nobody has moved; the one that is about to be continued may be among them.
    """
    found: list[UnfinishedGame] = []
    faults: list[tuple[Path, Exception]] = []
    folder = saves_folder().absolute()
    for path in [*folder.glob("autosave-*.jsonl"), *folder.glob("game-*.jsonl")]:
        with contextlib.suppress(SaveError, OSError), _held(path):
            try:
                date = datetime.datetime.fromtimestamp(path.stat().st_mtime)
                verified = peek(path)
                if not is_begun(verified):
                    if tidy:
                        path.unlink()
                elif not verified.save.get("finished"):
                    found.append(_game(path, date, verified))
            except FileNotFoundError:  # another program has just removed it
                pass
            except OSError as error:
                faults.append((path, refusal(path, error, "cannot be read")))
            except (SaveError, *MALFORMED) as error:
                if path.exists():
                    faults.append((path, error))
    return sorted(found, key=lambda game: game.date, reverse=True)[:MAX_LISTED], sorted(
        faults, key=lambda fault: fault[0]
    )


def _game(path: Path, date: datetime.datetime, verified: VerifiedSave) -> UnfinishedGame:
    header = verified.header
    totals = [0] * int(header["sides"])
    hands = 0
    for line in verified.data.splitlines()[1:]:
        hand: Mapping[str, Any] = json.loads(line)
        hands += "hand" in hand
        for side, score in enumerate(hand.get("scores", ())):
            totals[side] += int(score["total"])
    names = header.get("players") or verified.save.get("seats") or ()
    return UnfinishedGame(
        path=path,
        date=date,
        names=tuple(clean_name(str(name)) for name in names),
        totals=tuple(totals),
        hand=hands,
        edition=header.get("edition"),
        match_target=header.get("match_target"),
        practice=verified.save.get("practice") is True,
    )


def delete_unfinished(path: Path) -> None:
    """Delete an unfinished game for good. Raises `SaveError`, also while it is being played."""
    with _held(path):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise refusal(path, error, "cannot be deleted") from None


@contextlib.contextmanager
def _held(path: Path) -> Iterator[None]:
    """Keep other programs from a game meanwhile. Raises `SaveError` while one plays it."""
    slot = slot_of(path)
    try:
        yield
    finally:
        if slot is not None:
            slot.release()


def describe_unfinished(game: UnfinishedGame, _: Translator) -> tuple[str, str]:
    """A game in words: who plays and how it stands, then the rules, the hand and the date."""
    names = ", ".join(game.names)
    title = _(edition(game.edition).title) if game.edition in EDITIONS and game.edition else _("Custom rules")
    parts = [
        title,
        target_text(game.match_target, _),
        _("hand {number}").format(number=game.hand),
        game.date.strftime("%Y-%m-%d %H:%M"),
    ]
    if game.practice:
        parts.append(_("practice"))
    standing = " : ".join(str(total) for total in game.totals)
    return f"{names}   {standing}", " · ".join(parts)

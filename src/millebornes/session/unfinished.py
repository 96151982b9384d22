"""Unfinished games: functions that list, describe, resume and delete them."""

import contextlib
import dataclasses
import datetime
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from millebornes.editions import EDITIONS, Rules, make_rules
from millebornes.errors import MALFORMED, EditionError, SaveError, printable
from millebornes.i18n import Translator
from millebornes.session.new_game import Start
from millebornes.shown import clean_name
from millebornes.storage import AutosaveSlot, hold_save, let_go, read_save, saves_folder, slot_of
from millebornes.storage.checksum import VerifiedSave
from millebornes.storage.files import refusal
from millebornes.storage.saves import is_begun, peek
from millebornes.words.editions import edition_title, rules_title, target_text
from millebornes.words.participants import names_with_levels
from millebornes.words.troubles import why


@dataclasses.dataclass(frozen=True, kw_only=True)
class UnfinishedGame:
    """A game that can be continued: its save, the local time at which it was last played, and its state.

    ``names`` contains the seats' names from the file, and ``players`` the player in each seat. ``totals`` contains each
    side's points from finished hands, and ``hand_points`` those from the current hand. If an older version wrote the
    save, ``hand_points`` is empty. ``hand`` is the number of the current hand. ``rules`` is None if this version
    doesn't know the edition or one of the settings.
    """

    path: Path
    date: datetime.datetime
    names: tuple[str, ...]
    players: tuple[str, ...]
    totals: tuple[int, ...]
    hand: int
    rules: Rules | None
    match_target: int | None
    practice: bool = False
    hand_points: tuple[int, ...] = ()

    @property
    def standing(self) -> tuple[int, ...]:
        """Each side's points in the match, including the unfinished hand, as the table shows them."""
        if len(self.hand_points) != len(self.totals):
            return self.totals
        return tuple(map(sum, zip(self.totals, self.hand_points, strict=True)))

    def shown_names(self, _: Translator) -> list[str]:
        """Return the seats' names as lists show them, with the levels of computer players."""
        return names_with_levels(self.names, self.players, _)


def unfinished_games() -> list[UnfinishedGame]:
    """Return the unfinished games that no program is playing, latest first. Delete games that haven't begun."""
    return _look(tidy=True)[0]


def take_save(path: Path) -> AutosaveSlot | None:
    """Reserve a save, and return its slot, or None for a player's own file. Raises `SaveError` if it is in use."""
    slot = slot_of(path)
    if slot is None:
        hold_save(path)
    return slot


def resume(path: Path, slot: AutosaveSlot | None) -> Start:
    """Continue a saved game that you have reserved. If it can't be read, it is released again. Raises `SaveError`."""
    try:
        game = read_save(path)
    except SaveError:
        if slot is None:
            let_go(path)
        else:
            slot.release()
        raise
    if slot is None:
        return Start(game, file=path)
    return Start(game, slot, None if game.file is None else Path(game.file))


def unreadable_games(_: Translator) -> list[str]:
    """Return a sentence about each damaged, newer or unreadable game in the saves folder."""
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
    """Return the games that can be continued, and the faults of others. With ``tidy``, delete unbegun games."""
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
            except FileNotFoundError:  # another program has just deleted the file
                pass
            except OSError as error:
                faults.append((path, refusal(path, error, "cannot be read")))
            except (SaveError, *MALFORMED) as error:
                if path.exists():
                    faults.append((path, error))
    return sorted(found, key=lambda game: game.date, reverse=True), sorted(faults, key=lambda fault: fault[0])


def _game(path: Path, date: datetime.datetime, verified: VerifiedSave) -> UnfinishedGame:
    header = verified.header
    totals = [0] * int(header["sides"])
    hands = 0
    for line in verified.data.splitlines()[1:]:
        hand: Mapping[str, Any] = json.loads(line)
        hands += "hand" in hand
        for side, score in enumerate(hand.get("scores", ())):
            totals[side] += int(score["total"])
    players = tuple(str(name) for name in verified.save["seats"])
    names = tuple(clean_name(str(name)) for name in header.get("players") or players)
    if len(names) != len(players):
        raise ValueError("there must be as many names as players")
    return UnfinishedGame(
        path=path,
        date=date,
        names=names,
        players=players,
        totals=tuple(totals),
        hand=hands,
        rules=_rules(header),
        match_target=header.get("match_target"),
        practice=verified.save.get("practice") is True,
        hand_points=tuple(map(int, verified.save.get("points", ()))),
    )


def _rules(header: Mapping[str, Any]) -> Rules | None:
    """Return the rules in a header. A newer version may have other editions and settings, and a path isn't allowed."""
    edition = header.get("edition")
    if edition is not None and edition not in EDITIONS:
        return None
    try:
        return make_rules(edition, header["seats"], header["sides"], header.get("set"))
    except EditionError:
        return None


def delete_unfinished(path: Path) -> None:
    """Delete an unfinished game permanently. Raises `SaveError`, for example if a program is playing it."""
    with _held(path):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise refusal(path, error, "cannot be deleted") from None


@contextlib.contextmanager
def _held(path: Path) -> Iterator[None]:
    """Reserve a game for the duration of a ``with`` block. Raises `SaveError` if another program is playing it."""
    slot = slot_of(path)
    try:
        yield
    finally:
        if slot is not None:
            slot.release()


def describe_unfinished(game: UnfinishedGame, _: Translator) -> tuple[str, str]:
    """Return a game in words: first the players and the points, then the rules, the hand and the date."""
    names = ", ".join(game.shown_names(_))
    parts = [
        edition_title(None, _) if game.rules is None else rules_title(game.rules, _),
        target_text(game.match_target, _),
        _("hand {number}").format(number=game.hand),
        game.date.strftime("%Y-%m-%d %H:%M"),
    ]
    if game.practice:
        parts.append(_("practice"))
    standing = " : ".join(map(str, game.standing))
    return f"{names}   {standing}", " · ".join(parts)

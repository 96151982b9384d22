"""Saved games: the transcript of a match, together with the players and the state of the screens."""

import dataclasses
import os
import unicodedata
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from millebornes._version import __version__
from millebornes.cards import Card
from millebornes.errors import MilleBornesError, NotationError, SaveError, printable
from millebornes.player_names import HUMAN
from millebornes.storage.checksum import BLANK, SAVE_VERSION, VerifiedSave, add_checksum, verify_save
from millebornes.storage.files import refusal, refuse_device, write_atomically
from millebornes.storage.locks import is_played_elsewhere, played_elsewhere
from millebornes.storage.preferences import Preferences

if TYPE_CHECKING:
    from millebornes.game import Hand, Match

URI: Final = "file://"
_USUAL: Final = Preferences()


@dataclasses.dataclass(frozen=True, kw_only=True)
class SavedGame:
    """A match with everything that is needed to continue it.

    ``seats`` contains the player of each seat: ``human``, or the name of a computer player. ``seed`` belongs to the
    whole session, and ``number`` is the number of this match in the session, counted from 1. ``games`` contains the
    number of matches that each side has won. ``slots`` contains each seat's cards in the order in which a person sees
    them: canonical names, with None for an empty place. It is empty for computer players. Cards that were drawn later
    aren't in it. ``file`` is the file in which the player saved the game, or None. Only those ``preferences`` that
    describe the table are written (see `Preferences.for_save`). ``practice`` is true if moves can be taken back.
    ``hints`` and ``hand_hints`` are the numbers of hints in this match and hand by seat. ``forfeit`` says how the match
    ended early: the ``side`` and ``seat`` that lost it, the ``player`` in that seat, and the ``reason`` in words.
    ``is_asked`` is true if everyone who might call a coup fourré now has been asked.
    """

    match: "Match"
    seats: tuple[str, ...]
    seed: str
    number: int = 1
    games: tuple[int, ...]
    slots: tuple[tuple[str | None, ...], ...]
    preferences: Preferences = _USUAL
    file: str | None = None
    practice: bool = False
    hints: tuple[int, ...] = ()
    hand_hints: tuple[int, ...] = ()
    forfeit: Mapping[str, Any] | None = None
    is_asked: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the match is over, either by points or by a forfeit."""
        return self.forfeit is not None or self.match.is_over

    @property
    def is_begun(self) -> bool:
        """Whether anything is left to continue: a finished hand or match, or an open decision.

        If people play, only their decisions count.
        """
        if self.number > 1 or self.match.finished:
            return True
        hand: Hand | None = self.match.hand.parent
        while hand is not None and HUMAN in self.seats and (hand.seat is None or self.seats[hand.seat] != HUMAN):
            hand = hand.parent
        return hand is not None


class SaveWriter:
    """Writes the saves of one session. Only the current hand is formatted anew each time."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Hand, str]] = {}

    def data(self, game: SavedGame) -> bytes:
        """Return the contents of a save file for a game."""
        import msgspec

        from millebornes.notation import hand_line, header_line, result_line
        from millebornes.schema.reading import read
        from millebornes.schema.saves import ForfeitObject, SaveObject

        match = game.match
        save = SaveObject(
            version=SAVE_VERSION,
            checksum=BLANK,
            program=__version__,
            seats=game.seats,
            seed=game.seed,
            number=game.number,
            games=game.games,
            slots=tuple(tuple(None if name is None else Card(name) for name in slots) for slots in game.slots),
            preferences=game.preferences.for_save(),
            file=None if game.file is None else file_text(game.file),
            practice=game.practice,
            points=() if match.hand.is_over else tuple(sheet.total for sheet in match.hand.scores),
            begun=game.is_begun,
            hints=game.hints,
            hand_hints=game.hand_hints,
            finished=game.is_over,
            asked=game.is_asked,
            forfeit=msgspec.UNSET if game.forfeit is None else read(ForfeitObject, game.forfeit),
        )
        extra = {"save": msgspec.to_builtins(save)}
        lines = [header_line(match.rules, match.players, match.match_target, extra)]
        for number, hand in enumerate(match.finished, 1):
            known = self._lines.get(number)
            if known is None or known[0] is not hand:
                known = self._lines[number] = (hand, hand_line(hand, number))
            lines.append(known[1])
        lines.append(hand_line(match.hand, match.hand_number))
        if match.is_over:
            lines.append(result_line(match.totals, match.winner))
        return add_checksum(lines)

    def write(self, game: SavedGame, path: Path) -> None:
        """Write a save file in one step. Raises `SaveError`, also rather than overwrite anything but an intact save."""
        refuse_overwrite(path)
        try:
            data = self.data(game)
        except NotationError as error:  # for example because a name isn't valid text
            raise SaveError(f"{path}: the game {error}") from None
        write_atomically(path, data)


def refuse_overwrite(path: Path) -> None:
    """Raise `SaveError` if a file is anything but a save that no other program plays. It need not exist."""
    if is_played_elsewhere(path):
        raise played_elsewhere(path)
    try:
        exists = path.exists()
    except OSError as error:
        raise refusal(path, error, "cannot be read") from None
    if exists:
        peek(path)


def _read(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise SaveError(f"{path}: is a folder; a saved game is a file")
        refuse_device(path, "a saved game")
        return path.read_bytes()
    except FileNotFoundError:
        raise SaveError(f"{path}: there is no such file") from None
    except OSError as error:
        raise refusal(path, error, "cannot be read") from None


def peek(path: Path) -> VerifiedSave:
    """Return a save after checking its checksum and version, but not its match. Raises `SaveError`."""
    return verify_save(_read(path), str(path))


def is_begun(verified: VerifiedSave) -> bool:
    """Return whether a save is worth keeping, because it contains a move or an earlier match."""
    return verified.save.get("begun") is not False


def read_save(path: Path) -> SavedGame:
    """Return the saved game in a file. Raises a `SaveError` that says what is wrong with the file."""
    verified = peek(path)
    try:
        return _game(verified, str(path))
    except SaveError:
        raise
    except MilleBornesError as error:
        raise SaveError(f"{path}: the saved game is damaged; {str(error).removeprefix(f'{path}: ')}") from None


def _game(verified: VerifiedSave, where: str) -> SavedGame:
    import msgspec

    from millebornes.notation import read_match
    from millebornes.schema.reading import read
    from millebornes.schema.saves import ForfeitObject, SaveObject

    match = read_match(verified.data.splitlines(keepends=True), where)
    rules = match.rules

    def damaged(text: str) -> SaveError:
        return SaveError(f"{where}: the saved game is damaged; save, {text}")

    save = read(SaveObject, verified.save, fault=damaged)
    for name, values, counts in (
        ("seats", save.seats, {rules.seats}),
        ("games", save.games, {rules.sides}),
        ("slots", save.slots, {rules.seats}),
        ("hints", save.hints, {0, rules.seats}),  # older versions didn't count hints
        ("hand_hints", save.hand_hints, {0, rules.seats}),
    ):
        if len(values) not in counts:
            raise damaged(f"{name}: {len(values)} entries for {rules.seats} seats and {rules.sides} sides")
    forfeit = save.forfeit if isinstance(save.forfeit, ForfeitObject) else None
    if forfeit is not None and (forfeit.seat >= rules.seats or forfeit.side != rules.side_of(forfeit.seat)):
        raise damaged(f"forfeit: seat {forfeit.seat} does not play for side {forfeit.side}")
    return SavedGame(
        match=dataclasses.replace(match, seed=match_seed(save.seed, save.number), players=match.players or save.seats),
        seats=save.seats,
        seed=save.seed,
        number=save.number,
        games=save.games,
        slots=save.slots,
        preferences=Preferences.from_dict(save.preferences, where),
        file=_file(save.file),
        practice=save.practice,
        hints=save.hints,
        hand_hints=save.hand_hints,
        forfeit=None if forfeit is None else msgspec.structs.asdict(forfeit),
        is_asked=save.asked,
    )


def save_path(name: Path | str) -> Path:
    """Return the path for a file name, in which ``~`` is the home folder. Raises `SaveError` if it is invalid."""
    text = str(name)
    try:
        if "\0" in text:
            raise SaveError(f"{text}: no file can have this name")
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise SaveError(f"{text}: there is no such home folder") from None
    except OSError as error:
        raise SaveError(f"{text}: the current folder no longer exists ({error.strerror or error})") from None


def typed_path(name: str | Path) -> Path:
    """Return the path for a typed name, which can't contain control characters. Raises `SaveError`."""
    if any(unicodedata.category(character) == "Cc" for character in str(name)):
        raise SaveError(f"{printable(str(name))}: the name of a file can't contain control characters")
    return save_path(name)


def file_text(file: Path | str) -> str:
    """Return a file name as text for a save: the name itself, or a ``file:`` address if the name isn't valid UTF-8."""
    name = str(file)
    try:
        name.encode()
    except UnicodeEncodeError:
        return URI + urllib.parse.quote_from_bytes(os.fsencode(name))
    return name


def _file(text: str | None) -> str | None:
    if text is None or not text.startswith(URI):
        return text
    return os.fsdecode(urllib.parse.unquote_to_bytes(text.removeprefix(URI)))


def match_seed(seed: str, number: int) -> str:
    """Return the seed of a match in a session. That of the first is the session's, to give to a friend."""
    return seed if number == 1 else f"{seed} match {number}"

"""Messages and questions about files, in the reader's language."""

from pathlib import Path
from typing import Final

from millebornes.errors import SaveError, printable
from millebornes.i18n import N_, Translator

PLAYED_ON: Final = N_("You played on after this game was last saved. Resume where you left off?")
"""The question if an automatic save is newer than the file that was named."""


def why(error: SaveError, _: Translator) -> str:
    """Return the reason why a file couldn't be written, without a full stop. The reason is translated if possible."""
    return _(error.reason) if error.reason else str(error).rstrip(".")


def not_saved(error: SaveError, _: Translator) -> str:
    """Return a sentence saying that a game couldn't be saved."""
    text = _("Not saved: {reason}.") if error.reason else _("The game couldn't be saved. {reason}.")
    return text.format(reason=why(error, _))


def not_kept(error: SaveError, _: Translator) -> str:
    """Return a sentence saying that a setting, a result or an answer couldn't be saved, or the error itself."""
    return _("Not kept: {reason}.").format(reason=_(error.reason)) if error.reason else str(error)


def not_autosaved(error: SaveError, _: Translator) -> str:
    """Return a sentence saying that a game can't be saved automatically."""
    return _("This game can't be saved automatically: {reason}.").format(reason=why(error, _))


def no_file_question(path: Path, _: Translator) -> str:
    """Return the question whether to start a game under a new name."""
    return _("There's no file {path}. Start a new game and save it there?").format(path=printable(str(path)))


def kept_as(path: Path, _: Translator) -> str:
    """Return a sentence saying where the automatic save of another game is kept."""
    return _("It's kept as {path}.").format(path=printable(str(path)))

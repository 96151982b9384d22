"""What went wrong with a file, in the language of the person who reads it."""

from millebornes.errors import SaveError
from millebornes.i18n import Translator

__all__ = ["not_kept", "not_saved", "why"]


def why(error: SaveError, _: Translator) -> str:
    """Why a file could not be written, without a full stop: a few translated words, or the error as it is."""
    return _(error.reason) if error.reason else str(error).rstrip(".")


def not_saved(error: SaveError, _: Translator) -> str:
    """That a game could not be saved, as a sentence."""
    text = _("Not saved: {reason}.") if error.reason else _("The game could not be saved. {reason}.")
    return text.format(reason=why(error, _))


def not_kept(error: SaveError, _: Translator) -> str:
    """That a setting, a result or an answer could not be kept, as a sentence; any other error as it is."""
    return _("Not kept: {reason}.").format(reason=_(error.reason)) if error.reason else str(error)

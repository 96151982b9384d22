"""Messages about problems with files, in the reader's language."""

from millebornes.errors import SaveError
from millebornes.i18n import Translator


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

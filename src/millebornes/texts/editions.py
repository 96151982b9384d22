"""The names of editions, as screens show them."""

from millebornes.editions import EDITIONS, edition
from millebornes.i18n import Translator

__all__ = ["edition_title"]


def edition_title(name: str | None, _: Translator) -> str:
    """Return the title of an edition by name. The title of a custom edition is its name, if it has any."""
    if name is None:
        return _("Custom rules")
    return _(edition(name).title) if name in EDITIONS else name

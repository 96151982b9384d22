"""The titles of editions, as the screens show them."""

from millebornes.editions import EDITIONS, edition
from millebornes.i18n import Translator

__all__ = ["edition_title"]


def edition_title(name: str | None, _: Translator) -> str:
    """Return the title of an edition, given its name. A custom edition's title is its name, which may be empty."""
    if name is None:
        return _("Custom rules")
    return _(edition(name).title) if name in EDITIONS else name

"""The language, the names of the cards and the names of the players: what every text for a person depends on."""

import dataclasses

from millebornes.i18n import LANGUAGES, Translator, translator
from millebornes.themes import Theme, theme_for
from millebornes.words.participants import Participants


@dataclasses.dataclass(frozen=True)
class Words:
    """The words for one reader, or for several who share a language: ``translate`` and the ``theme`` of the cards.

    Functions that translate texts begin with ``_ = words.translate``, so that ``scripts/messages`` finds the texts.
    """

    translate: Translator
    theme: Theme

    @classmethod
    def of(cls, language: str = LANGUAGES[0]) -> "Words":
        """Return the words for one of `LANGUAGES`, with its usual theme. Raises `ValueError` for other languages."""
        return Words(translator(language), theme_for(language))

    @property
    def language(self) -> str:
        """The code of the language, such as ``en``."""
        return self.translate.language

    def at(self, participants: Participants) -> "TableWords":
        """Return these words for a table with these players."""
        return TableWords(self.translate, self.theme, participants)


@dataclasses.dataclass(frozen=True)
class TableWords(Words):
    """The words at a table, where players have names."""

    participants: Participants

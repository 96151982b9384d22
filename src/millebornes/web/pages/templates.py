"""The templates of the pages. All text that people have typed is escaped."""

import functools
from typing import Any, Final

import jinja2

from millebornes._version import __version__
from millebornes.markup.environment import make_environment
from millebornes.roster import level_word
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.locale_text import LANGUAGE_NAMES, PageWords

MAX_CODES: Final = 256
"""The maximum number of QR codes in the cache."""


@functools.lru_cache(maxsize=MAX_CODES)
def qr_code(link: str) -> str:
    """Return a QR code for a link, as a data URL for a picture."""
    import segno  # needed only if people invite others

    return str(segno.make(link, micro=False).svg_data_uri(scale=4, border=2, dark="#14324a", light="#fff"))


def clock_text(milliseconds: int) -> str:
    """Return the time left, in minutes and seconds."""
    seconds = -(-milliseconds // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


class Templates:
    """The templates in ``templates/``, together with those that the page of a review shares."""

    def __init__(self, assets: Assets) -> None:
        self._environment: Final = make_environment(jinja2.PackageLoader("millebornes.web"))
        self._environment.globals |= {
            "asset": assets.url,
            "qr_code": qr_code,
            "languages": LANGUAGE_NAMES,
            "program_version": __version__,
            "clock_text": clock_text,
            "level_word": level_word,
        }

    def text(self, name: str, words: PageWords, /, **context: Any) -> str:
        """Return a template filled in with values."""
        return self._environment.get_template(name).render(
            _=words.translate, plural=words.translate.plural, words=words, theme=words.theme, **context
        )

"""The rulebook as a page, with the number of every clause, pictures of the cards, and the rules of an edition."""

import functools
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from millebornes.cards import Card
from millebornes.editions import EDITIONS, edition, make_rules
from millebornes.rulebook import Clause, clauses
from millebornes.themes import Theme, theme
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.site import Site
from millebornes.web.tables.errors import ApiError
from millebornes.words.rules import describe

_CARDS = frozenset(card.value for card in Card)


async def rules_page(site: Site, request: Request) -> Response:
    """Return the rulebook with the rules of the edition in the address. Raises `ApiError` for an unknown edition."""
    name = str(request.path_params.get("edition", EDITIONS[0]))
    if name not in EDITIONS:
        raise ApiError(404, "no_edition", f"there is no edition {name[:40]}")
    words, _ = words_of(request), words_of(request).translate
    return site.page(
        request,
        "rules.html",
        sections=_sections(words.language, words.theme.name, site.assets),
        editions={known: _(edition(known).title) for known in EDITIONS},
        edition=name,
        summary=_(edition(name).summary),
        plays=describe(make_rules(name), words),
    )


@functools.cache
def _sections(language: str, theme_name: str, assets: Assets) -> list[tuple[Clause, Markup]]:
    """Return the chapters and clauses of the rulebook, each with its text in HTML."""
    markdown, cards = MarkdownIt("commonmark", {"html": False}).enable("table"), theme(theme_name)

    def code(_self: RendererHTML, tokens: Sequence[Token], place: int, _options: object, _environment: object) -> str:
        return _card(tokens[place].content, cards, assets)

    markdown.add_render_rule("code_inline", code)
    return [(part, Markup(markdown.render(part.text))) for part in clauses(language)]


def _card(text: str, cards: Theme, assets: Assets) -> str:
    if text not in _CARDS:
        return f"<code>{escape(text)}</code>"
    picture = f'<img src="{assets.url(f"cards/{text}.svg")}" alt="" width="25" height="35" loading="lazy">'
    return f'<span class="named">{picture}{escape(cards.name_of(Card(text)))}</span>'

"""The window of a hint, over nothing."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
from textual.app import App
from textual.widgets import OptionList, Static

from millebornes.editions import make_rules
from millebornes.game import Match, Move, View
from millebornes.i18n import translator
from millebornes.players.hint import Hint, hint
from millebornes.players.registry import player
from millebornes.session.cast import Cast
from millebornes.themes import theme
from millebornes.tui.full.hint import HintScreen


class Alone(App[None]):
    """An app that shows one hint and keeps what was chosen."""

    result: Any = "nothing yet"

    def __init__(self, hinted: Hint, view: View, language: str = "en") -> None:
        super().__init__()
        _ = translator(language)
        cast = Cast(view.rules, ["Ann", "Bo"], [True, True], _)
        self.window = HintScreen(hinted, cast, view.seat, theme({"en": "english", "fr": "french"}[language]), _)

    def on_mount(self) -> None:
        self.push_screen(self.window, self.keep)

    def keep(self, result: Move | None) -> None:
        self.result = result


def somewhere(moves: int = 25) -> View:
    """A view in the middle of a hand."""
    hand, rng, basic = Match.start(make_rules(), "5").hand, random.Random(4), player("basic")
    for _ in range(moves):
        assert hand.seat is not None
        view = hand.view(hand.seat)
        hand = hand.play(basic.choose(view, view.legal_moves, rng))
    assert hand.seat is not None
    return hand.view(hand.seat)


def show(hinted: Hint, view: View, keys: Sequence[str], click: str = "", language: str = "en") -> tuple[Any, str]:
    """Press keys, then click; the result, and all that was to be read before."""

    async def run() -> tuple[Any, str]:
        app = Alone(hinted, view, language)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            moves = app.window.query_one("#hint-moves", OptionList)
            lines = [str(moves.get_option_at_index(n).prompt) for n in range(moves.option_count)]
            text = "\n".join([*lines, str(app.window.query_one("#hint-why", Static).content)])
            for key in keys:
                await pilot.press(key)
            if click:
                await pilot.click(click)
            await pilot.pause()
            return app.result, text

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("keys", "click", "rank"),
    [
        (["enter"], "", 0),
        (["down", "enter"], "", 1),
        ([], "#hint-play", 0),
        (["escape"], "", None),
        ([], "#hint-back", None),
    ],
)
def test_a_move_can_be_played_from_the_hint(keys: list[str], click: str, rank: int | None) -> None:
    view = somewhere()
    hinted = hint(view)
    assert show(hinted, view, keys, click)[0] == (None if rank is None else hinted.moves[rank].move)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_says_every_move_what_it_costs_and_why(language: str) -> None:
    view = somewhere()
    hinted, _ = hint(view), translator(language)
    _result, text = show(hinted, view, ["escape"], language=language)
    lines = text.splitlines()
    assert "★" in lines[0]
    assert "★" not in "".join(lines[1:])
    best = hinted.moves[0].value
    assert best is not None
    for line, ranked in zip(lines[1:], hinted.moves[1:], strict=False):
        assert ranked.value is not None
        assert f"-{best - ranked.value}" in line or best == ranked.value
    assert hinted.pros
    assert _(hinted.pros[0].says) in text


def test_players_without_reasons_and_only_moves() -> None:
    view = somewhere()
    hinted = hint(view, player="random")
    result, text = show(hinted, view, ["enter"])
    assert result == hinted.best
    assert "No other move was weighed." in text

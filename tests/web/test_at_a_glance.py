"""What a table shows at a glance: where the latest card lies, whose moves the log tells, and where everybody stands."""

from types import SimpleNamespace

import pytest

from millebornes.i18n import translator
from millebornes.themes import theme
from millebornes.web.pages.locale_text import PageWords
from millebornes.web.pages.tables import table_model
from tests.web.playing import Game, created

STEPS = 400
TABLES = [(2, 2), (4, 2), (6, 6)]


def _model(game: Game) -> SimpleNamespace:
    return table_model(game.state, 0, game.state.question(0), PageWords(translator("en"), theme()), time=0)


def _shows(side: SimpleNamespace, pile: str, card: str) -> bool:
    match pile:
        case "battle":
            return side.battle is not None
        case "speed":
            return side.speed is not None
        case "miles":
            return bool(side.stacks[card])
        case _:
            return bool(side.safeties[card])


@pytest.mark.parametrize(("seats", "sides"), TABLES)
def test_the_latest_card_lies_where_its_mark_is(seats: int, sides: int) -> None:
    game, seen = Game(created(*["open"] * seats, sides=sides), 3), set[str]()
    for _ in range(STEPS):
        game.step()
        model = _model(game)
        pile, _, rest = model.landed.partition("-")
        seen.add(pile)
        if pile == "discard":
            assert model.discard_top is not None
            assert model.last_move == f"-{model.discard_top}"
        elif pile:
            side, _, card = rest.partition("-")
            assert _shows(next(shown for shown in model.sides if shown.side == int(side)), pile, card), model.landed
        if sides == 2:
            assert model.road is None or model.road.wide == model.road.narrow == {0: 0, 1: 1}, "cars keep their lanes"
    assert seen >= {"", "discard", "battle", "speed", "miles", "safety"}


@pytest.mark.parametrize(("seats", "sides"), TABLES)
def test_the_log_has_the_colour_of_who_moved(seats: int, sides: int) -> None:
    game = Game(created(*["open"] * seats, sides=sides), 3)
    for _ in range(STEPS):
        game.step()
    lines = _model(game).lines
    rules = game.state.rules
    for line in lines:
        if line.kind in {"drove", "hit", "discarded", "moved"}:
            name = line.text.split()[0]
            assert line.side == rules.side_of(0 if name == "You" else int(name.removeprefix("p"))), line
        elif line.kind not in {"coup", "chat"}:
            assert line.side is None, line
    assert {line.side for line in lines} >= set(range(sides))


@pytest.mark.parametrize(("seats", "sides"), TABLES)
@pytest.mark.parametrize("target", [1000, None])
def test_the_score_of_a_hand_counts_at_once(seats: int, sides: int, target: int | None) -> None:
    game = Game(created(*["open"] * seats, sides=sides, match_target=target), 3, forfeits=0)
    while game.state.status not in {"hand_over", "match_over"}:
        game.step()
    model, state = _model(game), game.state
    assert state.match is not None
    assert model.sheet is not None
    standings = model.sheet.standings
    assert {side.side: side.total for side in model.sides} == dict(enumerate(state.overall))
    assert {entry.side: entry.total for entry in standings} == dict(enumerate(state.overall))
    assert [entry.total for entry in standings] == sorted(state.overall, reverse=True)
    assert {entry.side: entry.hand for entry in standings} == dict(
        enumerate(score.total for score in state.match.hand.scores)
    )
    assert all(entry.is_best == (entry.hand == max(e.hand for e in standings) > 0) for entry in standings)
    whole = target or max(state.overall)
    assert [entry.percent for entry in standings] == [min(100, 100 * entry.total // whole) for entry in standings]
    assert [entry.side for entry in standings if entry.is_own] == [0]
    assert model.sheet.sides[0] == 0

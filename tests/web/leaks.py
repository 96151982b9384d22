"""Logs whose hidden cards change places, and all that a viewer gets to see of a log."""

import random
from typing import Any

import msgspec

from millebornes.game import Action, Hand, Phase
from millebornes.schema.api import TableAnswer
from millebornes.table import commands
from millebornes.table.facts import Closed, Created, Fact, HandDealt
from millebornes.table.refusal import CommandError
from millebornes.table.state import TableState
from millebornes.table.steps import Pace, steps_of
from millebornes.web.tables.snapshot import snapshot_of
from tests.session.test_secrecy import hidden_places
from tests.web.playing import Game, codes

TRIED = ("pass", "-25", "25", "roll", "stop", "right_of_way", "right_of_way!", "ace!", "extend")
"""Moves that a seat may try where it is not asked, to see what the answer is."""


def look(state: TableState, viewer: int | None) -> TableAnswer:
    """What ``GET /api/tables/T`` shows."""
    question = None if viewer is None else state.question(viewer)
    return snapshot_of(state, viewer, question, 0)


def refusals(state: TableState, viewer: int | None) -> list[Any]:
    """How the server answers to moves of a seat: what is refused, and how."""
    found: list[Any] = []
    for text in TRIED if viewer is not None else ():
        try:
            found.append(commands.move(state, viewer or 0, text, 0))
        except CommandError as error:
            found.append((error.word, str(error), error.why, error.more))
    return found


def told(log: list[Fact], viewer: int | None) -> tuple[list[object], list[bool]]:
    """All that a viewer gets to see of a log, and after each event whether somebody is asked in secret."""
    assert isinstance(log[0], Created)
    state, seen, asked = TableState(log[0]), list[object](), list[bool]()
    deal = max(n for n, event in enumerate(log) if isinstance(event, HandDealt))
    for n, event in enumerate(log):
        for message in state.apply(event):
            seen.append((message.version, message.event if message.seen_by(viewer) else "", message.seen_by(viewer)))
        if n < deal:
            continue  # the same cards
        seen += [look(state, viewer), *refusals(state, viewer)]
        steps = steps_of(state, Pace())
        seen.append((steps if state.window is not None else None, state.question_version))
        asked.append(state.match is not None and state.match.hand.phase in {Phase.COUP, Phase.OPENING})
    return seen, asked


def permuted(log: list[Fact], hand: Hand, viewer: int | None, seed: int) -> list[Fact]:
    """The log with the cards of its last hand that a viewer has not seen in other places."""
    last = max(n for n, event in enumerate(log) if isinstance(event, HandDealt))
    deck, places = list(hand.at(0).deck), hidden_places(hand, viewer)
    mixed = random.Random(seed).sample([deck[place] for place in places], len(places))
    for place, card in zip(places, mixed, strict=True):
        deck[place] = card
    event = log[last]
    assert isinstance(event, HandDealt)
    return [*log[:last], msgspec.structs.replace(event, deck=codes(deck)), *log[last + 1 :]]


def in_the_middle(begun: Created, seed: int, steps: int) -> tuple[list[Fact], Hand] | None:
    """The log of a game within a hand, and that hand before anything that only some can see; None between hands."""
    game = Game(begun, seed)
    for _ in range(steps):
        game.step()
    state = game.state
    if state.match is None or state.status != "playing":
        return None
    # A window that closed without a call, and a call itself, are seen; who let it pass is not.
    hand, log = state.match.hand, game.log
    while hand.move is not None and hand.move.action is Action.PASS:
        assert hand.parent is not None
        hand = hand.parent
    while isinstance(log[-1], Closed):
        log = log[:-1]
    return log, hand

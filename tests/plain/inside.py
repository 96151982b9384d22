"""The plain game run inside the test: lines in, text out. Quick, and any position can be set up beforehand."""

from __future__ import annotations

import dataclasses
import io
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Match
from millebornes.storage import SavedGame, SaveWriter
from millebornes.tui.plain import PlayOptions, play_plain


@dataclasses.dataclass
class Played:
    """What a run of the program said, and its exit status."""

    text: str
    status: int

    def after(self, mark: str) -> str:
        """What was said after a text, which must be there."""
        before, found, after = self.text.rpartition(mark)
        assert found, f"{mark!r} was not said; but:\n{before or after}"
        return after


@dataclasses.dataclass
class Home:
    """A folder for saves and preferences of its own, and the way to play there."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch

    def play(self, options: PlayOptions, lines: Iterable[str]) -> Played:
        """Play with these lines typed; the input ends after them."""
        out = io.StringIO()
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
            patch.setattr(sys, "stdout", out)
            status = play_plain(options)
        return Played(out.getvalue(), status)

    def resume(self, path: Path, *lines: str, language: str = "en") -> Played:
        """Go on with a save."""
        return self.play(PlayOptions(save=path, language=language), lines)

    def save(
        self,
        match: Match,
        seats: Iterable[str],
        name: str = "game.jsonl",
        seed: str = "seed",
        *,
        practice: bool = False,
    ) -> Path:
        """Write a save of some moment."""
        path = self.folder / name
        rows = tuple(tuple(card.value for card in hand) if match.hand.ply else () for hand in match.hand.hands)
        games = (0,) * match.rules.sides
        game = SavedGame(match=match, seats=tuple(seats), seed=seed, games=games, slots=rows, practice=practice)
        SaveWriter().write(game, path)
        return path

    @property
    def autosave(self) -> Path:
        """Where the first game saves itself."""
        return self.folder / "data" / "saves" / "autosave-1.jsonl"


def deck_of(rules: Rules, hands: dict[int, str], pile: str = "", first: int = 0) -> list[Card]:
    """A deck that deals these cards to the seats (by their names), then has ``pile`` on top; the rest follows."""
    left = [card for card, count in zip(Card, rules.deck, strict=True) for _ in range(count)]
    wanted = {seat: [Card(word) for word in words.split()] for seat, words in hands.items()}
    top = [Card(word) for word in pile.split()]
    for card in [card for cards in wanted.values() for card in cards] + top:
        left.remove(card)
    # Safeties last, so that nobody is dealt one who should not have it.
    left.sort(key=lambda card: (card in list(Card)[15:], card.value))
    fill = iter(left)
    dealt: list[Card] = []
    for k in range(rules.seats * rules.hand_size):
        seat = (first + k) % rules.seats
        row = wanted.setdefault(seat, [])
        dealt.append(row.pop(0) if row else next(fill))
    return [*dealt, *top, *fill]

"""What is to be played: the table, who sits where, and under which names. Knows editions but not the game."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from millebornes.editions import Rules
from millebornes.i18n import N_, Translator
from millebornes.shown import clean_name, distinct

if TYPE_CHECKING:
    from millebornes.storage import AutosaveSlot, SavedGame

__all__ = [
    "DEFAULT_TARGET",
    "ELO",
    "HUMAN",
    "LEVELS",
    "MAX_TARGET",
    "STRENGTHS",
    "USUAL_LEVEL",
    "Setup",
    "Start",
    "Strength",
    "level_label",
    "level_text",
    "new_seed",
    "seat_names",
    "simply_text",
    "target_text",
]

HUMAN = "human"
DEFAULT_TARGET = 5000
MAX_TARGET = 1_000_000

LEVELS: Final = {
    "random": N_("plays anything that is allowed"),
    "beginner": N_("knows the rules, plays what looks good at once, and hardly remembers a card"),
    "novice": N_("drives and hits as it comes, and runs into dead ends before the goal"),
    "casual": N_("plays for fun: often on impulse, and no safety waits for its coup fourré"),
    "regular": N_("a sound player at home; counts few cards and fears no coup fourré"),
    "skilled": N_("plans and waits, and remembers most cards, but counts none of them out"),
    "advanced": N_("knows all the old advice, and errs by little and not often"),
    "basic": N_("counts cards, keeps remedies, waits for coups fourrés"),
    "maxims": N_("weighs every move by all the old advice"),
    "instant": N_("asks a small net that learned by playing itself; does not look ahead"),
    "champion": N_("plays every promising move out in thousands of ways before it makes one"),
}
"""Computer players that the questions offer, the weakest first, and how they play."""

ELO: Final = {
    "beginner": -445,
    "novice": -383,
    "casual": -302,
    "regular": -213,
    "skilled": -135,
    "advanced": -47,
    "basic": 0,
    "maxims": 40,
    "instant": 92,
    "champion": 130,
}
"""How strong they are (`millebornes.players.levels.ELO`; written down here, as loading players takes a while)."""


class Strength(NamedTuple):
    """How strong a computer player is: in a word or two, and what that means for a person."""

    word: str
    meaning: str


STRENGTHS: Final = {
    "random": Strength(N_("no opponent"), N_("it loses every match")),
    "beginner": Strength(N_("very easy"), N_("a newcomer wins more than half of the matches")),
    "novice": Strength(N_("easy"), N_("a newcomer wins about half of the matches")),
    "casual": Strength(N_("for first games"), N_("a newcomer wins about one match in three")),
    "regular": Strength(N_("medium"), N_("a newcomer wins about one match in four")),
    "skilled": Strength(N_("rather hard"), N_("a newcomer wins about one match in five")),
    "advanced": Strength(N_("hard"), N_("a newcomer wins about one match in eight")),
    "basic": Strength(N_("hard"), N_("it makes no gross mistakes; for people who know the game well")),
    "maxims": Strength(N_("very hard"), N_("it plays by the book, always")),
    "instant": Strength(N_("very hard"), N_("stronger than the book")),
    "champion": Strength(N_("hardest"), N_("the strongest player there is; it takes a moment for its moves")),
}
"""How strong the players of `LEVELS` are, in words (docs/players.md has the matches that the words rest on)."""

USUAL_LEVEL: Final = "casual"
"""Who plays where nobody says otherwise: a newcomer wins about a third of the matches against it."""


def level_label(name: str, _: Translator) -> str:
    """A level's name and how strong it is, in a few words."""
    return f"{name} ({_(STRENGTHS[name].word)})"


def level_text(name: str, _: Translator) -> str:
    """How strong a level is, in words, how it plays, and its rating where that is known."""
    strength, plays = STRENGTHS[name], _(LEVELS[name])
    text = f"{_(strength.word)}; {_(strength.meaning)}. {plays[:1].upper()}{plays[1:]}"
    if name not in ELO:
        return f"{text}."
    # Translators: {text} tells how strong a computer player is and how it plays, {elo} is its rating with its sign.
    return _("{text} (Elo {elo}).").format(text=text, elo=f"{ELO[name]:+d}".replace("-", "−"))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Setup:
    """What is to be played: rules, the players (`HUMAN` or a computer player's name) and the names by seat.

    ``practice``: moves may be taken back and unseen cards are counted; never in a match that counts.
    """

    rules: Rules
    seats: tuple[str, ...]
    names: tuple[str, ...]
    match_target: int | None
    seed: str
    practice: bool = False


@dataclasses.dataclass(kw_only=True)
class Start:
    """How a sitting begins: with a saved game and its slot, or with a new one; ``file`` is what S saves on."""

    setup: Setup | None = None
    game: "SavedGame | None" = None
    slot: "AutosaveSlot | None" = None
    file: Path | None = None

    @classmethod
    def resumed(cls, game: "SavedGame", path: Path, slot: "AutosaveSlot | None") -> "Start":
        """Going on with a game that was read from a path; one from a slot stays in it."""
        if slot is None:
            return cls(game=game, file=path)
        return cls(game=game, slot=slot, file=None if game.file is None else Path(game.file))

    @property
    def table(self) -> tuple[Rules, int | None]:
        """The rules, and the target of the match."""
        if self.setup is not None:
            return self.setup.rules, self.setup.match_target
        assert self.game is not None
        return self.game.match.rules, self.game.match.match_target

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits where (`HUMAN` or a computer player's name)."""
        if self.setup is not None:
            return self.setup.seats
        return () if self.game is None else self.game.seats


def target_text(target: int | None, _: Translator) -> str:
    """How far a match goes, in a few words."""
    if target is None:
        return _("single hands")
    return _.plural("to {target} point", "to {target} points", target).format(target=target)


def simply_text(players: tuple[str, ...], _: Translator) -> str:
    """That these computer players do not play as they can yet."""
    text = _("Until all of it is compiled (first time only), this computer player plays more simply: {players}.")
    return text.format(players=", ".join(players))


def new_seed() -> str:
    """A seed that nobody has seen; short enough to tell a friend."""
    import secrets  # which loads much, and is wanted only once a game begins

    return str(secrets.randbelow(10**9))


def seat_names(seats: tuple[str, ...], people: list[str], _: Translator) -> tuple[str, ...]:
    """Names by seat: those given for people in order, then ``Player 1`` and so on; computer players have their own."""
    given = iter(people)
    alone = seats.count(HUMAN) == 1
    names, number = [], 0
    for kind in seats:
        if kind != HUMAN:
            names.append(kind)
            continue
        number += 1
        name = clean_name(next(given, ""))
        names.append(name or (_("You") if alone else _("Player {number}").format(number=number)))
    return distinct(names)

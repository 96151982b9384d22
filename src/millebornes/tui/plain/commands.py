"""Understand what a person types. A single letter is a command, and anything else is words in any language."""

import contextlib
import dataclasses
import enum
import re
import unicodedata
from typing import Final

from millebornes.cards import HAZARDS, SAFETIES, Card
from millebornes.commands.table import BY_LETTER, Argument, Command, in_order_of_need
from millebornes.errors import NotationError
from millebornes.game import Action
from millebornes.i18n import LANGUAGES, Translator
from millebornes.i18n import words as known_words
from millebornes.rulebook import clause
from millebornes.tui.common.moves import Wish
from millebornes.words.card_names import parse_card
from millebornes.words.clauses import in_theme
from millebornes.words.words import TableWords, Words


class LineKind(enum.Enum):
    """The kinds of typed line that don't contain a command."""

    MOVE = "move"
    NOTHING = "nothing"
    UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True)
class TypedLine:
    """A line that a person has typed, and what it means.

    ``wish`` describes the move, if it is one. If the line is unknown, ``message`` says what is wrong with it. A command
    can have a ``topic``, the ``side`` that a question is about, or a ``number`` (of a hand or of seconds).
    """

    kind: Command | LineKind
    wish: Wish | None = None
    message: str = ""
    topic: str = ""
    side: int | None = None
    number: int | None = None


_BY_WORD: Final = {word: command for command in Command for word in known_words(command.action)} | dict.fromkeys(
    known_words("call"), Command.YES
)
"""The command for each word that people can type, in every language."""

_ANSWERS: Final = {
    word.replace(" ", ""): action
    for action in (Action.PASS, Action.EXTEND, Action.FINISH)
    for word in known_words(action.value)
}
"""The moves that answer a question from the game, by the words for them without spaces."""

LONGEST_THOUGHT: Final = 60
"""The maximum time for a hint, in seconds."""


def _any(name: str) -> str:
    return "|".join(re.escape(word) for word in sorted(known_words(name), key=len, reverse=True))


_AIMED: Final = re.compile(rf"(?P<card>.*\S)\s*(?:(?P<side>>)|\s(?:{_any('on')})\s)\s*(?P<whom>\S.*)")
_NUMBERED: Final = re.compile(r"(?P<card>.*[^\d\s])\s+(?P<whom>\d)")
_AS_ROLL: Final = re.compile(rf"(?P<card>200\D*?)\s*(?:=|\s(?:{_any('as')})\s|\s)\s*(?P<roll>\D+)")
_PLACE: Final = re.compile(rf"(?P<place>[1-7p])(?:\s*>\s*|\s+(?:(?:{_any('on')})\s+)?)?(?P<whom>.*)")
_SEAT: Final = re.compile(rf"(?:{_any('seat')})\s*(?P<seat>\d{{1,2}})")
_OF: Final = re.compile(rf"^(?:{_any('of')})(?:\s+|(?<='))(?=\S)")
_SIDE: Final = re.compile(rf"^(?:{_any('side')})")


_LETTERS: Final = ("u", "U", "d", "D", "-")
_TYPED_PLACE: Final = re.compile(r"(?P<before>[udUD-]|.*>|)(?P<key>.)")


class _Mistyped(Exception):
    """Raised if a typed line makes no sense. The text of the exception explains why."""


def parse(
    text: str,
    size: int,
    words: TableWords,
    *,
    seat: int | None = None,
    answering: bool = False,
    one_key: bool = False,
) -> TypedLine:
    """Return the meaning of a typed line. Raises no errors. ``size`` is the number of places in the hand besides P.

    ``seat`` is the seat of the person who types, which gives ``me`` a meaning. ``answering`` is true during a question,
    so that ``y`` and ``n`` are answers. With ``one_key``, a number on its own uses that card.
    """
    _ = words.translate
    if text.strip(" ") in {"\x0c", "\x7f"}:
        return TypedLine(BY_LETTER[text.strip(" ")])
    typed = _plain(_with_digits(text, _))
    if not typed:
        return TypedLine(Command.HELP if text.strip() == "?" else LineKind.NOTHING)
    if one_key and typed in {str(place) for place in range(1, size + 2)}:
        return TypedLine(LineKind.MOVE, Wish(Action.PLAY, place=int(typed)))
    try:
        return _question(typed, seat, words) or _parse(typed, size, answering, words)
    except _Mistyped as error:
        return TypedLine(LineKind.UNKNOWN, message=str(error))
    except NotationError as error:
        if _.language == LANGUAGES[0]:
            return TypedLine(LineKind.UNKNOWN, message=str(error))  # the message mentions what was nearly right
        text = _("{text} isn't a command or the name of exactly one card. Type ? for help.")
        return TypedLine(LineKind.UNKNOWN, message=text.format(text=repr(typed[:40])))


def _with_digits(text: str, _: Translator) -> str:
    """Return the text with digits for characters typed without Shift, wherever a place, side or number is meant.

    Such a character is the first or the last word, as in ``' é``, where it may follow the letter of a command, a minus
    or ``>`` directly, as in ``dé``, ``-é`` and ``stop>é``. A minus before anything else is still a discard, and ``à``
    is a word in a longer text.
    """
    typed = text.strip(" ").split(" ")
    last = len(typed) - 1
    for place in {0, last}:
        found = _TYPED_PLACE.fullmatch(typed[place])
        if found is None or (found["before"] in _LETTERS and place) or (found["key"] == "-" and place < last):
            continue
        digit = _.digits(found["key"])
        if digit.isdecimal() and (digit != "0" or len(text.strip()) == 1):
            typed[place] = found["before"] + digit
    return " ".join(typed)


def _plain(text: str) -> str:
    """Return the text in lower case, without accents and repeated spaces, and with plain quotes and dashes."""
    shown = unicodedata.normalize("NFKD", text.replace("−", "-").replace("–", "-").replace("’", "'"))
    return " ".join("".join(c for c in shown if not unicodedata.combining(c)).casefold().split(" ")).strip()


def _question(typed: str, seat: int | None, words: TableWords) -> TypedLine | None:
    """Return the question that was typed, perhaps about a side or a hand, or None for anything else, such as a card."""
    _ = words.translate
    word, _blank, rest = typed.rstrip(" ?").partition(" ")
    question = _BY_WORD.get(word)
    if question is None or not question.value.is_question:
        return None
    if not rest:
        return TypedLine(question)
    with contextlib.suppress(NotationError):
        parse_card(typed, _.language)  # "limite de vitesse"
        return None
    if _AIMED.fullmatch(typed):
        return None  # "limit on Bo"
    if question.value.argument is Argument.HAND:
        if not (rest.isascii() and rest.isdigit() and len(rest) < 6):
            raise _Mistyped(_("After “log”, type the number of a hand, such as: log 2"))
        return TypedLine(question, number=int(rest))
    if question.value.argument is Argument.SIDE:
        return TypedLine(question, side=_side_asked(rest, seat, words))
    raise _Mistyped(_("Type {word} on its own, with nothing after it.").format(word=word))


def _side_asked(whom: str, seat: int | None, words: TableWords) -> int:
    """Return the side that a question is about: ``own``, the number of a side or seat, or the beginning of a name."""
    _, participants = words.translate, words.participants
    whom = _OF.sub("", whom)
    if whom in known_words("own") and seat is not None:
        return participants.rules.side_of(seat)
    of_seat = _SEAT.fullmatch(whom)
    if of_seat is None:
        return _side(whom, False, words)
    number = int(of_seat["seat"])
    if not 1 <= number <= participants.rules.seats:
        text = _("There is no such seat; seats are numbered 1 to {seats}.")
        raise _Mistyped(text.format(seats=participants.rules.seats))
    return participants.rules.side_of(number - 1)


def _parse(typed: str, size: int, answering: bool, words: TableWords) -> TypedLine:
    _ = words.translate
    if len(typed) == 1:
        return _letter(typed, _, answering)
    word, blank, rest = typed.partition(" ")
    rest = rest.strip()
    kind = _BY_WORD.get(word) or (BY_LETTER.get(word) if blank else None)
    short = re.fullmatch(r"([ud])([1-7p])(.*)", typed)
    if short:
        kind, rest = BY_LETTER[short[1]], short[2] + short[3]
    if typed[0] == "?":
        return TypedLine(Command.HELP, topic=rest if blank else typed[1:])
    if kind is not None:
        match kind.value.argument:
            case Argument.TOPIC:
                return TypedLine(kind, topic=rest)
            case Argument.IN_WORDS if not rest or rest in known_words("in_words"):
                return TypedLine(kind, topic=rest)
            case Argument.SECONDS if rest:
                return TypedLine(kind, number=_seconds(rest, _))
            case Argument.CARD if rest:
                action = Action.DISCARD if kind is Command.DISCARD else Action.PLAY
                return TypedLine(LineKind.MOVE, _wish(rest, action, size, words))
    if typed[0] == "-":
        return TypedLine(LineKind.MOVE, _wish(typed[1:].strip(), Action.DISCARD, size, words))
    answer = _ANSWERS.get(typed.replace(" ", ""))
    if answer is not None:
        return TypedLine(LineKind.MOVE, Wish(answer))
    if kind is not None and not rest:
        return TypedLine(kind)
    if typed.startswith("coup fourre"):
        return TypedLine(Command.YES)
    return TypedLine(LineKind.MOVE, _wish(typed, Action.PLAY, size, words))


def _seconds(text: str, _: Translator) -> int:
    if text.isascii() and text.isdigit() and len(text) < 3 and 1 <= int(text) <= LONGEST_THOUGHT:
        return int(text)
    message = _("After “hint”, type how many seconds to think, from 1 to {most}, such as: hint 5")
    raise _Mistyped(message.format(most=LONGEST_THOUGHT))


def _letter(typed: str, _: Translator, answering: bool) -> TypedLine:
    kind = BY_LETTER.get(typed)
    if typed == _.traits.yes_key and answering:
        kind = Command.YES
    if typed.isdecimal():
        text = _("A number alone does nothing: U {number} uses that card, D {number} discards it.")
        raise _Mistyped(text.format(number=typed))
    if kind is None or (kind.value.is_answer and not answering):
        shown = typed.upper() if typed.isprintable() else repr(typed)
        raise _Mistyped(_("{letter} isn't a command. Type ? for the commands.").format(letter=shown))
    return TypedLine(kind)


def _wish(text: str, action: Action, size: int, words: TableWords) -> Wish:
    _ = words.translate
    place = _PLACE.fullmatch(text)
    if place and (not place["whom"] or action is Action.PLAY):
        number = size + 1 if place["place"] == "p" else int(place["place"])
        if not place["whom"]:
            return Wish(action, place=number)
        if text[1] in " >":
            return Wish(action, place=number, side=_side(place["whom"], ">" in text, words))
    if text in {"0", "8", "9"}:
        message = _("There is no card {number}; your cards are 1 to {size}, and P.")
        raise _Mistyped(message.format(number=text, size=size))
    if text.endswith("!"):
        card = parse_card(text.rstrip("! "), _.language)
        if card not in SAFETIES:
            raise _Mistyped(_("Only a safety can be called as a coup fourré."))
        return Wish(Action.COUP, card)
    as_roll = _AS_ROLL.fullmatch(text)
    if as_roll and action is Action.PLAY and not as_roll["roll"].strip().startswith(("km", "mi")):
        if parse_card(as_roll["roll"], _.language) is not Card.ROLL:
            raise _Mistyped(
                _("A 200 can't be played as {card}; write 200=roll.").format(card=repr(as_roll["roll"][:40]))
            )
        return Wish(Action.AS_ROLL, Card.D200)
    aimed = _AIMED.fullmatch(text) if action is Action.PLAY else None
    if aimed:
        return _aimed(aimed["card"], aimed["whom"], aimed["side"] is not None, words)
    try:
        return Wish(action, parse_card(text, _.language))
    except NotationError:
        numbered = _NUMBERED.fullmatch(text) if action is Action.PLAY else None
        if numbered:
            return _aimed(numbered["card"], numbered["whom"], False, words)
        named = _named(text, words) if action is Action.PLAY else None
        if named:
            return named
        raise


def _aimed(card_text: str, whom: str, canonical: bool, words: TableWords) -> Wish:
    _ = words.translate
    card = parse_card(card_text, _.language)
    if card not in HAZARDS:
        raise _Mistyped(_("Only hazards can be played on a side."))
    return Wish(Action.PLAY, card, side=_side(whom, canonical, words))


def _side(whom: str, canonical: bool, words: TableWords) -> int:
    """Return the side that was typed: ``>1`` counts from 0 as in transcripts, ``1`` from 1; or by a name."""
    _, participants = words.translate, words.participants
    sides = participants.rules.sides
    whom = whom.strip()
    number = _SIDE.sub("", whom).strip()
    if number.isdecimal() and len(number) < 3:
        side = int(number) - (0 if canonical else 1)
        if not 0 <= side < sides:
            message = _("There is no such side; sides are numbered 1 to {sides}, as the table shows.")
            raise _Mistyped(message.format(sides=sides))
        return side
    plain = [_plain(name) for name in participants.names]
    exact = {participants.rules.side_of(seat) for seat, name in enumerate(plain) if name == whom}
    close = {participants.rules.side_of(seat) for seat, name in enumerate(plain) if name.startswith(whom)}
    for found in (exact, close):
        if len(found) == 1:
            return found.pop()
    names = _.join(f"{side + 1} {participants.side(side)}" for side in range(sides))
    message = _("{whom} isn't the name of exactly one side; the sides are {names}.")
    raise _Mistyped(message.format(whom=repr(whom[:40]), names=names))


def _named(text: str, words: TableWords) -> Wish | None:
    """Return the wish in words such as ``stop basic``, in which a hazard is followed by a name."""
    _, participants = words.translate, words.participants
    typed = text.split(" ")
    for cut in range(len(typed) - 1, 0, -1):
        whom = " ".join(typed[cut:])
        sides = {
            participants.rules.side_of(seat) for seat, name in enumerate(participants.names) if _plain(name) == whom
        }
        if len(sides) == 1:
            try:
                card = parse_card(" ".join(typed[:cut]), _.language)
            except NotationError:
                continue
            if card in HAZARDS:
                return Wish(Action.PLAY, card, side=sides.pop())
    return None


def reminder(_: Translator, *, picking: bool = False) -> str:
    """Return the commands on one line. ``picking`` is true if the player draws each card with P."""
    if picking:
        return _(
            "P pick, U use, D discard, H hint, L legal, T score, O order, R redraw, B brief, S save, Q quit, ? help"
        )
    return _("U use, D discard, H hint, L legal, T score, O order, R redraw, B brief, S save, Q quit, ? help")


def help_lines(words: Words, *, practice: bool = False, picking: bool = False) -> list[str]:
    """Return a line for each command that there is in this game, and the other things that people can type."""
    _ = words.translate
    ordered = in_order_of_need(Command, picking=picking)
    entries = [command.value for command in ordered if practice or not command.value.practice_only]
    commands = {entry.usage: _(entry.help) for entry in entries if entry.usage}
    questions = {_.command(entry.asked_by): _(entry.help) for entry in entries if entry.asked_by}
    first, second = max(map(len, commands)), max(map(len, questions))
    return [
        _("Commands (followed by Enter):"),
        *(f"  {key:<{first}} {text}" for key, text in commands.items()),
        _("Questions, answered in a sentence. Some take a name, a side's number, seat 3 or me, as in miles Bo:"),
        *(f"  {word:<{second}} {text}" for word, text in questions.items()),
        _("You can also name a card, in any language, in full or abbreviated. Type a move, such as:"),
        words.theme.worded(
            _("  {gasoline}, discard {roll}, {stop} 2 (on side 2) or 200={roll}, or as in a transcript:")
        ),
        _("  100, -75, stop>1 (sides from 0), extra_tank!, pass, extend, finish"),
        _("“set” lists your settings. With a name and a value it changes one, such as: set one_key yes"),
        _("Mistyped or forbidden commands cost nothing."),
    ]


def question_help(what: str, _: Translator) -> list[str]:
    """Return help for a question before the game: the answers that it allows (``what``), and how to leave."""
    return [what, _("Ctrl-C leaves without playing. In the game itself, ? shows its commands.")]


def clause_lines(number: str, words: Words) -> list[str]:
    """Return the lines of a clause of the rules, with the cards named as in the theme.

    Raises `NotationError` if no clause has this number.
    """
    found = clause(number.upper().removeprefix("R"), words.language)
    text = in_theme(f"{found.number} {found.title}\n{found.text}", words)
    return text.replace("`", "").splitlines()

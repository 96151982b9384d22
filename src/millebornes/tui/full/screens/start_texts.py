"""The texts on the start screen: the choices in each row with their descriptions, and the questions."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from millebornes.cards import Card
from millebornes.editions import EDITIONS, edition, load_edition
from millebornes.errors import MilleBornesError
from millebornes.i18n import LANGUAGES, Translator, choose_language, language
from millebornes.player_names import COMMAND_PREFIX, FILE_PREFIX, HUMAN, ONNX_PREFIX, plugins
from millebornes.policies.net_choice import net_sentence
from millebornes.roster import FULL_INFORMATION, ROSTER, level_label, level_text, level_word
from millebornes.session.invocation import practise_command
from millebornes.session.setup import net_texts, target_problem
from millebornes.session.unfinished import UnfinishedGame, describe_unfinished
from millebornes.table.setup import MAX_TARGET, MOST_PEOPLE, GameSetup, tables_of
from millebornes.themes import THEMES, Theme, theme, theme_for
from millebornes.tui.full.widgets.form import StartOption
from millebornes.tui.full.widgets.names import in_columns
from millebornes.words.editions import TARGET_QUESTION, partners_text, table_text, target_text
from millebornes.words.rules import compare, describe
from millebornes.words.words import Words

OWN_FILE: Final = "?file"
OTHER: Final = "?other"
PROGRAM: Final = "?program"
SETTINGS: Final = "?settings"  # these choices open a question
TARGETS: Final = (1000, 2000, 3000, 5000, 10_000)
SAMPLE: Final = (Card.D100, Card.ROLL, Card.OUT_OF_GAS, Card.GASOLINE, Card.SPEED_LIMIT, Card.RIGHT_OF_WAY)


def play_label(setup: GameSetup, _: Translator, *, is_first: bool) -> str:
    """Return the line that says what Enter starts."""
    head = _("▶ Play") if is_first else _("▶ Play again")
    return f"{head}   {_summary(setup, _)}"


def _summary(setup: GameSetup, _: Translator) -> str:
    people = len(setup.people)
    if setup.rules.seats == 2 and people == 1:
        other = next(name for name in setup.places if name != HUMAN)
        if other in ROSTER:
            who = _("computer: {level}").format(level=level_word(other, _))
        else:
            who = _("you against {player}").format(player=other.removeprefix(COMMAND_PREFIX)[:20])
    else:
        who = _.plural("{n} person, {seats} seats", "{n} people, {seats} seats", people)
        who = who.format(n=people, seats=setup.rules.seats)
    title = _title(setup.edition, _)
    if setup.settings:  # the row below the button names them
        title = _("{edition}, changed").format(edition=title)
    parts = [title, who, target_text(setup.match_target, _)]
    if setup.practice:
        parts.append(_("practice"))
    return " · ".join(parts)


def resume_label(games: Sequence[UnfinishedGame], _: Translator) -> str:
    """Return the line that says which game can be resumed, or how many games can."""
    if len(games) > 1:
        return _("↻ Resume   {n} unfinished games").format(n=len(games))
    hand = _("hand {number}").format(number=games[0].hand)
    return _("↻ Resume") + "   " + describe_unfinished(games[0], _)[0] + " · " + hand


def keys(_: Translator) -> list[str]:
    """Return each key of the start screen with its meaning."""
    found = {
        "Enter  " + _("Space"): _("press the button under the cursor; on a row: list its choices"),
        "N": _("start the game as shown"),
        "G": _("resume an unfinished game"),
        "↑ ↓  Tab": _("go to another row or button"),
        "← →": _("change the choice in the row"),
        "PgUp PgDn": _("scroll the text below the rows"),
        "T": _("the tutorial"),
        "S": _("statistics of past games"),
        "P": _("preferences"),
        "Q": _("leave"),
        "Esc": _("leave (asks first)"),
    }
    return in_columns(list(found.items()))


def too_many(_: Translator) -> str:
    """Return the reason why no more people can join."""
    return _("At most {n} people can share a keyboard; let the computer play another seat.").format(n=MOST_PEOPLE)


def overview(setup: GameSetup, _: Translator, *, is_first: bool) -> str:
    """Return the text for a button that has the focus: how to use the screen, and the rules of the game."""
    lines = []
    if is_first:
        lines.append(_("New here? Press T to learn the game in one hand."))
    lines.append(_("Press Enter to play or ? to see all keys. You can use the arrow keys or the mouse."))
    if not is_first:
        lines.append(_("To practise single decisions, leave and type: {command}").format(command=practise_command()))
    lines.append("")
    lines.append(_(load_edition(setup.edition).summary))
    if nets := net_texts(setup, _):
        lines += ["", *nets]
    return "\n".join(lines)


def editions(setup: GameSetup, words: Words) -> list[StartOption]:
    """Return the choices of editions, each with its differences from the first one at this table, and a file."""
    _ = words.translate
    names = [*EDITIONS, *([setup.edition] if setup.edition not in EDITIONS else [])]
    choices = [StartOption(name, _title(name, _), _edition_details(name, setup, words)) for name in names]
    what = _("Your own edition: a TOML file, as described in the documentation.")
    return [*choices, StartOption(OWN_FILE, _("Your own file…"), what, special=True)]


def settings(setup: GameSetup, words: Words) -> list[StartOption]:
    """Return the choices for the settings: unchanged from the edition, or changed."""
    _ = words.translate
    what = _("Change the rules of the edition: press Enter to see every setting, in words.")
    as_is = StartOption(None, _("none, as the edition says"), what)
    if not setup.settings:
        return [as_is, StartOption(SETTINGS, "", special=True)]
    plain = load_edition(setup.edition).rules(setup.rules.seats, setup.rules.sides)
    lines = [_("Differences from {edition}:").format(edition=_title(setup.edition, _))]
    differences = compare(plain, setup.rules, words)
    lines += [f"• {found.right} ({found.clause})" for found in differences]
    shown = ", ".join(map(_setting, setup.settings.items()))
    return [as_is, StartOption(SETTINGS, shown, "\n".join(lines), special=True)]


def _title(name: str, _: Translator) -> str:
    return _(load_edition(name).title)


def _edition_details(name: str, setup: GameSetup, words: Words) -> str:
    _ = words.translate
    loaded = load_edition(name)
    lines = [_(loaded.summary)] if loaded.summary else []
    seats, sides = (setup.rules.seats, setup.rules.sides)
    if (seats, sides) not in tables_of(name):
        seats, sides = loaded.tables[0]
    rules, classic = loaded.rules(seats, sides), edition(EDITIONS[0]).rules(seats, sides)
    found = compare(classic, rules, words)
    if name == EDITIONS[0]:
        lines += ["", *(f"• {found.text} ({found.clause})" for found in describe(rules, words))]
    elif found:
        lines += ["", _("Differences from {edition}:").format(edition=_title(EDITIONS[0], _))]
        lines += [f"• {difference.right} ({difference.clause})" for difference in found]
    else:
        lines += ["", _("At this table it is the same as {edition}.").format(edition=_title(EDITIONS[0], _))]
    if loaded.source:
        lines += ["", _("Source: {source}.").format(source=_(loaded.source))]
    return "\n".join(lines)


def tables(setup: GameSetup, words: Words) -> list[StartOption]:
    """Return the tables of an edition, followed by all other tables for which it has enough cards."""
    _ = words.translate
    loaded = load_edition(setup.edition)
    choices = []
    for seats, sides in tables_of(setup.edition):
        rules = loaded.rules(seats, sides)
        lines = []
        if sides < seats:
            lines.append(partners_text(rules, _))
        wanted = {"table", "goal", "extension_goal", "deck"}
        lines += [sentence.text for sentence in describe(rules, words) if sentence.field in wanted]
        if (seats, sides) not in loaded.tables:
            lines.append(_("This edition wasn't made for this table, but you can play it here."))
        choices.append(StartOption((seats, sides), table_text(seats, sides, _), "\n".join(lines)))
    return choices


def seat_label(setup: GameSetup, seat: int, _: Translator) -> str:
    """Return the label for the row of a seat. If sides have partners, the label includes the side."""
    if setup.rules.seats == setup.rules.sides:
        return _("Seat {seat}").format(seat=seat + 1)
    return _("Seat {seat}, side {side}").format(seat=seat + 1, side=seat % setup.rules.sides + 1)


def name_hint(setup: GameSetup, _: Translator) -> str:
    """Return the text to show in an empty name field."""
    return _("your name") if len(setup.people) == 1 else _("name")


def players(setup: GameSetup, seat: int, _: Translator, *, every: bool = True) -> list[StartOption]:
    """Return the choices for a seat.

    It takes a while to find players from other packages. They are left out unless ``every`` is true.
    """
    now = setup.places[seat]
    person = _("Someone at this keyboard. If several people share it, hands are hidden between turns.")
    choices = [StartOption(HUMAN, _("Person"), person)]
    rules = setup.rules
    for name in ROSTER:
        details = [level_text(name, _), net_sentence(name, rules, _)]
        choices.append(StartOption(name, level_label(name, _), " ".join(filter(None, details))))
    others = _others() if every else ()
    other = _("A player from another package.")
    choices += [StartOption(name, name, other) for name in others]
    if now.startswith(COMMAND_PREFIX):
        program = _("your own program, which answers lines of JSON")
        choices.append(StartOption(now, now.removeprefix(COMMAND_PREFIX), program))
    elif now not in {choice.value for choice in choices}:
        choices.append(StartOption(now, now, net_sentence(now, rules, _) or other))
    what = _("Your own program, using the bot protocol.")
    return [*choices, StartOption(PROGRAM, _("A program…"), what, special=True)]


def targets(setup: GameSetup, _: Translator) -> list[StartOption]:
    """Return the choices for the length of a match."""
    numbers = sorted({*TARGETS, *([setup.match_target] if setup.match_target else [])})

    def match(hands: int) -> str:
        text = _.plural(
            "First side to reach this many points wins; about {n} hand.",
            "First side to reach this many points wins; about {n} hands.",
            hands,
        )
        return text.format(n=hands)

    choices = [StartOption(n, target_text(n, _), match(max(1, round(n / 400)))) for n in numbers]
    single = _("Single hands: scores add up, but there is no overall winner.")
    other = StartOption(
        OTHER, _("another number…"), _("Any whole number from 1 to {most}.").format(most=MAX_TARGET), True
    )
    return [*choices, StartOption(None, target_text(None, _), single), other]


def practice(_: Translator) -> list[StartOption]:
    """Return the choices of playing with or without help."""
    what = _("Practice: you can take moves back and count the cards that you haven't seen.")
    return [
        StartOption(False, _("no"), _("A real match. You can't take moves back, but H still gives hints.")),
        StartOption(True, _("yes"), what),
    ]


def themes(_: Translator) -> list[StartOption]:
    """Return the choices for the names of the cards."""
    usual = theme_for(_.language)
    choices = [StartOption(None, _("match the language"), _sample(usual, _))]
    return choices + [StartOption(name, theme(name).title, _sample(theme(name), _)) for name in THEMES]


def _sample(found: Theme, _: Translator) -> str:
    cards = ", ".join(f"{found.symbol_of(card)} {found.name_of(card)}" for card in SAMPLE)
    return "\n".join([_("Cards such as {cards}.").format(cards=cards), _(found.note)]).strip()


def languages(_: Translator) -> list[StartOption]:
    """Return the choices of languages. Each language has its own name."""
    found = language(choose_language()).name
    system = StartOption(None, _("system default ({language})").format(language=found), "")
    return [system, *(StartOption(code, language(code).name) for code in LANGUAGES)]


def question(value: str, _: Translator) -> tuple[str, str, str, Callable[[str], str]]:
    """Return the title of the question that a choice opens, the question, an example, and a check of an answer.

    The check returns what is wrong with the answer, or "" if nothing is.
    """
    if value == OWN_FILE:

        def check_file(text: str) -> str:
            if not text.endswith(".toml"):
                return _("An edition is a file whose name ends in .toml.")
            return _problem(lambda: tables_of(text))

        return _("Your own file"), _("Path of an edition (a .toml file):"), "~/my-rules.toml", check_file
    if value == OTHER:
        return _("Match"), _(TARGET_QUESTION), "5000", lambda text: target_problem(text, _)
    return _("Your own program"), _("Command that starts it, as in a shell:"), "python3 mybot.py", _program_problem


def _program_problem(text: str) -> str:
    def look() -> None:
        # These imports load the game, which the screen doesn't have to wait for.
        from millebornes.players import player
        from millebornes.players.external_player import ExternalPlayer

        if text.startswith((FILE_PREFIX, ONNX_PREFIX)):
            player(text).close()
        else:
            ExternalPlayer(text).check()

    return _problem(look)


def _setting(item: tuple[str, Any]) -> str:
    """Return a setting in a short form. The numbers of cards in a deck, for example, would fill the whole line."""
    name, value = item
    if isinstance(value, bool):
        return name if value else f"{name}=no"
    return name if isinstance(value, Mapping) else f"{name}={'none' if value is None else value}"


@functools.cache
def _others() -> tuple[str, ...]:
    """Return the names of the players from other packages, without loading their code."""
    return tuple(sorted(plugins({*ROSTER, *FULL_INFORMATION})))


def _problem(look: Callable[[], object]) -> str:
    """Return the error that ``look`` raises as a sentence, or "" if it raises none."""
    try:
        look()
    except MilleBornesError as error:
        text = str(error)
        return text[:1].upper() + text[1:] + "."
    return ""

"""The questions before the first hand."""

import dataclasses

from millebornes.editions import EDITIONS, Rules, edition
from millebornes.i18n import Translator, is_no, is_yes, words
from millebornes.player_names import HUMAN
from millebornes.policies.net_choice import net_sentence
from millebornes.roster import DEFAULT_PLAYER, ROSTER, level_text, level_word
from millebornes.session.setup import net_texts
from millebornes.shown import LONGEST_NAME
from millebornes.table.setup import DEFAULT_TARGET, MAX_TARGET, MOST_PEOPLE, GameSetup
from millebornes.tui.plain.commands import question_help
from millebornes.tui.plain.console import Console
from millebornes.words.editions import (
    TARGET_QUESTION,
    number_wanted,
    partners_text,
    seats_and_sides,
    table_text,
    target_text,
    title_with,
)


class TutorialWanted(Exception):
    """Raised when a person wants to play the tutorial first."""


def never_fit(_: Translator) -> str:
    """Return the sentence that ends a program whose input never answers the questions."""
    return _("The input doesn't answer the questions, and no one is at a keyboard to correct it, so the program ends.")


def confirm(console: Console, prompt: str, _: Translator, *, default: bool) -> bool:
    """Ask a yes/no question. Enter chooses the default."""
    hint = _("(Y/n)") if default else _("(y/N)")
    help = _("Type Y for yes or N for no; Enter chooses the one in capitals.")
    while True:
        answer = console.ask(f"{prompt} {hint}", help=[help]).casefold()
        if is_yes(answer):
            return True
        if is_no(answer):
            return False
        if not answer:
            return default
        console.wrong(_("Please answer yes or no."))


def _ask_number(console: Console, prompt: str, low: int, high: int, default: int, _: Translator) -> int:
    text = _("Type a whole number from {low} to {high}; Enter chooses {default}.")
    help = question_help(text.format(low=low, high=high, default=default), _)
    while True:
        answer = _.digits(console.ask(f"{prompt} [{default}]", help=help))
        if not answer:
            return default
        if answer.isascii() and answer.isdigit() and len(answer) < 10 and low <= int(answer) <= high:
            return int(answer)
        console.wrong(number_wanted(low, high, _))


def ask_setup(console: Console, usual: GameSetup, names: list[str], _: Translator) -> GameSetup:
    """Ask which edition to play, and offer the ``usual`` match for two. If the person wants something else, ask for it.

    ``names`` are the names of people that are known. Raises `TutorialWanted`.
    """
    setup = usual.with_edition(_ask_edition(console, _))
    prompt = _("Two seats, you against the computer ({level}), first to {target} points. Enter plays; C changes this.")
    text = _("Enter begins that match. C asks for the table, the players and the length of the match.")
    while True:
        answer = console.ask(
            prompt.format(level=level_word(DEFAULT_PLAYER, _), target=setup.match_target), help=question_help(text, _)
        ).casefold()
        if not answer:
            break
        if answer == "c" or answer in words("change"):
            setup = _ask_table(console, setup, _)
            places = _ask_players(console, setup.rules, names, _)
            target = _ask_number(console, _(TARGET_QUESTION), 0, MAX_TARGET, DEFAULT_TARGET, _) or None
            practice = confirm(console, _("Practice, with undo and card counting?"), _, default=setup.practice)
            setup = dataclasses.replace(setup, places=places, names=(), match_target=target, practice=practice)
            break
        console.wrong(_("Please press Enter, or type C."))
    return setup.with_names(names)


def ask_again(console: Console, setup: GameSetup, _: Translator) -> bool:
    """Ask whether to play the same game as last time."""
    players = [
        (name or _("You")) if place == HUMAN else place for place, name in zip(setup.places, setup.names, strict=True)
    ]
    parts = [
        title_with(setup.edition, setup.settings, _),
        seats_and_sides(setup.rules.seats, setup.rules.sides, _),
        ", ".join(players),
        target_text(setup.match_target, _),
    ]
    if setup.practice:
        parts.append(_("practice"))
    console.say_all(net_texts(setup, _))
    return confirm(console, _("Same as last time ({game})?").format(game=_.join(parts)), _, default=True)


def _ask_edition(console: Console, _: Translator) -> str:
    console.say(_("Which rules?"))
    for number, name in enumerate(EDITIONS, 1):
        found = edition(name)
        console.say(
            f"  {number}  " + _("{head}: {text}").format(head=name, text=f"{_(found.title)}. {_(found.summary)}")
        )
    console.say("  T  " + _("tutorial: start with one hand, step by step"))
    text = _("Type the number or the name of an edition; Enter chooses {edition}. T begins the tutorial.")
    help = question_help(text.format(edition=EDITIONS[0]), _)
    while True:
        answer = _.digits(console.ask(_("Edition, by number or name:") + f" [{EDITIONS[0]}]", help=help)).casefold()
        if not answer:
            return EDITIONS[0]
        if answer == "t" or answer in words("tutorial"):
            raise TutorialWanted
        if answer.isdecimal() and len(answer) < 3 and 1 <= int(answer) <= len(EDITIONS):
            return EDITIONS[int(answer) - 1]
        close = [name for name in EDITIONS if name.startswith(answer)]
        if len(close) == 1:
            return close[0]
        console.wrong(_("There is no such edition; type a number from 1 to {n} or a name.").format(n=len(EDITIONS)))


def _ask_table(console: Console, setup: GameSetup, _: Translator) -> GameSetup:
    tables = edition(setup.edition).tables
    console.say(_("Which table?"))
    for number, (seats, sides) in enumerate(tables, 1):
        rules = edition(setup.edition).rules(seats, sides)
        trip = _("{goal} miles").format(goal=rules.goal)
        if rules.extension_goal:
            trip = _("{goal} miles, extension to {extension}").format(goal=rules.goal, extension=rules.extension_goal)
        console.say(f"  {number}  {table_text(seats, sides, _)}; {trip}")
    number = 1 if len(tables) == 1 else _ask_number(console, _("Table:"), 1, len(tables), 1, _)
    return setup.with_table(*tables[number - 1])


def _ask_players(console: Console, rules: Rules, names: list[str], _: Translator) -> tuple[str, ...]:
    people = _ask_number(console, _("How many people play at this keyboard?"), 1, min(rules.seats, MOST_PEOPLE), 1, _)
    where = _ask_seats(console, rules, people, _) if 1 < people < rules.seats else list(range(people))
    for number in range(len(names), people):
        prompt = _("Name of the person in seat {seat} (Enter: none):").format(seat=where[number] + 1)
        text = _("Type a name of at most {n} characters, or press Enter for none.").format(n=LONGEST_NAME)
        names.append(console.ask(prompt, help=question_help(text, _)))
    level = DEFAULT_PLAYER
    if people < rules.seats:
        console.say(_("Which computer player?"))
        levels = list(ROSTER)
        for number, name in enumerate(levels, 1):
            console.say(f"  {number}  " + _("{head}: {text}").format(head=name, text=level_text(name, _)))
        usual = levels.index(DEFAULT_PLAYER) + 1
        level = levels[_ask_number(console, _("Computer player:"), 1, len(levels), usual, _) - 1]
        if net := net_sentence(level, rules, _):
            console.say(net)
    return tuple(HUMAN if seat in where else level for seat in range(rules.seats))


def _ask_seats(console: Console, rules: Rules, people: int, _: Translator) -> list[int]:
    """Ask in which seats the people sit. This determines who are partners."""
    usual = " ".join(str(seat + 1) for seat in range(people))
    console.say(partners_text(rules, _))
    wrong = _("Please type {n} different numbers from 1 to {seats}.").format(n=people, seats=rules.seats)
    while True:
        prompt = _("Seats of the {n} people:").format(n=people) + f" [{usual}]"
        answer = console.ask(prompt, help=question_help(wrong, _)) or usual
        parts = [_.digits(part) for part in answer.replace(",", " ").split()]
        seats = sorted({int(part) - 1 for part in parts if part.isascii() and part.isdigit() and len(part) == 1})
        if len(seats) == len(parts) == people and seats[0] >= 0 and seats[-1] < rules.seats:
            return seats
        console.wrong(wrong)

"""The setup of a game in words."""

from millebornes.i18n import Translator
from millebornes.policies.net_choice import net_sentence
from millebornes.table.setup import MAX_TARGET, GameSetup
from millebornes.words.editions import number_wanted


def target_problem(text: str, _: Translator) -> str:
    """Return what is wrong with a typed match target, or "" if it is valid. A target of 0 means single hands."""
    if text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= MAX_TARGET:
        return ""
    return number_wanted(0, MAX_TARGET, _)


def net_texts(setup: GameSetup, _: Translator) -> list[str]:
    """Return a sentence about the net of each computer player that uses one."""
    said = {name: net_sentence(name, setup.rules, _) for name in setup.places}
    return [_("{head}: {text}").format(head=name, text=text) for name, text in said.items() if text]


def simply_text(players: tuple[str, ...], _: Translator) -> str:
    """Return a sentence saying that these computer players can't play at full strength yet."""
    text = _("Until it is fully compiled (first time only), this computer player plays a simpler game: {players}.")
    return text.format(players=", ".join(players))

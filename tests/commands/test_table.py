"""The table of commands: nothing means two things, and nothing is left without its help."""

import itertools

from millebornes.commands.table import BY_LETTER, Command
from millebornes.i18n import words


def test_each_letter_word_and_key_names_one_command() -> None:
    assert len(BY_LETTER) == sum(len(command.value.letter + command.value.characters) for command in Command)
    keys = list(itertools.chain.from_iterable(command.all_keys for command in Command))
    assert len(keys) == len(set(keys))


def test_every_command_says_what_it_does() -> None:
    for command in Command:
        entry = command.value
        assert bool(entry.help) == bool(entry.usage or entry.asked_by), command
        assert entry.key_help or not entry.keys, command
        assert command.all_keys or words(command.action), command

"""The version of the rules, and the mark of data that was computed by playing by them."""

from typing import Final

from millebornes.editions import Rules
from millebornes.rules.clauses import points_of

RULES_VERSION: Final = 1
"""The version of the rules, which changes only if the same decks and moves would lead to a different match.

It is stored with games that are kept for a long time. "What must rise with the rules" in docs/contributing.md says what
else to renew.
"""


def made_for(rules: Rules) -> tuple[int, ...]:
    """Return the mark of data computed for these rules: the version, and the points of each line of the score sheet.

    `Rules` contains neither, so the data can be outdated although its `Rules` are the same.
    """
    return RULES_VERSION, *points_of(rules)

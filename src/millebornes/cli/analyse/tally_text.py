"""Print the combined results of many reviews for the terminal."""

from collections.abc import Sequence

from rich.console import Console

from millebornes.analysis.exercises.tally import PlayerTally
from millebornes.errors import printable
from millebornes.i18n import Translator
from millebornes.tui.common.printing import table_of
from millebornes.words.figures import loss_text, luck_text, rating_text


def tally_text(players: Sequence[PlayerTally], console: Console, _: Translator) -> None:
    """Print a table with the results of each player."""
    heads = [_("player"), _("matches"), _("decisions"), _("loss per decision"), _("luck per match"), _("rating")]
    rows = []
    for player in players:
        unit = player.objective.value
        rated, ci95 = (None, None) if player.rating is None else player.rating
        loss = loss_text(player.loss_per_decision, unit, _)
        luck = "–" if player.luck is None else luck_text(player.luck, unit, _)
        counts = [f"{player.matches}", f"{player.decisions}"]
        rows.append([printable(player.name), *counts, loss, luck, rating_text(rated, ci95, _)])
    console.print(table_of(heads, rows, console))

"""The end of a hand and of a match: the score sheet, how the match has gone so far, and whether there is to be more."""

from collections.abc import Callable, Sequence

from millebornes.i18n import Translator
from millebornes.session.sitting import Sitting
from millebornes.tui.common.plot import plot_lines, plot_sentence, running_totals
from millebornes.tui.plain.answers import answer
from millebornes.tui.plain.brief import switch_brief
from millebornes.tui.plain.commands import Kind, parse
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.sheet import sheet_lines, sheet_sentences

__all__ = ["Ends"]


class Ends:
    """Shows how a sitting's hands and matches end."""

    def __init__(
        self, console: Console, sitting: Sitting, latest: Callable[[int | None], Sequence[str]], _: Translator
    ) -> None:
        """``latest`` tells what has happened since a seat's latest move."""
        self._console = console
        self._latest = latest
        self._sitting = sitting
        self._ = _

    @property
    def _viewer(self) -> int | None:
        """Who reads: a person who plays alone, else everybody."""
        cast = self._sitting.cast
        return None if cast.is_shared else next(iter(cast.people), None)

    def show(self) -> None:
        """What is to be seen when a hand is over, or the match by a forfeit."""
        _, sitting, console = self._, self._sitting, self._console
        loss = sitting.loss
        if loss is None:
            console.heading(_("Hand {number}: the score").format(number=sitting.match.hand_number))
            console.say(sitting.teller.hand_over(sitting.hand)(self._viewer))
        else:
            console.heading(_("The match is over."))
            if loss.log is not None:
                console.say(_("What it had to say is in {path}.").format(path=loss.log))
            console.say(_("The hand that was being played does not count."))
        self.show_score()
        if sitting.is_over:
            console.heading(self._result())

    def show_score(self, *, in_words: bool = False) -> None:
        """The score sheet with its sides beside each other, then the match so far; in brief both as sentences."""
        sitting = self._sitting
        match, totals = sitting.match, running_totals(sitting.match)
        sheet = (match.hand.scores, match.totals, sitting.games, sitting.cast, self._viewer, self._)
        if in_words or sitting.preferences.brief:
            lines = sheet_sentences(*sheet)
            if len(totals) > 1:
                lines.append(plot_sentence(totals, sitting.cast, self._viewer, self._))
        else:
            lines = sheet_lines(*sheet)
            if len(totals) > 1:
                lines += ["", *plot_lines(totals, match.match_target, self._)]
        for line in lines:
            self._console.say(line)

    def _result(self) -> str:
        """Who has won the match."""
        _, sitting = self._, self._sitting
        winner = sitting.winner
        if winner is None:
            return _("The match is drawn.") if sitting.loss is None else _("The other sides share the win.")
        if self._viewer is not None and sitting.rules.side_of(self._viewer) == winner:
            return _("You win the match.")
        text = _.plural("{side} wins the match.", "{side} win the match.", len(sitting.rules.seats_of(winner)))
        return text.format(side=sitting.cast.side(winner))

    def ask_another(self, game: Callable[[str], None]) -> bool:
        """Whether there is to be another hand or game; until then the score can be seen again, and the game be saved.

        ``game`` does ``quit``, ``save``, ``statistics`` and ``undo``; what has been taken back does not return.
        """
        _, sitting, console = self._, self._sitting, self._console
        question = _("Another game?") if sitting.is_over else _("Another hand?")
        while True:
            text = console.ask(f"{question} " + _("(Y/n)"))
            command = parse(text, sitting.cast, sitting.rules.hand_size, _, seat=self._viewer, answering=True)
            match command.kind:
                case Kind.YES | Kind.NOTHING:
                    return True
                case Kind.NO:
                    return False
                case Kind.QUIT:
                    game("quit")
                case Kind.SAVE:
                    game("save")
                case Kind.STATISTICS:
                    game("statistics")
                case Kind.UNDO if sitting.practice:
                    game("undo")
                case Kind.WINDOW | Kind.REDRAW | Kind.SHEET:
                    self.show_score(in_words=bool(command.topic))
                case Kind.BRIEF:
                    console.say(switch_brief(sitting, _))
                    game("preferences")
                case Kind.QUESTION:
                    for line in answer(command, sitting, self._viewer, self._latest(self._viewer), _):
                        console.say(line)
                case Kind.HELP:
                    console.say(
                        _(
                            "Enter goes on, N ends the game, S saves it, T tells the score again, log what happened, "
                            "stats the statistics, Q quits."
                        )
                    )
                case _other:
                    console.say(_("Please answer yes or no."))

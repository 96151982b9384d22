"""``millebornes verify``: check that the host shuffled the hands of a recorded match as it had committed to do."""

import dataclasses
import json
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from millebornes.cli.common import json_option, language_option, opened
from millebornes.errors import NotationError
from millebornes.i18n import N_, Translator, choose_language, translator

if TYPE_CHECKING:
    from millebornes.notation.transcript import Header, RecordedHand

MISSING = N_("the shuffle is not recorded")
COMMITMENT = N_("the server seed does not match its commitment")
OTHER_HAND = N_("the shuffle belongs to another hand, or to a different table from the earlier hands")
DECK = N_("the deck does not follow from the seeds")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The result of checking one hand: no problem if it was dealt from the deck that the host committed to."""

    hand: int
    problem: str | None = None
    table: str | None = None
    commitment: str | None = None
    seat_seeds: tuple[str, ...] = ()


def _verdict(record: "RecordedHand", header: "Header", table: str | None) -> Verdict:
    from millebornes.game import FairShuffle

    data = record.extra.get("shuffle")
    if data is None:
        return Verdict(record.number, MISSING)
    try:
        shuffle = FairShuffle.from_dict(data, header.rules.seats)
    except NotationError as error:
        return Verdict(record.number, str(error))
    if not shuffle.keeps_commitment:
        problem: str | None = COMMITMENT
    elif shuffle.hand != record.number or table not in (None, shuffle.table):
        problem = OTHER_HAND
    else:
        problem = None if shuffle.deck(header.rules) == record.deck else DECK
    seeds = tuple(seed.hex() for seed in shuffle.seat_seeds)
    return Verdict(record.number, problem, shuffle.table, shuffle.commitment, seeds)


def _verdicts(stream: BinaryIO, where: str) -> list[Verdict]:
    from millebornes.notation.transcript import RecordedHand, read_records

    header, records = read_records(stream, where)
    verdicts: list[Verdict] = []
    for record in records:
        if isinstance(record, RecordedHand):
            table = next((verdict.table for verdict in verdicts if verdict.table is not None), None)
            verdicts.append(_verdict(record, header, table))
    return verdicts


def _lines(verdicts: list[Verdict], _: Translator) -> list[str]:
    lines = []
    for verdict in verdicts:
        if verdict.problem is not None:
            problem = _(verdict.problem)
            lines.append(_("Hand {number}: {problem}.").format(number=verdict.hand, problem=problem))
        else:
            text = _("Hand {number}: the deck follows from the seeds. Published before the hand: {commitment}")
            lines.append(text.format(number=verdict.hand, commitment=verdict.commitment))
    bad = sum(verdict.problem is not None for verdict in verdicts)
    if not verdicts:
        lines.append(_("There are no hands to check."))
    elif bad:
        text = _.plural("{n} hand could not be confirmed.", "{n} hands could not be confirmed.", bad)
        lines.append(text.format(n=bad))
    else:
        text = _.plural(
            "The shuffle of {n} hand was confirmed.", "The shuffles of all {n} hands were confirmed.", len(verdicts)
        )
        lines.append(text.format(n=len(verdicts)))
    return lines


_HELP: Final = """\
Check the recorded shuffle of every hand in the transcript FILE (- for standard input).

For each hand, the server seed has to match the SHA-256 hash that was published beforehand, and the deck has to
follow from the server seed and the seats' own seeds. Compare the published hashes with the hashes that the table
showed before each hand. The exit status is 1 if any hand can't be confirmed. To check this with a program of your
own, see Fair shuffle in the documentation."""


@click.command(help=_HELP)
@click.argument("file", metavar="FILE")
@json_option
@language_option
def verify(file: str, as_json: bool, language: str | None) -> int:
    """Run the command ``verify``."""
    with opened(file) as (stream, where):
        verdicts = _verdicts(stream, where)
    fair = bool(verdicts) and all(verdict.problem is None for verdict in verdicts)
    if as_json:
        hands = [
            {
                "hand": verdict.hand,
                "ok": verdict.problem is None,
                "problem": verdict.problem,
                "commitment": verdict.commitment,
                "seat_seeds": list(verdict.seat_seeds),
            }
            for verdict in verdicts
        ]
        click.echo(json.dumps({"ok": fair, "hands": hands}, ensure_ascii=False, separators=(",", ":")))
    else:
        for line in _lines(verdicts, translator(choose_language(language))):
            click.echo(line)
    return 0 if fair else 1

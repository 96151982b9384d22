"""Logs of tables as earlier versions wrote them, and what follows from them.

python -m tests.web.golden --add    adds a log for each fact and field that none has yet; the others stay as they are
"""

import hashlib
import json
import random
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.player_names import HUMAN
from millebornes.session.game_session import created
from millebornes.storage import SavedGame
from millebornes.table.commands import dealt_before
from millebornes.table.facts import FACT_KINDS, Created, Fact, Undone, read_fact, write_fact
from millebornes.table.state import TableState
from tests.web.twins import Twins

DATA = Path(__file__).parents[1] / "data" / "web"
GOLDEN: dict[str, list[int | str]] = json.loads((DATA / "digests.json").read_bytes())
"""Version and digest of all messages of the logs that are kept there; together they have every kind of fact."""
MOST_TABLES = 500
Part = tuple[str, str, bool]


def kept(name: str) -> list[Fact]:
    return [read_fact(line) for line in (DATA / name).read_bytes().splitlines()]


def digest_of(log: list[Fact]) -> list[int | str]:
    """The version to which a log leads, and a digest of what the viewers get on the way."""
    assert isinstance(log[0], Created)
    state, digest = TableState(log[0]), hashlib.sha256()
    for event in log:
        for message in state.apply(event):
            for viewer in (None, 0, 1, 2):
                digest.update(f"{message.version} {message.event} {message.seen_by(viewer)!r}\n".encode())
        if state.clocks is not None:
            digest.update(repr(msgspec.structs.asdict(state.clocks.to_object(event.at))).encode())
    return [state.version, digest.hexdigest()]


def missing(logs: Iterable[list[Fact]]) -> set[Part]:
    """The facts, and their fields with a usual value and with another, that no log has."""
    return _parts_of_all() - {part for log in logs for event in log for part in _parts(event)}


def _parts_of_all() -> set[Part]:
    return {
        (kind.__name__, field.name, is_usual)
        for kind in FACT_KINDS
        for field in msgspec.structs.fields(kind)
        for is_usual in ((False,) if field.required else (True, False))
    }


def _parts(event: Fact) -> set[Part]:
    fields = msgspec.structs.fields(event)
    return {(type(event).__name__, field.name, getattr(event, field.name) == field.default) for field in fields}


def add(name: str, log: list[Fact]) -> None:
    """Keep a log and its digest."""
    (DATA / name).write_text("".join(f"{write_fact(event)}\n" for event in log), encoding="utf-8")
    GOLDEN[name] = digest_of(log)
    print(DATA / name)


def one_screen() -> list[Fact]:
    """The log of a second match at one screen, in which a person takes a move back."""
    rng, rules = random.Random(3), make_rules("classic")
    match = Match.start(rules, "golden", first=1, players=("Ann", "basic"))
    while match.hand.ply < 40:
        match = match.play(rng.choice(list(match.hand.legal_moves)))
    game = SavedGame(match=match, seats=(HUMAN, "basic"), seed="golden", games=(2, 1), slots=((), ()))
    log = [created(game, match.players), dealt_before(match.hand, 1, 1, 0)]
    return [*log, Undone(at=0, seat=0, settled=True)]


def main() -> None:
    if sys.argv[1:] != ["--add"]:
        sys.exit("usage: python -m tests.web.golden --add")
    wanted = missing(map(kept, GOLDEN))
    if wanted & {part for fact in one_screen() for part in _parts(fact)}:
        add("golden-one-screen.jsonl", one_screen())
        wanted = missing(map(kept, GOLDEN))
    for number in range(MOST_TABLES):
        if not wanted:
            break
        twins = Twins(f"golden {number}")
        while not twins.is_done and twins.counts.total() < 400 and not wanted & _parts(twins.logs[0][-1]):
            twins.step()
        log = twins.logs[0]
        found = wanted & _parts(log[-1])
        if found:
            kind, field, is_usual = min(found)
            add(f"golden-{kind.lower()}-{field}{'-usual' if is_usual else ''}.jsonl", log)
            wanted -= found
    if wanted:
        sys.exit(f"no table led to {sorted(wanted)}; let `Twins` do what leads there")
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in GOLDEN.items())
    (DATA / "digests.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

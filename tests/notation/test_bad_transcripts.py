"""Transcripts that are wrong, each in one way: where the error says it is, and what it says."""

import functools
import json
from collections.abc import Callable
from typing import Any

import pytest

from millebornes.cards import Card
from millebornes.editions import make_rules
from millebornes.errors import TranscriptError
from millebornes.notation import replay_lines
from millebornes.notation.lines import MAX_LINE
from tests.notation.base import (
    Lines,
    Spoiler,
    both,
    change,
    drop,
    finished,
    insert,
    joined,
    move,
    put,
    raw,
    setting,
    text,
    without,
)

FULL = {card.value: count for card, count in zip(Card, make_rules().deck, strict=True)}


def scores(side: int, **lines: Any) -> Callable[[Any], None]:
    return lambda data: data["scores"][side].update(lines)


def own(*left_out: str, **changed: Any) -> Spoiler:
    """A header with an edition of one's own."""
    settings = make_rules(seats=4).settings(short_deck=True)
    settings.update(changed)
    for name in left_out:
        del settings[name]
    return both(put(1, "edition", None), put(1, "set", settings))


def longest_line(lines: Lines) -> bytes:
    lines[1] = lines[1][:-1] + " " * (MAX_LINE + 1 - len(lines[1])) + "}"
    return joined(lines)


CASES: list[tuple[str, Spoiler, int, tuple[str, ...]]] = [
    # ------------------------------------------------------------ the file and its lines
    ("empty file", lambda lines: b"", 1, ("empty",)),
    ("byte-order mark", lambda lines: b"\xef\xbb\xbf" + joined(lines), 1, ("byte-order mark",)),
    ("byte-order mark later", raw(2, b"\xef\xbb\xbf{}"), 2, ("byte-order mark",)),
    ("UTF-16", lambda lines: joined(lines).decode().encode("utf-16"), 1, ("invalid UTF-8", "0xff")),
    ("Latin-1", lambda lines: joined(lines).decode().encode("latin-1"), 1, ("invalid UTF-8", "0xe9")),
    ("encoded surrogate", raw(2, b'{"hand":1,"x":"\xed\xa0\x80"}'), 2, ("invalid UTF-8",)),
    ("NUL bytes", raw(2, b"\0\0\0\0"), 2, ("invalid JSON",)),
    ("blank line between", insert(3, ""), 3, ("blank",)),
    ("too long a line", longest_line, 2, ("16 MiB",)),
    ("endless line of digits", raw(2, b"1" * 100_000), 2, ("digits",)),
    ("truncated line", lambda lines: joined(lines)[:-4], 4, ("invalid JSON",)),
    ("two objects on a line", lambda lines: joined([lines[0], lines[1] + lines[2]]), 2, ("invalid JSON", "Extra data")),
    ("an array", raw(2, b"[1,2]"), 2, ("a list of 2", "a JSON object")),
    ("no JSON at all", raw(1, b"Mille Bornes"), 1, ("invalid JSON",)),
    ("single quotes", raw(2, b"{'hand':1}"), 2, ("invalid JSON", "column 2")),
    ("lone surrogate", raw(1, rb'{"format":"millebornes/1","players":["\ud800","b"]}'), 1, ("surrogate", "ud800")),
    ("deep nesting", raw(2, b"[" * 200_000), 2, ("nested too deeply",)),
    ("duplicate key", text(1, '"seats": 4', '"seats": 4, "seats": 4'), 1, ('"seats"', "twice")),
    ("duplicate escaped key", text(1, '"seats": 4', r'"seats": 4, "\u0073eats": 4'), 1, ('"seats"', "twice")),
    ("duplicate nested key", text(1, '"seats": 4', '"seats": 4, "save": {"a": [{"b": 1, "b": 1}]}'), 1, ('"b"',)),
    ("NaN", text(1, '"seats": 4', '"seats": 4, "x": NaN'), 1, ("NaN",)),
    ("Infinity", text(1, '"seats": 4', '"seats": 4, "x": Infinity'), 1, ("Infinity",)),
    ("a number beyond all floats", text(1, '"seats": 4', '"seats": 4, "x": 1e999'), 1, ("1e999", "too large")),
    ("a whole number of 5000 digits", text(2, '"hand": 1', '"hand": 1' + "0" * 5000), 2, ("digits",)),
    ("leading zero", text(2, '"hand": 1', '"hand": 01'), 2, ("invalid JSON",)),
    # ------------------------------------------------------------ the header
    ("no header", without(1), 1, ('"format"',)),
    ("empty header", raw(1, b"{}"), 1, ('"format"',)),
    ("other format", put(1, "format", "chess/1"), 1, ("chess/1", "millebornes/1")),
    ("newer format", put(1, "format", "millebornes/2"), 1, ("millebornes/2", "this version")),
    ("second header", lambda lines: joined([lines[0], *lines]), 2, ('"format"', "needs the key")),
    ("edition missing", drop(1, "edition"), 1, ("edition is missing",)),
    ("edition unknown", put(1, "edition", "clasic"), 1, ('"clasic"', "did you mean 'classic'", "wikibooks")),
    ("edition a file", put(1, "edition", "/etc/passwd.toml"), 1, ("passwd.toml", "null")),
    ("seats missing", drop(1, "seats"), 1, ("seats is missing",)),
    ("nine seats", put(1, "seats", 9), 1, ("seats: 9", "2 to 8")),
    ("4.0 seats", put(1, "seats", 4.0), 1, ("seats: 4.0", "whole number")),
    ("sides missing", drop(1, "sides"), 1, ("sides is missing",)),
    ("three sides of four seats", put(1, "sides", 3), 1, ("sides: 3", "2 or 4")),
    ("set a list", put(1, "set", []), 1, ("set: []", "object")),
    ("unknown setting", setting("target", "left"), 1, ("target", "did you mean 'targets'")),
    ("endless setting", setting("x" * 100_000, 1), 1, ("set:", "xxx…")),
    ("wrong choice", setting("targets", "right"), 1, ("targets", "right", "all or left")),
    ("goal of 710", setting("goal", 710), 1, ("goal", "710", "multiple of 25")),
    ("goal above the extension", setting("extension_goal", 1000), 1, ("goal", "1000")),
    ("extension none as a text", setting("extension_goal", "none"), 1, ("extension_goal", "null")),
    ("yes as a text", setting("roll_200", "yes"), 1, ("roll_200", "true or false")),
    ("deck unknown", setting("deck", "huge"), 1, ("deck", "huge", "reduced")),
    ("deck of five cards", setting("deck", {"25": 4, "roll": 1}), 1, ("deck", "5 cards")),
    ("deck with an unknown card", setting("deck", {**FULL, "joker": 1}), 1, ("deck", "joker")),
    ("deck with two of a safety", setting("deck", {**FULL, "extra_tank": 2}), 1, ("deck", "extra_tank", "0 to 1")),
    ("deck of 300 cards", setting("deck", {**FULL, "25": 192}), 1, ("deck", "too many")),
    (
        "deck of safeties",
        setting("deck", {**FULL, "roll": 0, "driving_ace": 0, "extra_tank": 0, "puncture_proof": 0, "right_of_way": 0}),
        1,
        ("deck", "score"),
    ),
    ("contradiction", setting("hazard_on", "stack"), 1, ("right_of_way_clears", "hazard_on")),
    ("own edition without settings", put(1, "edition", None), 1, ("every setting is needed", "hand_size")),
    ("own edition without a goal", own("goal"), 1, ("every setting is needed", "missing: goal")),
    ("own edition with an unknown setting", own(speed=1), 1, ("speed",)),
    ("three players", put(1, "players", ["a", "b", "c"]), 1, ("players", "a list of 3", "4 names")),
    ("a player without name", put(1, "players", ["a", "b", "c", None]), 1, ("players",)),
    ("target 0", put(1, "match_target", 0), 1, ("match_target", "0")),
    ("target a text", put(1, "match_target", "5000"), 1, ('match_target: "5000"',)),
    # ------------------------------------------------------------ the line of a hand
    ("neither hand nor result", raw(2, b'{"foo":1}'), 2, ('"foo"', "needs the key")),
    ("empty object", raw(2, b"{}"), 2, ("needs the key",)),
    ("hand 2 first", put(2, "hand", 2), 2, ("out of order", "hand 1")),
    ("hand 1 twice", put(3, "hand", 1), 3, ("out of order", "hand 2")),
    ("hand 3 second", put(3, "hand", 3), 3, ("out of order", "hand 2")),
    ("hand left out", without(2), 2, ("out of order", "hand 1")),
    ("hand true", put(2, "hand", True), 2, ("hand: true",)),
    ("first missing", drop(2, "first"), 2, ("hand 1", "first is missing")),
    ("first 4", put(2, "first", 4), 2, ("first: 4", "0 to 3")),
    ("first out of turn", put(3, "first", 3), 3, ("hand 2", "out of turn", "R2.7")),
    ("deck missing", drop(2, "deck"), 2, ("deck is missing",)),
    ("deck a text", put(2, "deck", "full"), 2, ('deck: "full"',)),
    ("deck short of a card", change(2, lambda data: data["deck"].pop()), 2, ("deck", "these rules need")),
    ("deck with a card too many", change(2, lambda data: data["deck"].append("roll")), 2, ("15 x roll", "14")),
    (
        "deck with a card changed",
        change(2, lambda data: data["deck"].__setitem__(data["deck"].index("extra_tank"), "roll")),
        2,
        ("deck", "these rules need"),
    ),
    ("deck of another edition", setting("deck", "reduced"), 2, ("deck", "these rules need 2")),
    (
        "deck with an unknown card",
        change(2, lambda data: data["deck"].__setitem__(7, "joker")),
        2,
        ('"joker"', "7", "R1"),
    ),
    ("deck with a short code", change(2, lambda data: data["deck"].__setitem__(0, "ROL")), 2, ('"ROL"', "R1")),
    ("deck with a number", change(2, lambda data: data["deck"].__setitem__(0, 25)), 2, ("25", "isn't a card")),
    ("moves missing", drop(2, "moves"), 2, ("moves is missing",)),
    ("moves a text", put(2, "moves", "roll"), 2, ('moves: "roll"', "list")),
    ("info a list", put(2, "info", []), 2, ("info: []",)),
    ("info about no number", put(2, "info", {"a": {}}), 2, ("info", '"a"')),
    ("info about a move that never was", put(2, "info", {"9999": {}}), 2, ("info", '"9999"', "from 0")),
    ("info that is a text", put(2, "info", {"0": "hm"}), 2, ("info", '"hm"', "object")),
    # ------------------------------------------------------------ moves
    ("card not held", move(2, 0, "extra_tank"), 2, ("hand 1, ply 0", "extra_tank", "don't have", "R2.5", "legal: -")),
    ("distance before rolling", move(2, 0, "50"), 2, ("hand 1, ply 0", "50", "R4.1", "legal:")),
    ("hazard without its side", move(2, 0, "stop"), 2, ("hand 1, ply 0", '"stop"', "name a side", "legal:")),
    ("hazard on side 2 of 2", move(2, 0, "stop>2"), 2, ("ply 0", "stop>2", "legal:")),
    ("unknown card", move(2, 5, "joker"), 2, ("hand 1, ply 5", "'joker'", "legal:")),
    ("short code", move(2, 5, "ROL"), 2, ("ply 5", "'ROL'")),
    ("empty text", move(2, 5, ""), 2, ("ply 5", "''")),
    ("endless text", move(2, 5, "x" * 1_000_000), 2, ("ply 5", "xxx...", "legal:")),
    ("line ends inside", move(2, 5, "roll\nroll\r\u2028"), 2, ("ply 5", "\\n")),
    ("half a character", move(2, 5, "\ud83d"), 2, ("surrogate",)),
    ("pass without a question", move(2, 0, "pass"), 2, ("ply 0", "pass", "R5.1", "legal:")),
    ("coup without a question", move(2, 0, "extra_tank!"), 2, ("ply 0", "extra_tank!", "R5.1", "legal:")),
    ("coup with a remedy", move(2, 0, "roll!"), 2, ("ply 0", "'roll!'")),
    ("extend without a question", move(2, 0, "extend"), 2, ("ply 0", "extend", "R6.2")),
    ("100 as a roll", move(2, 0, "100=roll"), 2, ("ply 0", "'100=roll'")),
    ("discard of a card not held", move(2, 0, "-extra_tank"), 2, ("ply 0", "-extra_tank", "don't have", "legal:")),
    ("a move left out", change(2, lambda data: data["moves"].pop(0)), 2, ("hand 1, ply", "legal:")),
    ("a move after the end", change(2, lambda data: data["moves"].append("roll")), 2, ("hand 1, ply", "roll", "over")),
    ("no moves, but scores", put(2, "moves", []), 2, ("hand 1", "scores", "not over")),
    ("last move left out", change(2, lambda data: data["moves"].pop()), 2, ("hand 1", "scores", "not over")),
    # ------------------------------------------------------------ scores
    ("distance wrong", change(2, scores(0, distance=125)), 2, ("hand 1", "scores of side 0", "distance", "125", "R7")),
    ("total wrong", change(3, scores(1, total=0)), 3, ("hand 2", "scores of side 1", "total", "1700")),
    ("score line missing", change(2, lambda data: data["scores"][0].pop("safe_trip")), 2, ("safe_trip is missing",)),
    ("score line unknown", change(2, scores(0, bonus=5)), 2, ("bonus",)),
    (
        "scores of one side",
        change(2, lambda data: data["scores"].pop()),
        2,
        ("scores", "a list of 1", "2 score sheets"),
    ),
    ("scores swapped", change(2, lambda data: data["scores"].reverse()), 2, ("scores of side 0",)),
    ("scores are numbers", put(2, "scores", [1100, 600]), 2, ("scores[0]", "1100")),
    # ------------------------------------------------------------ the order of hands, and the result
    (
        "unfinished hand, then another",
        both(drop(2, "scores"), change(2, lambda data: data["moves"].pop())),
        3,
        ("hand 2", "unfinished", "line 2"),
    ),
    ("hand after the match", put(1, "match_target", 1000), 3, ("hand 2", "after the end of the match", "R8.1", "1000")),
    ("hand after the result", lambda lines: joined([*lines, lines[2]]), 5, ("can follow the result on line 4",)),
    ("result twice", lambda lines: joined([*lines, lines[3]]), 5, ("can follow the result on line 4",)),
    ("unknown line after the result", insert(5, '{"x":1}'), 5, ('"x"',)),
    ("result before any hand", without(2, 3), 2, ("not over", "R8.1")),
    ("result of an unfinished match", put(1, "match_target", 5000), 4, ("not over", "[2175, 2300]", "5000")),
    ("result without a target", put(1, "match_target", None), 4, ("not over", "never ends")),
    ("result without the default target", drop(1, "match_target"), 4, ("not over", "5000")),
    (
        "result of an unfinished hand",
        both(drop(3, "scores"), change(3, lambda data: data["moves"].pop())),
        4,
        ("not over",),
    ),
    ("result and hand", put(4, "hand", 3), 4, ("a hand and the result",)),
    ("result a list", put(4, "result", []), 4, ("result: []",)),
    ("totals missing", put(4, "result", {"winner": 1}), 4, ("totals is missing",)),
    ("totals wrong", put(4, "result", {"totals": [2175, 2301], "winner": 1}), 4, ("[2175, 2301]", "[2175, 2300]")),
    ("totals of three", put(4, "result", {"totals": [2175, 2300, 0], "winner": 1}), 4, ("a list of 3", "2 whole")),
    ("winner wrong", put(4, "result", {"totals": [2175, 2300], "winner": 0}), 4, ("winner: 0", "is 1", "R8.2")),
    ("winner null", put(4, "result", {"totals": [2175, 2300], "winner": None}), 4, ("winner: null", "is 1")),
]


def replay(data: bytes) -> tuple[list[bytes], TranscriptError | None]:
    """What is printed of a transcript, and the error that ends it."""
    printed: list[bytes] = []
    try:
        for line in replay_lines(data.splitlines(keepends=True), "some file.jsonl"):
            printed.append(line)
    except TranscriptError as error:
        return printed, error
    return printed, None


@functools.cache
def good_replay() -> list[bytes]:
    """What is printed of the transcript that is spoilt in the cases."""
    whole, error = replay(joined(list(finished())))
    assert error is None
    return whole


@pytest.mark.parametrize(("name", "spoil", "line", "fragments"), CASES, ids=[case[0] for case in CASES])
def test_bad_transcript(name: str, spoil: Spoiler, line: int, fragments: tuple[str, ...]) -> None:
    data = spoil(list(finished()))
    fewer_hands = name in {"unfinished hand, then another", "result of an unfinished hand", "result before any hand"}
    whole = good_replay()
    printed, error = replay(data)
    assert error is not None
    message = str(error)
    assert message.startswith(f"some file.jsonl: line {line}: ")
    assert message.isprintable()
    assert len(message) <= 4000
    for fragment in fragments:
        assert fragment in message
    if ", ply " in message:  # what is good up to the fault has been printed, and not a line more
        place = message.split(": ")[2]
        last = json.loads(printed[-1]) if printed else {}
        before = f"hand {last['hand']}, ply {last['ply'] + 1}" if "ply" in last else f"hand {line - 1}, ply 0"
        assert place == before
    elif not fewer_hands:
        assert printed == whole[: len(printed)]
        assert sum(b'"completed_by"' in text for text in printed) == min(max(line - 2, 0), 2)

"""Spoilt transcripts of all kinds end in our one error, never in another, and never in silence about illegal moves."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from millebornes.cli.data.replay import Account
from millebornes.errors import TranscriptError
from millebornes.i18n import translator
from millebornes.notation import read_transcript, replay_lines, transcript_lines
from millebornes.themes import theme
from millebornes.words.words import Words
from tests.notation.base import finished, joined

NUMBERS = [None, True, False, -1, 0, 1, 2, 10**30, 1.0, 1.5]
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [*NUMBERS, "", "25", "stop>0", "roll", "\ud800", "é\n", [], {}, [[]], {"25": 1}, ["pass"]]
)


def fault(read: Callable[[], object]) -> str:
    """The one line of error that reading ends in, or nothing."""
    try:
        read()
    except TranscriptError as error:
        return str(error)
    return ""


def check(data: bytes) -> None:
    """Reading gives a match that is written and read again alike, or one line of error; every way of reading agrees."""
    lines = data.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    message = fault(lambda: list(replay_lines(lines, "f")))
    assert fault(lambda: list(Account(Words(translator(), theme())).lines(lines, "f"))) == message
    if message:
        assert message.startswith("f: line ")
        assert message.isprintable()
        assert fault(lambda: read_transcript(lines, "f")) == message
        return
    if fault(lambda: read_transcript(lines, "f")):
        assert len(lines) == 1  # a header alone may be replayed, but isn't a match yet
        return
    found = read_transcript(lines, "f")
    again = read_transcript(transcript_lines(found.match, found.extra, found.info, found.hand_extra), "f")
    assert again.match == found.match
    assert (again.extra, again.info, again.hand_extra) == (found.extra, found.info, found.hand_extra)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_spoilt_bytes(data: st.DataObject) -> None:
    text = joined(list(finished()))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 8)))
        piece = data.draw(
            st.one_of(st.binary(max_size=4), st.sampled_from([b"\n", b"\r\n", b'"', b"{", b"}", b",", b"0"]))
        )
        text = text[:start] + piece + text[end:]
    check(text)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_spoilt_values(data: st.DataObject) -> None:
    lines = list(finished())
    for _ in range(data.draw(st.integers(1, 2))):
        number = data.draw(st.integers(0, len(lines) - 1))
        value = json.loads(lines[number])
        place = value
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and data.draw(st.booleans()):
                place = place[key]
                continue
            if data.draw(st.booleans()):
                place[key] = data.draw(JUNK)
            elif isinstance(place, dict):
                del place[key]
            else:
                place.insert(key, data.draw(st.sampled_from(place)))
            break
        lines[number] = json.dumps(value)
    check(joined(lines))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 3), max_size=7))
def test_lines_in_any_order(order: list[int]) -> None:
    check(joined([finished()[i] for i in order]))

"""Transcripts that are uploaded: their hands can be looked at and reviewed by anyone with the link."""

import json
from pathlib import Path

import httpx
import pytest

from millebornes.editions import make_rules
from millebornes.notation import transcript_lines
from tests.notation.test_replay import random_match
from tests.web.browsing import Browser
from tests.web.client import Client
from tests.web.serving import Running

EXAMPLE = Path(__file__).parents[2] / "examples" / "matches" / "review.jsonl"
KEYS = ("hand", "first", "deck", "moves", "scores")


def upload(ann: Browser, data: bytes, status: int = 303) -> httpx.Response:
    answer = ann.http.post("/upload", files={"file": ("match.jsonl", data)}, follow_redirects=False)
    assert answer.status_code == status, answer.text
    return answer


def test_a_match_from_elsewhere(server: Running) -> None:
    """All hands are there, and come back as they were; anyone may look, and nobody has a seat."""
    with Browser(server.url) as ann, Browser(server.url) as bo:
        assert "Review a match" in ann.get("/")
        address = upload(ann, EXAMPLE.read_bytes()).headers["location"]
        page = bo.get(address)
        assert "Review this hand" in page
        assert "Play on from here" not in page
        table = address.split("/")[2]
        with Client(server.url, table) as nobody:
            number = int(address.partition("match=")[2])
            made = nobody.transcript(match=number).splitlines()
            assert nobody.look()["seat"] is None
    hands, known = (
        [line for line in map(json.loads, lines) if "hand" in line]
        for lines in (made, EXAMPLE.read_text(encoding="utf-8").splitlines())
    )
    assert [[hand[key] for key in KEYS] for hand in hands] == [[hand[key] for key in KEYS] for hand in known]


@pytest.mark.parametrize("edition", ["classic", "bsd", "house"])
@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (3, 3), (4, 2), (6, 3)])
def test_any_match(server: Running, edition: str, seats: int, sides: int) -> None:
    match = random_match(make_rules(edition, seats, sides), 5)
    with Browser(server.url) as ann:
        address = upload(ann, "\n".join(transcript_lines(match)).encode()).headers["location"]
        page = ann.get(address)
        assert all(f"hands/{n}" in page for n in range(2, len([hand for hand in match.hands if hand.is_over]) + 1))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"my diary\n", "invalid JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (EXAMPLE.read_bytes().splitlines()[0], "no hand"),
        (EXAMPLE.read_bytes().replace(b'"roll"', b'"fly"', 1), "line 2"),
    ],
)
def test_what_is_no_match(server: Running, data: bytes, said: str) -> None:
    with Browser(server.url) as ann:
        assert said in upload(ann, data, 400).text


def test_forms_that_are_none(server: Running) -> None:
    with Browser(server.url) as ann:
        for kind in (b"text/plain", b"multipart/form-data", b"multipart/form-data; boundary=x", b"", b"\xff"):
            answer = ann.http.post("/upload", content=b"--x\r\n\r\nhello", headers=[(b"content-type", kind)])
            assert answer.status_code == 400, kind
        assert ann.http.post("/upload", files={"file": ("x", bytes(2**21))}).status_code == 413
        other = ann.http.post("/upload", files={"file": ("x", b"x")}, headers={"origin": "https://evil.example"})
        assert other.status_code == 403

"""The API as it is described, asked by a client that was written from that description."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from millebornes.editions import Rules, make_rules
from millebornes.game import FairShuffle, Hand, Match, shuffled_deck
from millebornes.notation import read_transcript
from millebornes.storage.saves import match_seed
from millebornes.web.store.clock import now
from tests.web.client import Client, Refused, Told
from tests.web.serving import Running, quick

MAX_EVENTS_AT_ONCE = {"goal": 100, "extension_goal": None}


def refused(status: int, error: str, call: Callable[[], object]) -> dict[str, Any]:
    """That a call is refused so, with a sentence; its answer."""
    with pytest.raises(Refused) as caught:
        call()
    assert (caught.value.status, caught.value.data["error"]) == (status, error)
    assert len(caught.value.data["text"]) > 10
    data: dict[str, Any] = caught.value.data
    return data


def until(stream: Iterator[Told], wanted: Callable[[Told], bool], seen: list[Told] | None = None) -> Told:
    """The first event of a stream that is wanted; all up to it go to ``seen``."""
    for told in stream:
        if seen is not None:
            seen.append(told)
        if wanted(told):
            return told
    raise AssertionError("the stream has ended")


def pick(legal: list[str], rng: random.Random) -> str:
    """A move that gets on: hardly a discard, where there is something else."""
    return rng.choice([move for move in legal if not move.startswith("-")] or legal)


# ---------------------------------------------------------------- setting up


def test_two_people_sit_down(server: Running) -> None:
    with Client.create(server.url, seats=2, places=["me", "open"]) as ann:
        assert (ann.seat, ann.invitations[0]) == (0, None)
        seen = ann.look()
        assert (seen["status"], seen["names"], seen["seat"], seen["legal"]) == ("waiting", ["Ann", None], 0, [])
        assert seen["view"] is seen["public"] is seen["phase"] is None
        invitation = ann.invitations[1]
        assert invitation is not None
        refused(405, "method", lambda: ann.get(f"api{invitation}"))  # a link preview seats nobody
        with ann.join(invitation, "ann") as bo:
            assert bo.seat == 1
            assert bo.look()["names"] == ["Ann", "ann#2"]
            refused(409, "taken", lambda: ann.join(invitation, "Eve"))
            first = until(bo.events(), lambda told: told.event == "drew")
            assert first.data == {"type": "drew", "seat": 0, "count": 1}
            seen = ann.look()
            assert (seen["status"], seen["phase"], seen["turn"]) == ("playing", "play", 0)
            assert len(seen["view"]["hand"]) == 7
            assert seen["legal"] == sorted(seen["legal"])
            assert not {"hand", "seat"} & seen["public"].keys()
            assert seen["rules"]["edition"] == "classic"
            other = bo.look()
            assert (other["phase"], other["legal"], other["public"]) == (None, [], seen["public"])
            with ann.spectator() as eve:
                watched = eve.look()
                assert (watched["seat"], watched["view"], watched["public"]) == (None, None, seen["public"])


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ({"edition": "poker"}, "rules"),
        ({"edition": "/etc/passwd.toml"}, "rules"),
        ({"set": {"goal": 710}}, "rules"),
        ({"seats": 9}, "rules"),
        ({"places": ["me"]}, "places"),
        ({"places": ["me", "me"]}, "places"),
        ({"places": ["me", "oracle"]}, "places"),
        ({"places": ["me", "cmd:ls"]}, "places"),
        ({"match_target": 0}, "match_target"),
        ({"coup_window_ms": 60_001}, "coup_window_ms"),
        ({"name": "\u0007"}, "name"),
        ({"name": 7}, "malformed"),
        ({"seatz": 2}, "malformed"),
    ],
)
def test_tables_that_cannot_be(server: Running, table: dict[str, Any], error: str) -> None:
    refused(400, error, lambda: Client.create(server.url, **table))


def test_bodies_that_are_none(server: Running) -> None:
    for body in (b"{", b"[]", b'"x"', b"\xff", b"NaN", b"[" * 10_000):
        answer = httpx.post(f"{server.url}api/tables", content=body)
        assert (answer.status_code, answer.json()["error"]) == (400, "malformed"), body
    answer = httpx.post(f"{server.url}api/tables", content=b" " * 70_000)
    assert (answer.status_code, answer.json()["error"]) == (413, "too_long")


def test_what_is_not_there(server: Running) -> None:
    with Client(server.url, "nosuchtable1") as nobody:
        refused(404, "no_table", nobody.look)
        refused(404, "no_table", lambda: next(nobody.events()))
        refused(404, "no_invitation", lambda: nobody.join("/join/x", "Bo"))
        refused(404, "no_address", lambda: nobody.get("api/other"))
        refused(404, "no_address", lambda: nobody.get("other"))


def test_tokens_open_one_seat(server: Running) -> None:
    with (
        Client.create(server.url, places=["me", "open"]) as ann,
        Client.create(server.url, places=["me", "open"]) as eve,
        Client(server.url, ann.table, eve.token) as thief,
        Client(server.url, ann.table, ann.table) as guesser,
    ):
        refused(401, "token", thief.look)
        refused(401, "token", guesser.look)
        with ann.spectator() as spectator:
            refused(401, "token", lambda: spectator.do("chat", text="hello"))
            refused(401, "token", lambda: spectator.move("-25", 0))


def test_a_table_without_spectators(server: Running) -> None:
    with Client.create(server.url, places=["me", "open"], spectators=False) as ann, ann.spectator() as eve:
        refused(403, "no_spectators", eve.look)
        refused(403, "no_spectators", lambda: next(eve.events()))
        assert ann.look()["seat"] == 0


# ---------------------------------------------------------------- a whole match


def late(error: Refused, word: str) -> None:
    """That something was refused because it came too late."""
    assert (error.status, error.data["error"]) == (409, word)


class Sitter(threading.Thread):
    """Plays a seat by its event stream alone, and keeps what it has been told."""

    def __init__(self, client: Client, seed: int) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.told: list[Told] = []
        self.hands: list[list[str]] = []
        self.failed: BaseException | None = None
        self._rng = random.Random(seed)
        self.start()

    def run(self) -> None:
        try:
            for told in self.client.events(after=0):
                self.told.append(told)
                if told.event == "match_over":
                    return
                self._act(told)
        except BaseException as error:
            self.failed = error

    def _act(self, told: Told) -> None:
        client, data = self.client, told.data
        match told.event:
            case "shuffle" if client.seat is not None:
                try:
                    client.do("entropy", hand=data["hand"], bytes=self._rng.randbytes(16).hex())
                except Refused as error:
                    late(error, "dealt")
            case "hand" if client.seat is not None:
                self.hands.append(list(data["hand"]))
            case "drew" if data["seat"] == client.seat:
                self.hands[-1] += data["cards"]
            case "moved" if data["seat"] == client.seat and data["move"] not in {"pass", "extend", "finish"}:
                text = data["move"].removeprefix("-").removesuffix("!").partition(">")[0].partition("=")[0]
                self.hands[-1].remove(text)
            case "choose":
                assert sorted(self.hands[-1]) == data["view"]["hand"]
                assert data["time_ms"] is None
                try:
                    client.move(pick(data["legal"], self._rng), told.id or 0, f"at {told.id}")
                except Refused as error:  # the window has closed meanwhile
                    assert data["phase"] in {"coup", "opening"}
                    late(error, "stale")
            case "hand_over" if client.seat == 0:
                seen = client.look()
                if seen["status"] == "hand_over":
                    client.do("next", version=seen["version"])

    def finish(self) -> None:
        self.join(300)
        if self.failed is not None:
            raise self.failed
        assert not self.is_alive()


def test_a_match_by_its_events(server: Running) -> None:
    table = {"edition": "house", "seats": 3, "places": ["me", "open", "casual"], "match_target": 500}
    with Client.create(server.url, **table) as ann, ann.join(ann.invitations[1] or "", "Bo") as bo:
        with ann.spectator() as eve:
            sitters = [Sitter(ann, 1), Sitter(bo, 2), Sitter(eve, 3)]
            for sitter in sitters:
                sitter.finish()
        for sitter in sitters:
            ids = [told.id for told in sitter.told if told.event != "beat"]
            assert None not in ids
            assert ids == sorted(set(ids), key=lambda number: number or 0)
            assert all(told.id is None for told in sitter.told if told.event == "beat")
        public = {"joined", "shuffle", "hand_over", "match_over"}
        seen = [[told[1:] for told in sitter.told if told.event in public] for sitter in sitters]
        assert seen[0] == seen[1] == seen[2]
        moves = [
            [told.data for told in sitter.told if told.event == "moved" and told.data["move"] != "pass"]
            for sitter in sitters
        ]
        assert moves[0] == moves[1] == moves[2]
        assert all(told.event != "choose" for told in sitters[2].told)
        drawn = [told.data for told in sitters[2].told if told.event == "drew"]
        assert all("cards" not in data for data in drawn)
        final = sitters[0].told[-1].data
        assert final["reason"] == "finished"
        record = read_transcript(ann.transcript().encode().splitlines(keepends=True))
        assert list(record.match.totals) == final["totals"]
        assert record.match.winner == final["winner"]
        assert record.match.players == ("Ann", "Bo", "casual")
        said = [move.text for hand in record.match.hands for move in hand.moves if move.text != "pass"]
        assert said == [data["move"] for data in moves[0]]
        commitments = [told.data["commitment"] for told in sitters[0].told if told.event == "shuffle"]
        for number, (hand, more) in enumerate(zip(record.match.hands, record.hand_extra, strict=True), 1):
            fair = FairShuffle.from_dict(more["shuffle"], 3)
            assert (fair.table, fair.hand, fair.commitment) == (ann.table, number, commitments[number - 1])
            assert fair.keeps_commitment
            assert fair.deck(hand.rules) == hand.deck
            assert fair.seat_seeds[2] == bytes(16)
        # A rematch; the first match can still be had.
        bo.do("next", version=bo.look()["version"])
        until(bo.events(after=sitters[1].told[-1].id), lambda told: told.event == "hand")
        assert bo.look()["match"] == 2
        assert bo.look()["view"]["first"] == 1
        assert bo.transcript(match=1) == "".join(f"{line}\n" for line in ann.transcript(match=1).splitlines())
        assert len(read_transcript(bo.transcript(match=1).encode().splitlines()).match.hands) == len(commitments)
        refused(404, "no_hand", bo.transcript)
        refused(404, "no_match", lambda: bo.transcript(match=7))


def test_computers_play_for_spectators(server: Running) -> None:
    with Client.create(server.url, places=["basic", "random"], match_target=100, coup_window_ms=1) as nobody:
        assert (nobody.seat, nobody.token) == (None, None)
        seen: list[Told] = []
        final = until(nobody.events(), lambda told: told.event == "match_over", seen)
        assert final.data["reason"] == "finished"
        assert seen[1].event == "shuffle" or seen[0].event in {"beat", "hello"}


# ---------------------------------------------------------------- moves


@pytest.fixture
def pair(server: Running) -> Iterator[tuple[Client, Client]]:
    """Two people in their first hand."""
    with Client.create(server.url, places=["me", "open"]) as ann, ann.join(ann.invitations[1] or "", "Bo") as bo:
        until(ann.events(), lambda told: told.event == "choose")
        yield ann, bo


def test_moves_are_checked(pair: tuple[Client, Client]) -> None:
    ann, bo = pair
    seen = ann.look()
    version, legal = seen["version"], seen["legal"]
    refused(403, "turn", lambda: bo.move("-25", version))
    refused(400, "malformed", lambda: ann.move("jump", version))
    refused(400, "malformed", lambda: ann.move(legal[0], version, "x" * 65))
    assert refused(409, "stale", lambda: ann.move(legal[0], version + 1))["version"] == version
    assert refused(409, "stale", lambda: ann.move(legal[0], 1))["version"] == version
    held = set(seen["view"]["hand"])
    distance = next(card for card in ("25", "50", "75", "100", "200") if card in held or card == "200")
    data = refused(422, "illegal", lambda: ann.move(distance, version))
    assert (data["clause"][0], data["legal"]) == ("R", legal)
    refused(409, "not_over", lambda: ann.do("next", version=version))
    refused(404, "no_hand", ann.transcript)
    assert ann.look() == seen


def test_a_key_counts_once(pair: tuple[Client, Client]) -> None:
    ann, bo = pair
    seen = ann.look()
    discard = next(move for move in seen["legal"] if move.startswith("-"))
    answers = [ann.move(discard, seen["version"], "once") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["version"] == bo.look()["version"] == seen["version"] + 3  # moved, drew, choose
    refused(409, "stale", lambda: ann.move(discard, seen["version"], "twice"))
    answer = bo.move(next(move for move in bo.look()["legal"] if move[0] == "-"), answers[0]["version"], "once")
    assert answer["version"] > answers[0]["version"], "keys belong to a seat"


def test_a_move_is_taken_back_against_computers(server: Running, pair: tuple[Client, Client]) -> None:
    """The table asks the same question again; its stream says so; among people no move is taken back."""
    people = pair[0].look()
    refused(409, "no_undo", lambda: pair[0].do("undo", version=people["version"]))
    with Client.create(server.url, places=["me", "basic"], coup_window_ms=1, seed="1") as ann:
        told, seen = ann.events(), list[Told]()
        until(told, lambda told: told.event == "choose", seen)
        before = ann.look()
        refused(409, "no_undo", lambda: ann.do("undo", version=before["version"]))
        ann.move(next(move for move in before["legal"] if move[0] == "-"), before["version"])
        until(told, lambda told: told.event == "choose" and told.data["phase"] == "play")
        later = ann.look()
        refused(409, "stale", lambda: ann.do("undo", version=before["version"]))
        answers = [ann.do("undo", version=later["version"], key="once") for _ in range(2)]
        assert answers[0] == answers[1]
        data = until(told, lambda told: told.event == "undone").data
        assert (data["seat"], data["name"]) == (0, "Ann")
        assert data["moves"] == sum(told.event == "moved" for told in seen)
        after = ann.look()
        assert {**after, "version": 0} == {**before, "version": 0}
        ann.move(after["legal"][0], after["version"])


def test_chat_makes_no_move_stale(pair: tuple[Client, Client]) -> None:
    ann, bo = pair
    seen = ann.look()
    bo.do("chat", text=" <b>hé</b>\n there \u0000")
    told = until(ann.events(after=seen["version"]), lambda told: told.event == "chat")
    assert told.data == {"type": "chat", "seat": 1, "name": "Bo", "text": "<b>hé</b> there"}
    refused(400, "malformed", lambda: bo.do("chat", text=" \n"))
    refused(413, "too_long", lambda: bo.do("chat", text="x" * 301))
    ann.move(seen["legal"][0], seen["version"])


def test_someone_plays_for_who_has_left(pair: tuple[Client, Client]) -> None:
    ann, bo = pair
    start = bo.look()["version"]
    ann.do("leave")
    ann.do("leave")
    stream = bo.events(after=start)
    assert until(stream, lambda told: told.event != "beat").data == {"type": "left", "seat": 0, "name": "Ann"}
    until(stream, lambda told: told.event == "moved" and told.data["seat"] == 0)
    assert bo.look()["away"] == [0]
    ann.do("return")
    joined = until(stream, lambda told: told.event == "joined")
    assert joined.data == {"type": "joined", "seat": 0, "name": "Ann"}
    assert bo.look()["away"] == []


def test_shares_in_the_shuffle(tmp_path: Any) -> None:
    """Nobody waits longer than for the shares of all, and they make the deck."""
    settings = quick(pace=quick().pace._replace(entropy=60_000))
    with (
        Running(tmp_path / "tables.db", settings) as running,
        Client.create(running.url, places=["me", "open"], match_target=None, set=MAX_EVENTS_AT_ONCE) as ann,
    ):
        refused(409, "dealt", lambda: ann.do("entropy", hand=1, bytes="00" * 16))
        with ann.join(ann.invitations[1] or "", "Bo") as bo:
            shuffle = until(bo.events(), lambda told: told.event == "shuffle")
            assert ann.look()["shuffle"] == {"hand": 1, "commitment": shuffle.data["commitment"]}
            assert ann.look()["status"] == "waiting"
            refused(400, "malformed", lambda: ann.do("entropy", hand=1, bytes="0x"))
            refused(409, "dealt", lambda: ann.do("entropy", hand=2, bytes="11" * 16))
            ann.do("entropy", hand=1, bytes="11" * 16)
            ann.do("entropy", hand=1, bytes="33" * 16)  # the first counts
            bo.do("entropy", hand=1, bytes="22" * 16)
            until(bo.events(), lambda told: told.event == "hand")
            refused(409, "dealt", lambda: ann.do("entropy", hand=1, bytes="11" * 16))
            rng = random.Random(0)
            while ann.look()["status"] == "playing":
                for client in (ann, bo):
                    seen = client.look()
                    if seen["legal"]:
                        try:
                            client.move(pick(seen["legal"], rng), seen["version"])
                        except Refused as error:  # the window has closed meanwhile
                            late(error, "stale")
            line = json.loads(ann.transcript().splitlines()[1])
            assert line["shuffle"]["seat_seeds"] == ["11" * 16, "22" * 16]
            assert line["shuffle"]["commitment"] == shuffle.data["commitment"]


# ---------------------------------------------------------------- coups fourrés


def a_coup(rules: Rules, *, held: bool) -> tuple[str, list[str], str]:
    """A seed, moves of the first hand, and the safety that answers the latest; ``held`` by who was hit, or not."""
    for n in range(300):
        rng = random.Random(n)
        match = Match.start(rules, deck=shuffled_deck(rules, match_seed(str(n), 1)))
        hand: Hand = match.hand
        while not hand.is_over and hand.ply < 60:
            safety = hand.coup_question
            if safety is not None and (hand.phase.name == "COUP") == held and hand.entitled:
                return str(n), [move.text for move in hand.moves], safety.value
            hand = hand.play(pick([m for m in hand.legal_moves.texts if m[-1] != "!"], rng))
    raise AssertionError("no such game")


def play(clients: tuple[Client, Client], moves: list[str]) -> None:
    """Make these moves, each by who is to decide; a pass by letting the window run out."""
    for move in moves:
        if move == "pass":
            continue
        while True:
            seen = [client.look() for client in clients]
            seat = next((s for s in (0, 1) if seen[s]["phase"] in {"play", "extend"}), None)
            if seat is not None:
                break
        clients[seat].move(move, seen[seat]["version"])


@pytest.fixture
def hit(server: Running) -> Iterator[tuple[Client, Client, str]]:
    """Two people in the window after a hazard that the one who was hit can answer; the attacker comes first."""
    rules = make_rules("classic", 2)
    seed, moves, safety = a_coup(rules, held=True)
    with (
        Client.create(server.url, places=["me", "open"], seed=seed, coup_window_ms=3000) as ann,
        ann.join(ann.invitations[1] or "", "Bo") as bo,
    ):
        play((ann, bo), moves)
        holder, attacker = (ann, bo) if ann.look()["phase"] == "coup" else (bo, ann)
        yield attacker, holder, safety


def test_a_coup_fourre_is_called(hit: tuple[Client, Client, str]) -> None:
    attacker, holder, safety = hit
    asked = until(holder.events(), lambda told: told.event == "choose" and told.data["phase"] == "coup")
    assert asked.data["legal"] == ["pass", f"{safety}!"]
    assert asked.data["view"]["pending"]["by"] == attacker.seat
    refused(403, "turn", lambda: attacker.move("pass", attacker.look()["version"]))
    attacker.do("chat", text="ha")
    holder.move(f"{safety}!", asked.id or 0)  # any version since the question
    moved = until(attacker.events(after=asked.id), lambda told: told.event == "moved")
    assert moved.data == {"type": "moved", "seat": holder.seat, "move": f"{safety}!"}
    assert holder.look()["turn"] == holder.seat


def test_a_pass_is_nobodys_business(hit: tuple[Client, Client, str]) -> None:
    attacker, holder, safety = hit
    seen = holder.look()
    version = seen["version"]
    before = attacker.look()
    assert before["version"] == version
    assert (before["phase"], before["turn"], before["view"]["pending"]) == (None, None, None)
    assert holder.move("pass", version, "p") == {"version": version} == holder.move("pass", version, "p")
    refused(403, "turn", lambda: holder.move(f"{safety}!", version))
    assert holder.look()["legal"] == []
    after = attacker.look()
    assert after["window"]["left"] <= before["window"]["left"]
    assert {**after, "window": None} == {**before, "window": None}
    told = [until(holder.events(after=version), lambda told: told.event == "moved")]
    assert told[0].data == {"type": "moved", "seat": holder.seat, "move": "pass"}
    heard: list[Told] = []
    until(attacker.events(after=version), lambda told: told.event in {"drew", "choose"}, heard)
    assert [told.event for told in heard if told.event != "beat"] == ["drew"]
    assert heard[-1].id == (told[0].id or 0) + 1, "the window's end has a version for everybody"


def test_a_pass_is_no_sign_of_a_seat(server: Running, hit: tuple[Client, Client, str]) -> None:
    """That somebody who is asked answers changes nothing in what is known of who is there."""
    _attacker, holder, _safety = hit
    seen = holder.look()
    presence, seat = server.service.live[holder.table].presence, holder.seat or 0
    before = presence.last_sign_or_start(seat, now())
    assert holder.move("pass", seen["version"]) == {"version": seen["version"]}
    with pytest.raises(httpx.HTTPStatusError):
        holder.http.post(f"api/tables/{holder.table}/moves", json={"move": "x", "version": 0}).raise_for_status()
    holder.do("asking", ask=True)
    assert presence.last_sign_or_start(seat, now()) == before


def test_who_lets_all_pass_is_not_asked(hit: tuple[Client, Client, str]) -> None:
    attacker, holder, _safety = hit
    left = attacker.look()["window"]
    holder.do("asking", ask=False)
    assert holder.look()["legal"] == []
    assert attacker.look()["window"]["ms"] == left["ms"]
    seen: list[Told] = []
    until(holder.events(), lambda told: told.event == "moved" and told.data["move"] == "pass", seen)
    assert all(told.data["phase"] != "coup" for told in seen if told.event == "choose")
    holder.do("asking", ask=True)


def test_a_window_opens_whoever_holds_what(server: Running) -> None:
    seed, moves, _safety = a_coup(make_rules("classic", 2), held=False)
    with (
        Client.create(server.url, places=["me", "open"], seed=seed, coup_window_ms=500) as ann,
        ann.join(ann.invitations[1] or "", "Bo") as bo,
    ):
        play((ann, bo), moves)
        seen = ann.look()
        assert (seen["window"]["ms"], seen["turn"]) == (500, None)
        for client in (ann, bo):
            assert client.look()["legal"] == []
            refused(403, "turn", lambda c=client: c.move("pass", seen["version"]))  # type: ignore[misc]


# ---------------------------------------------------------------- streams


def test_a_stream_is_taken_up_where_it_broke(pair: tuple[Client, Client]) -> None:
    ann, _bo = pair
    version = ann.look()["version"]
    whole: list[Told] = []
    until(ann.events(after=0), lambda told: told.id == version, whole)
    told = [event for event in whole if event.id is not None]
    for n in (0, 2, len(told) - 2):
        rest: list[Told] = []
        until(ann.events(last_event_id=told[n].id, after=0), lambda told: told.id == version, rest)
        assert [event for event in rest if event.id is not None] == told[n + 1 :]
    snapshot = until(ann.events(after=10**9), lambda told: told.event != "beat")
    assert (snapshot.event, snapshot.id) == ("snapshot", version)
    assert {**snapshot.data, "type": None} == {**ann.look(), "type": None}
    refused(400, "malformed", lambda: next(ann.events(last_event_id=-1)))


def test_beats(tmp_path: Any) -> None:
    with (
        Running(tmp_path / "tables.db", quick(beat=0.02)) as running,
        Client.create(running.url, places=["me", "open"]) as ann,
    ):
        stream = ann.events(after=ann.look()["version"])
        assert [next(stream) for _ in range(4)] == [Told(None, "beat", {})] * 4


def test_streams_end_with_the_server(tmp_path: Any) -> None:
    with Running(tmp_path / "tables.db") as running:
        ann = Client.create(running.url, places=["me", "open"])
        stream = ann.events()
        next(stream)
    assert [told for told in stream if told.event not in {"beat", "joined"}] == []
    ann.__exit__()

"""A program at a seat over a WebSocket."""

import contextlib
import json
import random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from millebornes.game import LegalMoves, View
from millebornes.notation import read_view
from millebornes.players.external.messages import read_hello
from tests.web.client import Client
from tests.web.serving import Running


def dial(client: Client, **more: Any) -> ClientConnection:
    url = client.url.replace("http", "ws") + f"api/tables/{client.table}/bot"
    headers = {} if client.token is None else {"Authorization": f"Bearer {client.token}"}
    return connect(url, subprotocols=["millebornes.1"], additional_headers=headers, **more)  # type: ignore[list-item]


def test_a_program_plays_a_match(server: Running) -> None:
    rng, kinds = random.Random(1), []
    with (
        Client.create(server.url, places=["me", "basic"], match_target=50, coup_window_ms=20) as ann,
        dial(ann) as socket,
    ):
        assert socket.subprotocol == "millebornes.1"
        rules = None
        while True:
            message = json.loads(socket.recv(timeout=300))
            kinds.append(message["type"])
            match message["type"]:
                case "hello":
                    rules = read_hello(message).rules
                    socket.send(json.dumps({"type": "ready", "name": "bot"}))
                case "choose":
                    assert rules is not None
                    view: View = read_view(message["view"], rules)
                    legal: LegalMoves = view.legal_moves
                    assert list(legal.texts) == message["legal"]
                    uses = [text for text in message["legal"] if text[0] != "-"] or message["legal"]
                    socket.send(json.dumps({"move": rng.choice(uses), "info": {"n": 1}}))
                case "hand_over":
                    assert message["totals"] is not None
                case "match_over":
                    break
    assert kinds[:2] == ["hello", "hand"]
    assert kinds[-2:] == ["hand_over", "match_over"]


def test_taken_up_in_the_middle(server: Running) -> None:
    with Client.create(server.url, places=["me", "basic"], match_target=50) as ann:
        with dial(ann) as socket:
            while json.loads(socket.recv(timeout=300))["type"] != "choose":
                pass
            socket.send('{"move":"jump"}')
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=300)
            assert closed.value.rcvd is not None
            assert "a move" in closed.value.rcvd.reason
        with dial(ann) as socket:
            kinds = [json.loads(socket.recv(timeout=300))["type"] for _ in range(4)]
            assert kinds == ["hello", "hand", "drew", "choose"]
            socket.send("[]")
            with pytest.raises(ConnectionClosed):
                socket.recv(timeout=300)


def test_only_a_seat_has_a_bot(server: Running) -> None:
    with Client.create(server.url, places=["me", "open"]) as ann, ann.spectator() as eve:
        with pytest.raises(InvalidStatus) as refused:
            dial(eve)
        assert refused.value.response.status_code == 401
        with pytest.raises(InvalidStatus):
            dial(ann, origin="https://evil.example")


def test_it_ends_with_the_server(tmp_path: Any) -> None:
    with contextlib.ExitStack() as open_:
        with Running(tmp_path / "tables.db") as running:
            ann = open_.enter_context(Client.create(running.url, places=["me", "open"]))
            socket = open_.enter_context(dial(ann))
        assert [json.loads(message)["type"] for message in socket] == ["quit"]

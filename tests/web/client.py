"""A client of the web API that knows nothing but its description: addresses, JSON, events."""

import contextlib
import json
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

import httpx


class Told(NamedTuple):
    """An event of a stream; ``id`` is None for a beat."""

    id: int | None
    event: str
    data: Any


class Refused(Exception):
    """An answer that is an error."""

    def __init__(self, answer: httpx.Response) -> None:
        self.status = answer.status_code
        self.data = answer.json()
        self.headers = answer.headers
        super().__init__(f"{self.status} {self.data}")


class Client:
    """Somebody at a table: with a token a seat, without one a spectator."""

    def __init__(self, url: str, table: str = "", token: str | None = None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=url, headers=headers, timeout=300)
        self.url = url
        self.table = table
        self.token = token
        self.seat: int | None = None
        self.invitations: list[str | None] = []
        self._streams: list[Generator[Told, None, None]] = []

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        for stream in self._streams:
            with contextlib.suppress(ValueError):  # another thread still reads it
                stream.close()
        self.http.close()

    def post(self, path: str, data: object = None) -> Any:
        answer = self.http.post(path, json={} if data is None else data)
        if answer.status_code not in {200, 201}:
            raise Refused(answer)
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        if answer.status_code != 200:
            raise Refused(answer)
        return answer.json()

    @classmethod
    def create(cls, url: str, **table: Any) -> "Client":
        """Set up a table; its ``me`` comes back, or a spectator."""
        with cls(url) as nobody:
            made = nobody.post("api/tables", {"name": "Ann", "coup_window_ms": 5, **table})
        client = cls(url, made["table"], made["token"])
        client.seat, client.invitations = made["seat"], made["invitations"]
        return client

    def join(self, invitation: str, name: str) -> "Client":
        """Somebody else takes an open seat."""
        with Client(self.url) as nobody:
            made = nobody.post(f"api{invitation}", {"name": name})
        client = Client(self.url, made["table"], made["token"])
        client.seat = made["seat"]
        return client

    def spectator(self) -> "Client":
        return Client(self.url, self.table)

    def look(self) -> Any:
        return self.get(f"api/tables/{self.table}")

    def do(self, what: str, **data: Any) -> Any:
        return self.post(f"api/tables/{self.table}/{what}", data)

    def move(self, move: str, version: int, key: str | None = None) -> Any:
        more = {} if key is None else {"key": key}
        return self.do("moves", move=move, version=version, **more)

    def transcript(self, **query: Any) -> str:
        answer = self.http.get(f"api/tables/{self.table}/transcript", params=query)
        if answer.status_code != 200:
            raise Refused(answer)
        return answer.text

    def events(self, after: int | None = None, last_event_id: int | None = None) -> Iterator[Told]:
        """The stream, until whoever reads it has enough."""
        stream = self._events(after, last_event_id)
        self._streams.append(stream)
        return stream

    def _events(self, after: int | None, last_event_id: int | None) -> Generator[Told, None, None]:
        headers = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
        query = {} if after is None else {"after": str(after)}
        with self.http.stream("GET", f"api/tables/{self.table}/events", params=query, headers=headers) as answer:
            if answer.status_code != 200:
                answer.read()
                raise Refused(answer)
            assert answer.headers["content-type"].startswith("text/event-stream")
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "event" in fields:
                    number = fields.get("id")
                    yield Told(None if number is None else int(number), fields["event"], json.loads(fields["data"]))
                    fields = {}
                else:
                    fields = {}

"""A wire to a server that can go dead, as that of a phone that sleeps: nothing arrives, and nobody is told."""

import contextlib
import socket
import threading
from typing import Self
from urllib.parse import urlsplit


class Relay:
    """Passes connections on to a server; ``url`` is where."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._server = (parts.hostname, parts.port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"
        self._open: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        self._is_dead = False

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self._listening, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def cut(self) -> None:
        """What is open, and whatever is opened from now on, stays open and carries nothing ever after."""
        self._is_dead = True
        self._dead.update(self._open)

    def mend(self) -> None:
        """What is opened from now on goes through."""
        self._is_dead = False

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(self._server)
                self._open += [near, far]
                if self._is_dead:
                    self._dead |= {near, far}
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if source not in self._dead:
                    target.sendall(data)
            if source not in self._dead:
                target.shutdown(socket.SHUT_WR)

"""``millebornes serve``: how it begins and ends, and what it says where it cannot."""

import importlib.util
import socket
from pathlib import Path

import pytest

from millebornes.cli import main
from tests.web.serving import Process


def test_it_ends_cleanly(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    process = Process(tmp_path / "tables.db")
    process.start()
    assert process.end() == 0
    said = [line for line in capfd.readouterr().err.splitlines() if "compiling the rules" not in line]
    assert said == []


def test_without_the_packages(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "starlette" else found(name, *more)
    )
    assert main(["serve"]) == 1
    assert capsys.readouterr().err == (
        "millebornes: the web game needs more packages (starlette); install them: pip install 'millebornes[web]'\n"
    )


def test_wrong_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--public-url", "cards.example"]) == 2
    assert "it must begin with https://" in capsys.readouterr().err
    for wrong in ("https://", "https:///x", "https://[::1", "https://x:99999/", "https://x:y/", "https://x/?y"):
        assert main(["serve", "--public-url", wrong]) == 2
        assert "it must be like https://cards.example.org/" in capsys.readouterr().err
    for wrong in ("https://x/cards/", "http://x:8000/y", "https://x//"):
        assert main(["serve", "--public-url", wrong]) == 2
        assert "the server only works at the root of a host name" in " ".join(capsys.readouterr().err.split())
    assert main(["serve", "--port", "0", "--database", "games"]) == 1
    assert "must be sqlite:///FILE or postgresql://" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--database", f"sqlite:///{tmp_path / 'x.db'}"]) == 1
    assert f"cannot listen on --host 127.0.0.1 --port {port} (" in capsys.readouterr().err
    assert main(["serve", "--host", "no.such.host.invalid"]) == 1
    assert "cannot listen on" in capsys.readouterr().err

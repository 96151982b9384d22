"""What the project ships to run the web game elsewhere."""

import configparser
import contextlib
import json
import logging
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from millebornes.cli.analyse.arena import arena
from millebornes.cli.play.serve import serve
from millebornes.web.pages.upload import MAX_UPLOAD
from millebornes.web.tables.limits import MAX_BODY
from tests.web.conftest import Cluster
from tests.web.serving import Process, Running, quick, spare_port
from tests.web.test_conformance import Api, Seat, sit_down

DEPLOY = Path(__file__).parents[2] / "deploy"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")


def options(words: list[str]) -> dict[str, Any]:
    """What `millebornes serve` makes of words on its command line; fails where it takes no such option."""
    return serve.make_context("serve", list(words)).params


def test_the_container() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    words = [json.loads(found) for found in re.findall(r"^(?:ENTRYPOINT|CMD) (\[.*\])$", text, re.MULTILINE)]
    program, *rest = words[0] + words[1]
    assert (program, rest[0]) == ("millebornes", "serve")
    said = options(rest[1:])
    assert (said["host"], said["no_browser"]) == ("0.0.0.0", True)
    assert re.search(r"^USER \w+$", text, re.MULTILINE), "it does not run as root"
    (compiling,) = re.findall(r"^RUN millebornes (.+)$", text, re.MULTILINE)
    command, *words = compiling.split()
    assert arena.make_context(command, words).params["hands"] == 2


def test_compose() -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    assert set(services) == {"database", "one", "two", "proxy"}
    for name in ("one", "two"):
        said = options(
            [word.replace("${PUBLIC_URL:-http://localhost:8080/}", "http://x/") for word in services[name]["command"]]
        )
        assert said["database"] == "postgresql://millebornes@database/millebornes"
        assert (DEPLOY / services[name]["build"]["context"] / services[name]["build"]["dockerfile"]).is_file()
        assert not services[name].get("ports"), "only the proxy is reached from outside"
    assert services["proxy"]["volumes"][0].split(":")[0] == "./nginx.conf"
    assert services["proxy"]["environment"]["TRUSTED_PROXIES"] == "${TRUSTED_PROXIES:-}"
    for name in ("one", "two"):
        assert f"server {name}:8000 " in (DEPLOY / "nginx.conf").read_text("utf-8")


def test_the_proxy_keeps_a_table_at_one_server(server: Running) -> None:
    (pattern,) = re.findall(r'"~(\S+)" \$name;', (DEPLOY / "nginx.conf").read_text("utf-8"))
    paths = {getattr(route, "path", "") for route in server.app.asgi.routes}
    of_tables = [path.replace("{table}", "THE-TABLE") for path in paths if "{table}" in path]
    assert len(of_tables) > 20
    for path in of_tables:
        found = re.match(pattern.replace("(?<", "(?P<"), path)
        assert found is not None, path
        assert found["name"] == "THE-TABLE", path


def test_the_proxy_takes_what_the_server_takes() -> None:
    """Neither does the proxy refuse an upload that the server takes, nor does it hold back what nobody takes."""
    units = {"": 1, "k": 1024, "m": 1024 * 1024}
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    found = re.findall(r"client_max_body_size (\d+)([kmKM]?);", text)
    assert [int(number) * units[unit.lower()] for number, unit in found] == [max(MAX_BODY, MAX_UPLOAD)]


def test_the_unit() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[method-assign,assignment]
    unit.read(DEPLOY / "millebornes.service", "utf-8")
    program, command, *rest = shlex.split(unit["Service"]["ExecStart"])
    assert (Path(program).name, command) == ("millebornes", "serve")
    assert options(rest)["host"] == "127.0.0.1"


@pytest.mark.once
def test_a_hand_is_played_through_the_proxy(cluster: Cluster, tmp_path: Path) -> None:
    """Two servers, PostgreSQL, and nginx with the configuration that is shipped (8 s)."""
    if NGINX is None:
        pytest.skip("needs nginx")
    port = spare_port()
    servers = [
        Process(cluster.url, "--quick", "--no-limits", "--public-url", f"http://127.0.0.1:{port}/") for _ in range(2)
    ]
    for server in servers:
        server.start()
    try:
        addresses = {name: server.url for name, server in zip(("one", "two"), servers, strict=True)}
        with _nginx(tmp_path, addresses, port) as url:
            _play(url, tables=4)
            for asked in range(40):  # where a table goes is chance, so all of them may be at one server
                if all(_answers(server.url) > asked + 20 for server in servers):
                    break
                _play(url, tables=1)
            else:
                said = (tmp_path / "log").read_text("utf-8")
                pytest.fail(f"a server has not served a hand: {[_answers(server.url) for server in servers]}; {said}")
    finally:
        for server in servers:
            server.end()


@pytest.mark.once
def test_proxies_before_the_proxy(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Only what a trusted one says of addresses is believed; nobody reads the counts over the proxy (3 s)."""
    yaml = pytest.importorskip("yaml")
    if NGINX is None:
        pytest.skip("needs nginx")
    caplog.set_level(logging.INFO, "millebornes")
    proxy = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["proxy"]
    script = proxy["command"][2].replace("$$", "$").replace("/etc/nginx", str(tmp_path)).partition("&& exec nginx")[0]
    with Running(tmp_path / "tables.db", quick(log_requests=True)) as running:
        for trusted, address in (("", "127.0.0.1"), ("10.0.0.0/8 127.0.0.1", "203.0.113.7")):
            subprocess.run(["sh", "-c", script], check=True, env={"TRUSTED_PROXIES": trusted})
            with _nginx(tmp_path, {"one": running.url, "two": running.url}, spare_port()) as url:
                said = {"X-Forwarded-For": "198.51.100.9, 203.0.113.7, 10.1.2.3", "X-Forwarded-Proto": "https"}
                caplog.clear()
                assert httpx.get(f"{url}healthz", headers=said).status_code == 200
                assert _next_address(caplog) == address
                for path in ("metrics", "metrics/", "/metrics", "%6detrics", "metrics?x"):
                    assert httpx.get(url + path).status_code == 404, path
        assert httpx.get(f"{running.url}metrics").status_code == 200


@pytest.mark.once
def test_the_site_with_https(tmp_path: Path) -> None:
    """The site in docs/hosting.md, with a certificate of our own, offers HTTP/2 and still speaks HTTP/1.1 (3 s)."""
    openssl = shutil.which("openssl")
    if NGINX is None or openssl is None:
        pytest.skip("needs nginx and openssl")
    words = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    subprocess.run([*words, *files, "-addext", "subjectAltName=DNS:localhost"], check=True, stderr=subprocess.DEVNULL)
    text = (DEPLOY.parent / "docs" / "hosting.md").read_text("utf-8")
    (site,) = re.findall(r"^```nginx\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    port = spare_port()
    folder = "/etc/letsencrypt/live/cards.example.org"
    site = site.replace(f"{folder}/fullchain.pem", str(tmp_path / "cert.pem"))
    site = site.replace(f"{folder}/privkey.pem", str(tmp_path / "key.pem"))
    site = site.replace("listen 443", f"listen 127.0.0.1:{port}").replace("cards.example.org", "localhost")
    with Running(tmp_path / "tables.db", quick(public_url=f"https://localhost:{port}/")) as running:
        site = site.replace("127.0.0.1:8000", running.url.split("/")[2])
        with _run_nginx(tmp_path, f"events {{}}\nhttp {{\n{site}}}\n", port):
            trusted = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
            assert httpx.get(f"https://localhost:{port}/healthz", verify=trusted).json() == {"ok": True}
            trusted.set_alpn_protocols(["h2", "http/1.1"])
            with (
                socket.create_connection(("127.0.0.1", port)) as plain,
                trusted.wrap_socket(plain, server_hostname="localhost") as connection,
            ):
                assert connection.selected_alpn_protocol() == "h2"


def _next_address(caplog: pytest.LogCaptureFixture) -> str:
    """Wait for the one request in the log, which is written after its answer; return who is said to have asked."""
    until = time.monotonic() + 300
    while not (asked := [record.asked for record in caplog.records if hasattr(record, "asked")]):
        assert time.monotonic() < until, caplog.text
        time.sleep(0.01)
    (only,) = asked
    return str(only.address)


@contextlib.contextmanager
def _nginx(folder: Path, servers: dict[str, str], port: int) -> Iterator[str]:
    """The proxy with the configuration that is shipped, before servers by their names; its URL."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8").replace("listen 8080;", f"listen 127.0.0.1:{port};")
    for name, url in servers.items():
        text = text.replace(f"{name}:8000", url.split("/")[2])
    with _run_nginx(folder, text, port):
        yield f"http://127.0.0.1:{port}/"


@contextlib.contextmanager
def _run_nginx(folder: Path, text: str, port: int) -> Iterator[None]:
    """Run nginx with a configuration that nginx itself finds right, until the block ends."""
    (folder / "nginx.conf").write_text(f"pid {folder}/pid;\nerror_log {folder}/log;\n{text}", "utf-8")
    program = [str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
    checked = subprocess.run([*program, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    proxy = subprocess.Popen(program, stderr=subprocess.DEVNULL)
    try:
        while proxy.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.02)
        assert proxy.poll() is None, (folder / "log").read_text("utf-8")
        yield
    finally:
        proxy.terminate()
        proxy.wait()


def _play(url: str, tables: int) -> None:
    """Whole hands at some tables at once."""
    seats: list[Seat] = []
    for _ in range(tables):
        seats += sit_down(url, name="Ann", seats=2, places=["me", "open"], coup_window_ms=5)[1]
    for seat in seats:
        seat.start()
    for seat in seats:
        seat.join(300)
        assert not seat.is_alive()
        assert seat.failed is None, seat.failed


def _answers(url: str) -> int:
    """How many requests a server has answered well, with those for this among them."""
    found = re.search(
        r'^millebornes_requests_total\{status="200"\} (\d+)', Api(url).ask("GET", "/metrics")[1], re.MULTILINE
    )
    return int(found[1]) if found else 0

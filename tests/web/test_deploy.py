"""What the project ships to run the web game elsewhere."""

import configparser
import json
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from millebornes.cli.arena import arena
from millebornes.cli.serve import serve
from tests.web.conftest import Cluster
from tests.web.serving import Process, Running, spare_port
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
    text = (DEPLOY / "nginx.conf").read_text("utf-8").replace("listen 8080;", f"listen 127.0.0.1:{port};")
    for name, server in zip(("one", "two"), servers, strict=True):
        text = text.replace(f"{name}:8000", server.url.split("/")[2])
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid;\nerror_log {tmp_path}/log;\n{text}", "utf-8")
    program = [NGINX, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"), "-g", "daemon off;"]
    proxy = subprocess.Popen(program, stderr=subprocess.DEVNULL)
    try:
        url, until = f"http://127.0.0.1:{port}/", time.monotonic() + 300
        while time.monotonic() < until:
            try:
                if Api(url).ask("GET", "/healthz")[0] == 200:
                    break
            except OSError:
                time.sleep(0.05)
        assert proxy.poll() is None
        _play(url, tables=4)
        for asked in range(40):  # where a table goes is chance, so all of them may be at one server
            if all(_answers(server.url) > asked + 20 for server in servers):
                break
            _play(url, tables=1)
        else:
            said = (tmp_path / "log").read_text("utf-8")
            pytest.fail(f"a server has not served a hand: {[_answers(server.url) for server in servers]}; {said}")
    finally:
        proxy.terminate()
        proxy.wait()
        for server in servers:
            server.end()


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

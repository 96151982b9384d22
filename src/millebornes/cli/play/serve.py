"""``millebornes serve``: run the server of the web game."""

import gc
import importlib.util
import re
import sys
from typing import Any, Final
from urllib.parse import urlsplit

import click

from millebornes.cli.common import NumberRange, blamed_on
from millebornes.errors import MilleBornesError

NEEDED: Final = ("starlette", "uvicorn", "sqlalchemy", "alembic", "websockets", "prometheus_client", "python_multipart")
_DAYS: Final = NumberRange(0, 36_500, min_open=True)


def check_packages() -> None:
    """Raise `MilleBornesError` if a package that the web game needs isn't installed."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise MilleBornesError(
            f"the web game needs more packages ({', '.join(missing)}); install them: pip install 'millebornes[web]'"
        )


def database_url(given: str | None) -> str:
    """Return the database URL from ``--database`` or, by default, the URL of a file in the data folder."""
    from millebornes.storage import data_folder

    return given or f"sqlite:///{data_folder() / 'tables.db'}"


_HELP: Final = """\
Serve the web game: tables over HTTP for people, computer players and programs.

The server accepts connections only from this machine, unless you set another --host. The server prints its address
when it is ready, and shuts down cleanly after SIGTERM or Ctrl-C. The interface for programs is described in the
documentation ("The web API") and by the server itself at /api/openapi.json."""


@click.command(help=_HELP)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all interfaces."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 for any free one.",
)
@click.option(
    "--database",
    metavar="URL",
    help="Database URL: sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: a file in your data folder]",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@click.option("--allow-seeds", is_flag=True, help="Let people open tables with a seed of their choice; for tests only.")
@click.option(
    "--public-url", metavar="URL", help="Public address of the server, such as https://cards.example.org/; no path."
)
@click.option(
    "--trusted-proxies",
    metavar="LIST",
    envvar="FORWARDED_ALLOW_IPS",
    default="127.0.0.1,::1",
    show_default=True,
    help="Proxies trusted to report the client's address: addresses or networks separated by commas, or * for any.",
)
@click.option(
    "--metrics-token",
    metavar="SECRET",
    envvar="MILLEBORNES_METRICS_TOKEN",
    help="Let other machines read /metrics if they send this secret.  [default: only this machine]",
)
@click.option("--no-limits", is_flag=True, help="Turn off the rate limits; for measurements only.")
@click.option(
    "--log-format",
    type=click.Choice(("text", "json")),
    help="Also log every request to standard error, in this format.  [default: only warnings, as text]",
)
@click.option("--keep-waiting", type=_DAYS, default=1, show_default=True, help="Days to keep tables with open seats.")
@click.option("--keep-unfinished", type=_DAYS, default=30, show_default=True, help="Days to keep unfinished matches.")
@click.option("--keep-finished", type=_DAYS, default=30, show_default=True, help="Days to keep finished matches.")
@click.option(
    "--quick",
    is_flag=True,
    hidden=True,
    help="Skip pauses, and allow coup fourré windows of a few milliseconds; for tests.",
)
def serve(
    host: str,
    port: int,
    database: str | None,
    no_browser: bool,
    allow_seeds: bool,
    public_url: str | None,
    no_limits: bool,
    **more: Any,
) -> int:
    """Run the command ``serve``."""
    check_packages()
    gc.disable()  # everything loaded so far stays in use, so collecting garbage would only delay the start
    try:
        from millebornes.players.preparation import prepare_rules
        from millebornes.table.steps import USUAL_PACE, Pace
        from millebornes.web.app import make_app
        from millebornes.web.http.logs import configure
        from millebornes.web.serving import (
            ServeError,
            bind,
            check_proxies,
            network_address,
            with_hosts,
        )
        from millebornes.web.serving import serve as run
        from millebornes.web.store.retention import Lifetimes
        from millebornes.web.tables.limits import is_loopback
        from millebornes.web.tables.service import ServerSettings
    finally:
        gc.enable()

    if public_url is not None:
        _check_public_url(public_url)
    token = more["metrics_token"]
    if token is not None and not re.fullmatch("[!-~]+", token):
        raise click.BadParameter("use letters, digits and symbols, without spaces", param_hint="'--metrics-token'")
    with blamed_on("'--trusted-proxies'", ServeError):
        proxies = check_proxies(more["trusted_proxies"])
    settings = ServerSettings(
        allow_seeds=allow_seeds,
        public_url=public_url,
        limits=not no_limits,
        pace=Pace(entropy=50, move=0, hand=0, even=1) if more["quick"] else USUAL_PACE,
        least_window=1 if more["quick"] else 200,
        lifetimes=Lifetimes(
            waiting=more["keep_waiting"], unfinished=more["keep_unfinished"], finished=more["keep_finished"]
        ),
        metrics_token=token,
        log_requests=more["log_format"] is not None,
    )
    prepare_rules(lambda: click.echo("millebornes: compiling the rules, the first time only …", err=True))
    app = make_app(database_url(database), with_hosts(settings, host))
    listening, url = bind(host, port)

    def ready() -> None:
        gc.freeze()
        click.echo(f"Serving on {url}")
        sys.stdout.flush()
        if not is_loopback(host) and public_url is None:
            address = network_address(host)
            if address is not None:
                click.echo(f"On your network: {url.replace(host, address)}", err=True)
            click.echo(
                "Over the internet: put a proxy with https before it, and pass its address as --public-url", err=True
            )
        if not no_browser:
            import webbrowser

            webbrowser.open(public_url or url)

    configure(more["log_format"])
    return 0 if run(app, listening, ready, proxies) else 1


def _check_public_url(url: str) -> None:
    """Check that a URL consists of a scheme and a host, with or without a port. Raises `BadParameter`."""
    hint = "'--public-url'"
    if not url.startswith(("http://", "https://")):
        raise click.BadParameter(f"{url!r} isn't a URL; it must begin with https:// or http://", param_hint=hint)
    try:
        parts = urlsplit(url)
        is_address = bool(parts.hostname) and parts.port != 0 and not (parts.query or parts.fragment)
    except ValueError:  # brackets without an IPv6 address, or a port that isn't a number below 65,536
        is_address = False
    if not is_address:
        text = f"{url!r} isn't the address of a server; it must be like https://cards.example.org/ or http://host:8000/"
        raise click.BadParameter(text, param_hint=hint)
    if parts.path not in {"", "/"}:
        text = (
            f"{url!r} has the path {parts.path!r}, but the server only works at the root of a host name; give it a "
            f"host name of its own, like {parts.scheme}://cards.example.org/"
        )
        raise click.BadParameter(text, param_hint=hint)

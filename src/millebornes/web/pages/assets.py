"""The files that pages need. The server reads and compresses them once, and browsers cache them."""

import gzip
import hashlib
import importlib.resources
import mimetypes
import re
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from millebornes.editions import EDITIONS
from millebornes.markup.environment import STATIC
from millebornes.policies.net_choice import asks_net
from millebornes.roster import ROSTER
from millebornes.web.pages.forms import SHAPES

_TYPES: Final = {
    ".webmanifest": "application/manifest+json",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_FOREVER: Final = "public, max-age=31536000, immutable"
_URL: Final = re.compile(r'url\("([^"]+)"\)')
"""A file that a style sheet refers to, given by its path in ``static/``."""
_PACKED: Final = frozenset({".png", ".webp", ".woff2"})
"""The suffixes of files that are already compressed."""
_MIN_BYTES: Final = 500
"""Files with fewer bytes than this aren't worth compressing."""


def _choices() -> str:
    """Return the rules that show what is said about the players, the table and the edition chosen for a new table."""
    tables = [f"{seats}x{sides}" for seats, sides in SHAPES]
    hidden = [f'.setup:not(:has(.places [value="{name}"]:checked)) .net-{name}' for name in ROSTER if asks_net(name)]
    hidden += [f'.setup:not(:has([value="{table}"]:checked)) .at-{table}' for table in tables]
    shown = [f'.setup:has([value="{name}"]:checked) .in-{name}' for name in EDITIONS]
    return f"{', '.join(hidden)} {{ display: none; }}\n{', '.join(shown)} {{ display: block; }}\n"


class _Asset(NamedTuple):
    data: bytes
    packed: bytes | None
    media_type: str
    version: str


class Assets:
    """The files in ``static/``, here and in `millebornes.markup`, and the cards in ``cards/``.

    In style sheets, paths are replaced by a file's `url`.
    """

    def __init__(self) -> None:
        self._files: Final[dict[str, _Asset]] = {}
        self._take(importlib.resources.files("millebornes.game").joinpath("faces"), "cards/")
        self._take(STATIC, "")
        self._take(importlib.resources.files("millebornes.web").joinpath("static"), "")

    def _take(self, folder: Traversable, path: str) -> None:
        for entry in sorted(folder.iterdir(), key=lambda entry: (not entry.is_dir(), entry.name)):
            if entry.is_dir():
                self._take(entry, f"{path}{entry.name}/")
                continue
            data = entry.read_bytes()
            if entry.name.endswith(".css"):
                text = data.decode() + (_choices() if path + entry.name == "style.css" else "")
                data = _URL.sub(lambda found: f'url("{self.url(found[1])}")', text).encode()
            suffix = "." + entry.name.rpartition(".")[2]
            media_type = _TYPES.get(suffix) or mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
            packed = None if suffix in _PACKED or len(data) < _MIN_BYTES else gzip.compress(data, 9, mtime=0)
            self._files[path + entry.name] = _Asset(data, packed, media_type, hashlib.sha256(data).hexdigest()[:10])

    def url(self, path: str) -> str:
        """Return the address of a file. The address changes whenever the file changes."""
        return f"/static/{path}?v={self._files[path].version}"

    async def answer(self, request: Request) -> Response:
        """Answer a request for ``/static/{path}``."""
        found = self._files.get(str(request.path_params["path"]))
        if found is None:
            raise HTTPException(404)
        is_current = request.query_params.get("v") == found.version
        headers = {"cache-control": _FOREVER if is_current else "no-cache", "vary": "accept-encoding"}
        headers["etag"] = f'"{found.version}"'
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(found.packed, headers=headers | {"content-encoding": "gzip"}, media_type=found.media_type)
        return Response(found.data, headers=headers, media_type=found.media_type)

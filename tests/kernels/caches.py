"""A real game with a cache folder of its own for compiled code."""

import os
import subprocess
import sys
from pathlib import Path

GAME = ("play", "--plain", "--edition", "classic", "--player", "human", "--player", "basic", "--seed", "1")


def play_in(cache: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A game, left at the first question; ``options`` are those of Python."""
    home = cache.parent / "home"
    return subprocess.run(
        (sys.executable, *options, "-m", "millebornes", *GAME),
        env={
            **os.environ,
            "MILLEBORNES_CACHE": str(cache),
            "MILLEBORNES_COMPILE": "here",  # not behind the game, which is over at once
            "MILLEBORNES_HOME": str(home),
            "LANGUAGE": "en",
        },
        input="quit\n",
        capture_output=True,
        text=True,
        check=False,
    )

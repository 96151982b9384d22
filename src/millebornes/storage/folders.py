"""Where things are kept: the platform's own folders, or all below MILLEBORNES_HOME."""

import os
from pathlib import Path

import platformdirs

__all__ = ["cache_folder", "config_folder", "data_folder", "logs_folder", "saves_folder"]

NAME = "millebornes"


def _home() -> Path | None:
    chosen = os.environ.get("MILLEBORNES_HOME")
    return Path(chosen) if chosen else None


def cache_folder() -> Path:
    """The folder for what can be made anew, in MILLEBORNES_CACHE where that is set; it may not exist yet."""
    chosen = os.environ.get("MILLEBORNES_CACHE")
    if chosen:
        return Path(chosen)
    home = _home()
    return home / "cache" if home else Path(platformdirs.user_cache_dir(NAME, appauthor=False))


def data_folder() -> Path:
    """The folder for saved games and the like; it may not exist yet."""
    home = _home()
    return home / "data" if home else Path(platformdirs.user_data_dir(NAME, appauthor=False))


def config_folder() -> Path:
    """The folder for preferences; it may not exist yet."""
    home = _home()
    return home / "config" if home else Path(platformdirs.user_config_dir(NAME, appauthor=False))


def logs_folder() -> Path:
    """The folder for what other programs have to say, such as bots; it may not exist yet."""
    home = _home()
    return home / "logs" if home else Path(platformdirs.user_log_dir(NAME, appauthor=False))


def saves_folder() -> Path:
    """The folder of the games that save themselves; it may not exist yet."""
    return data_folder() / "saves"

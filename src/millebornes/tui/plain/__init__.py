"""The game line by line: for any terminal, for screen readers, and for scripts that feed it lines."""

from millebornes.tui.plain.app import Options, play_plain

__all__ = ["Options", "play_plain"]

"""The game line by line: for any terminal, for screen readers, and for scripts that feed it lines."""

from millebornes.tui.plain.app import PlayOptions, play_plain

__all__ = ["PlayOptions", "play_plain"]

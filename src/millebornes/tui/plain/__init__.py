"""The game line by line. The line game suits any terminal, screen readers, and scripts that send it lines."""

from millebornes.tui.plain.app import PlayOptions, play_plain

__all__ = ["PlayOptions", "play_plain"]

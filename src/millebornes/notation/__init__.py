"""Text formats for files and other programs: transcripts of matches, their replay, and views."""

from millebornes.notation.reader import Transcript, read_match, read_transcript
from millebornes.notation.replay import replay_lines
from millebornes.notation.view import read_view
from millebornes.notation.writer import hand_line, header_line, result_line, transcript_lines
from millebornes.schema import FORMAT

__all__ = [
    "FORMAT",
    "Transcript",
    "hand_line",
    "header_line",
    "read_match",
    "read_transcript",
    "read_view",
    "replay_lines",
    "result_line",
    "transcript_lines",
]

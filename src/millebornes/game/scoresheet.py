"""The score sheet of one side for one hand (R7)."""

import dataclasses
import operator
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from millebornes.errors import NotationError
from millebornes.schema.reading import field_names, read
from millebornes.schema.transcript import ScoreObject
from millebornes.score_lines import SCORE_LINES, ScoreLines


@dataclasses.dataclass(frozen=True, slots=True)
class Scoresheet(ScoreLines):
    """The lines of R7 in points, including lines with no points.

    Each line is an attribute (see `millebornes.score_lines.ScoreLines`). `Scoresheet.parse` reads a sheet that was
    written by ``str(sheet)``.
    """

    @property
    def total(self) -> int:
        """The total of all lines, in points."""
        return sum(_lines(self))

    @classmethod
    def of(cls, lines: Iterable[int]) -> "Scoresheet":
        """Return the score sheet that has these lines, in order.

        >>> Scoresheet.of([700, 100, 0, 0, 400, 0, 0, 0, 0]).total
        1200
        """
        return cls(*lines)

    def to_dict(self) -> dict[str, int]:
        """Return the sheet as a dictionary with all lines and ``total``, as in transcripts.

        >>> Scoresheet(distance=75).to_dict()["total"]
        75
        """
        sheet: dict[str, int] = msgspec.structs.asdict(self.to_object())
        return sheet

    def to_object(self) -> ScoreObject:
        """Return the result of `to_dict` as a Struct.

        >>> Scoresheet(distance=75).to_object().total
        75
        """
        return ScoreObject(**{line: getattr(self, line) for line in field_names(ScoreObject)})

    @classmethod
    def from_dict(cls, data: Any) -> "Scoresheet":
        """Return the sheet described by the result of `to_dict`.

        Raises `NotationError` if a line is missing, unknown or not an integer, or if the total is wrong.

        >>> Scoresheet.from_dict(Scoresheet(distance=75).to_dict()).distance
        75
        """
        return cls.of_object(read(ScoreObject, data, "score sheet"))

    @classmethod
    def of_object(cls, data: ScoreObject) -> "Scoresheet":
        """Return the sheet described by a Struct. Raises `NotationError` if the total is wrong.

        >>> Scoresheet.of_object(Scoresheet(distance=75).to_object()).distance
        75
        """
        sheet = cls(**{line: getattr(data, line) for line in LINES})
        if sheet.total != data.total:
            raise NotationError(f"total: {data.total} is not the sum of the lines, which is {sheet.total}")
        return sheet

    def _repr_html_(self) -> str:
        shown = {line.replace("_", " "): getattr(self, line) or "" for line in LINES} | {"total": self.total}
        rows = "".join(f"<tr><th>{line}</th><td>{points}</td></tr>" for line, points in shown.items())
        return f"<table><thead><tr><th></th><th></th></tr></thead><tbody>{rows}</tbody></table>"

    def __str__(self) -> str:
        return " ".join(f"{line}={value}" for line, value in self.to_dict().items())

    @classmethod
    def parse(cls, text: str) -> "Scoresheet":
        """Return the sheet written by ``str(sheet)``. Raises `NotationError` if the text is invalid.

        >>> Scoresheet.parse(str(Scoresheet(distance=75))).total
        75
        """
        data: dict[str, Any] = {}
        for part in text.split():
            line, _, value = part.partition("=")
            data[line] = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else value
        return cls.from_dict(data)


LINES: Final = SCORE_LINES
"""The names of the lines in order."""

_lines: Final = operator.attrgetter(*LINES)

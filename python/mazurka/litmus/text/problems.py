"""Litmus files as text: where things stand in them, and errors with the line, a caret and a cure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.excerpts import excerpt
from mazurka.spelling import did_you_mean


class Source:
    """The text of a file. Positions in it are offsets, also in copies whose comments are blanked."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(at + 1 for at, character in enumerate(self.text) if character == "\n")]

    def place(self, at: int) -> Place:
        """The line and the column of an offset."""
        line = bisect_right(self._starts, at)
        return Place(self.file, line, at - self._starts[line - 1] + 1)

    def offset(self, place: Place) -> int:
        """Where a place is in the text."""
        return self._starts[place.line - 1] + place.column - 1

    def problem(
        self, at: int, message: str, *, hint: str, length: int = 1, code: ErrorCode = ErrorCode.BAD_LITMUS
    ) -> SourceError:
        """The error to raise about what stands at an offset."""
        at = min(at, len(self.text))
        while at > 0 and not self.text[at - 1 : at + 1].strip():
            at -= 1  # what is missing at the end is shown after the last thing that is there
        place = self.place(at)
        line = self.text.split("\n")[place.line - 1].rstrip("\r")
        marked = excerpt(line, place.column, length)
        snippet = "\n".join(f"    {text}" for text in marked)
        return SourceError(code, message, place=place, hint=hint, snippet=snippet)

    def unsupported(self, at: int, message: str, *, hint: str, length: int = 1) -> SourceError:
        """The error to raise about something that is well-formed, but not supported."""
        return self.problem(at, message, hint=hint, length=length, code=ErrorCode.UNSUPPORTED)


def closest(name: str, known: Iterable[str], otherwise: str) -> str:
    """A cure for an unknown name: a known one that looks like it, or what else to do."""
    return did_you_mean(name, known) or otherwise

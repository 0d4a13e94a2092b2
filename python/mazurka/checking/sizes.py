"""Accesses of several sizes to the same bytes, as an exploration met them: values that reports read."""

from __future__ import annotations

from typing import NamedTuple


class SizedAccess(NamedTuple):
    """How many bytes an instruction accesses, and where it is in the source (0: unknown)."""

    size: int
    file: str
    line: int


class MixedSizes(NamedTuple):
    """An exploration of accesses of several sizes to the same bytes; the two that were met, if they were.

    An atomic section is explored in the same way.
    """

    accesses: tuple[SizedAccess, ...] = ()
    sections: bool = False  # a section was met, and not two accesses

"""The bytes of an initialiser, put together from its parts without the zeros between them.

I1: only what was put is stored, and a few zeros: an array of 64 MB with one element costs as much as an int.
"""

from __future__ import annotations

from mazurka.program import Pieces, pieces_of

_NEAR = 64  # bytes: parts this close are stored as one


class InitialBytes:
    """Bytes at increasing offsets; what is not put is zero."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, bytearray]] = []

    def put(self, at: int, data: bytes) -> None:
        """Sets bytes, which may overlap the part before."""
        start, last = self._parts[-1] if self._parts else (-1, bytearray())
        gap = at - start - len(last)
        if gap < 0:
            last[at - start : at - start + len(data)] = data
        elif data.count(0) < len(data):
            if last and gap <= _NEAR:
                last += bytes(gap) + data
            else:
                self._parts.append((at, bytearray(data)))

    def pieces(self) -> Pieces:
        """What was put and is not zero."""
        return tuple(piece for at, part in self._parts for piece in pieces_of(bytes(part), at))

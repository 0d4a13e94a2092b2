"""The accesses that a copy or fill is made of.

A piece is a byte offset and a size of 1 to 8, or more for a run of padding that a routine handles.

I1: the pieces of a copy are adjacent and cover each of its bytes once: padding and the bytes of other
members of a union are copied, too.
"""

from __future__ import annotations

Pieces = list[tuple[int, int]]  # (byte offset, bytes), in order
WIDEST = 8
_LONG_GAP = 64  # bytes; a longer one is one piece


def overlaps(piece: tuple[int, int], others: Pieces) -> bool:
    """Whether a piece has a byte in common with one of the others."""
    return any(offset < sum(piece) and piece[0] < offset + size for offset, size in others)


def chunks(offset: int, size: int, widest: int, most: int) -> Pieces:
    """Bytes as pieces of natural sizes and alignments; stops when there are more than ``most``."""
    pieces: Pieces = []
    while size and len(pieces) <= most:
        step = widest
        while step > size or offset % step:
            step //= 2
        pieces.append((offset, step))
        offset += step
        size -= step
    return pieces


def covered(pieces: Pieces, size: int) -> Pieces:
    """The pieces that lie in the first ``size`` bytes, with the gaps between them filled (I1)."""
    found: Pieces = []
    at = 0
    for offset, length in pieces:
        if at <= offset and offset + length <= size:
            found += _gap(at, offset)
            found.append((offset, length))
            at = offset + length
    return found + _gap(at, size)


def _gap(start: int, end: int) -> Pieces:
    """A short gap byte by byte, as a program would look at it; a long one with fewer accesses."""
    if end - start < WIDEST:
        return [(byte, 1) for byte in range(start, end)]
    if end - start <= _LONG_GAP:
        return chunks(start, end - start, WIDEST, _LONG_GAP)
    aligned = (start + WIDEST - 1) // WIDEST * WIDEST
    return [*chunks(start, aligned - start, WIDEST, WIDEST), (aligned, end - aligned)]

"""What a picture consists of: boxes in the cells of a grid, and arrows between them.

I1: the numbers of a picture's nodes are distinct, and its edges lead from one of its nodes to another.
I2: time runs down: a node is below those that come before it in its column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Segment(NamedTuple):
    """Bytes of an access, from ``start`` on, and what they are."""

    start: int
    size: int
    text: str


class Strip(NamedTuple):
    """The bytes of an access within the bytes that accesses of several sizes share."""

    size: int  # of all of these
    segments: tuple[Segment, ...]


class Node(NamedTuple):
    """A box: what happens in it, and what a reader may ask about it."""

    number: int
    column: float
    row: float
    label: str
    note: str = ""  # a second line, in small print
    kind: str = "event"  # event initial fold fail
    marked: bool = False
    file: str = ""
    line: int = 0  # in the file; 0 if it is not known
    details: tuple[tuple[str, str], ...] = ()  # pairs of a name and a value
    strip: Strip | None = None


class Edge(NamedTuple):
    """An arrow of a relation. ``tone`` names its colour; without ``arrow`` both directions are meant."""

    first: int
    second: int
    name: str
    tone: str
    marked: bool = False
    named: bool = True  # its name stands beside it
    shown: bool = True  # unless the reader switches its relation on
    dashed: bool = False
    arrow: bool = True


@dataclass(frozen=True)
class Picture:
    """A picture. ``heads`` are lines above it; ``order`` has its nodes in the order in which they happen.

    The names of ``columns``, like the labels of nodes, may have several lines.
    """

    title: str
    heads: tuple[str, ...]
    columns: tuple[str, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    row_gap: float = 62.0
    band: int = 0  # how many rows, of initial values, are above the names of the columns
    order: tuple[int, ...] = ()

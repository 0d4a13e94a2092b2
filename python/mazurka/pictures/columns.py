"""Pictures of executions that come as lists: boxes in columns, what reads read, and the orders of writes.

Boxes are numbered in the order of the list, and places have their addresses. Of the orders only neighbours
are drawn: fr leads to the next write behind the one that was read.

I1: po leads from earlier boxes in the list to later ones; the rows of a picture follow it alone, because an
execution that a model forbids may have no order in which everything comes after what it depends on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from mazurka.pictures.colours import TONE_OF
from mazurka.pictures.picture import Edge, Node, Picture

ROW_GAP = 34.0
_OTHER = "other"


class Box(NamedTuple):
    """What a thread does."""

    column: int
    label: str
    note: str = ""
    file: str = ""
    line: int = 0


class ReadPart(NamedTuple):
    """What a read sees of a place: the box of a write, or None for its initial value."""

    read: int
    place: int
    source: int | None


class Arrow(NamedTuple):
    """A pair of boxes that are in a relation."""

    first: int
    second: int
    name: str


class Listed(NamedTuple):
    """An execution. ``initial`` has the label of each place whose initial value is shown."""

    columns: Sequence[str]
    boxes: Sequence[Box]
    po: Sequence[tuple[int, int]]
    reads: Sequence[ReadPart]
    chains: Mapping[int, Sequence[int]]  # of each place, its writes
    initial: Mapping[int, str]

    def picture(self, title: str, heads: Sequence[str], marked: Iterable[Arrow] = ()) -> Picture:
        """Its picture; the marked arrows are drawn whether or not they are between neighbours."""
        band = -(-len(self.initial) // max(len(self.columns), 1))
        wanted = list(marked)
        passed = {box for arrow in wanted for box in (arrow.first, arrow.second)}
        rows = self._rows()
        return Picture(
            title=title,
            heads=tuple(heads),
            columns=tuple(self.columns),
            nodes=(
                *(
                    Node(n, box.column, band + rows[n], box.label, box.note, marked=n in passed)._replace(
                        file=box.file, line=box.line
                    )
                    for n, box in enumerate(self.boxes)
                ),
                *self._initial(),
            ),
            edges=tuple(self._edges(wanted)),
            row_gap=ROW_GAP,
            band=band,
            order=tuple(range(len(self.boxes))),
        )

    def _rows(self) -> list[int]:
        """Each box is below those that are before it in po (I1)."""
        rows = [0] * len(self.boxes)
        for first, second in sorted(self.po, key=lambda pair: pair[1]):
            rows[second] = max(rows[second], rows[first] + 1)
        return rows

    def initial_boxes(self) -> dict[int, int]:
        """The boxes of initial values."""
        return {place: len(self.boxes) + n for n, place in enumerate(self.initial)}

    def _initial(self) -> Iterator[Node]:
        """In rows above the threads."""
        for n, (place, number) in enumerate(self.initial_boxes().items()):
            row, column = divmod(n, max(len(self.columns), 1))
            yield Node(number, column, row, self.initial[place], "initial value", kind="initial")

    def _arrows(self) -> Iterator[Arrow]:
        yield from (Arrow(a, b, "po") for a, b in self.po)
        initial = self.initial_boxes()
        for read, place, source in self.reads:
            first = initial.get(place) if source is None else source
            if first is not None:
                yield Arrow(first, read, "rf")
        for chain in self.chains.values():
            yield from (Arrow(a, b, "co") for a, b in pairwise(chain))
        along = set(self.po)
        for read, place, source in self.reads:
            chain = list(self.chains.get(place, ()))
            later = chain if source is None else chain[chain.index(source) + 1 :] if source in chain else []
            yield from (Arrow(read, write, "fr") for write in later[:1] if (read, write) not in along)

    def _edges(self, marked: Sequence[Arrow]) -> Iterator[Edge]:
        for first, second, name in dict.fromkeys((*self._arrows(), *marked)):
            is_marked = (first, second, name) in marked
            yield Edge(
                first,
                second,
                name,
                TONE_OF.get(name, _OTHER),
                is_marked,
                named=name != "po" or is_marked,
                dashed=name not in ("po", "rf", "co"),
            )

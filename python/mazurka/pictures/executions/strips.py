"""The bytes of accesses where sizes mix: which of the bytes that several accesses share each of them has."""

from __future__ import annotations

from mazurka.checking.execution import Event, EventRef, Graph
from mazurka.pictures.picture import Segment, Strip

MOST_BYTES = 16


class Strips:
    """The regions of memory that accesses of several sizes, or at several offsets, share."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        events = (graph[ref] for ref in graph.refs())
        spans = {(e.address, e.end) for e in events if e.kind in ("R", "W") and e.size and not e.section}
        self.regions: list[tuple[int, int]] = []
        region, parts = (0, 0), 0
        for start, end in sorted(spans):
            if start < region[1]:
                region, parts = (region[0], max(region[1], end)), parts + 1
            else:
                self._add(region, parts)
                region, parts = (start, end), 1
        self._add(region, parts)

    def _add(self, region: tuple[int, int], parts: int) -> None:
        if parts > 1 and region[1] - region[0] <= MOST_BYTES:
            self.regions.append(region)

    def of(self, refs: tuple[EventRef, ...]) -> Strip | None:
        """The strip of a box: what its last event has, in the order of addresses."""
        event = self.graph[refs[-1]]
        if event.kind not in ("R", "W") or event.section:
            return None
        region = next((r for r in self.regions if r[0] <= event.address < r[1]), None)
        if region is None:
            return None
        return Strip(region[1] - region[0], tuple(_segments(event, region[0])))


def _segments(event: Event, start: int) -> list[Segment]:
    """What an access has of each of its parts; a write has one."""
    return [
        Segment(part.address - start, part.size, _in_memory(part.value, part.size)) for part in event.pieces
    ]


def _in_memory(value: int, size: int) -> str:
    """The bytes of a value as they lie in memory, in hexadecimal; the lowest has the lowest address."""
    return " ".join(f"{byte:02x}" for byte in (value & (1 << 8 * size) - 1).to_bytes(size, "little"))

"""The relations that an execution consists of, between its boxes: po, rf, co and fr.

An order is drawn by its immediate pairs: po and co to the next box, fr to the write that overwrites what was
read. Where boxes are folded, the next one that is shown counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

from mazurka.checking.execution import EventRef, Graph, Meetings
from mazurka.pictures.executions.boxes import Boxes

Pair: TypeAlias = tuple[int, int]  # of boxes


def communication(graph: Graph, boxes: Boxes) -> dict[str, list[Pair]]:
    """The pairs of each relation, each once."""
    rf = _distinct(_reads_from(graph, boxes))
    updates = {box.number for box in boxes.events if len(box.refs) > 1 and box.kind == "event"}
    # Nothing comes between a read-modify-write and what it reads, so that co says no more than rf.
    implied = {pair for pair in rf if pair[1] in updates}
    co = [pair for pair in _distinct(_coherence(graph, boxes)) if pair not in implied]
    return {
        "po": _distinct(_program_order(graph, boxes)),
        "rf": rf,
        "co": co,
        "fr": _distinct(_from_read(graph, boxes)),
    }


def _distinct(pairs: Iterable[Pair]) -> list[Pair]:
    return [(a, b) for a, b in dict.fromkeys(pairs) if a != b]


def _program_order(graph: Graph, boxes: Boxes) -> Iterator[Pair]:
    """Neighbours in a thread; creation to the first box, the last one to the join; arrivals to departures."""
    own = {thread: [box.number for box in boxes.of_thread(thread)] for thread in boxes.threads()}
    meetings = Meetings(graph)
    for numbers in own.values():
        yield from pairwise(numbers)
    for ref, number in boxes.of.items():
        event = graph[ref]
        other = own.get(event.other, []) if event.other is not None else []
        if event.kind == "CREATE" and other:
            yield number, other[0]
        elif event.kind == "JOIN" and other:
            yield other[-1], number
        elif event.kind == "DEPART":
            yield from ((boxes.of[a], number) for a in meetings.arrivals(event) if a in boxes.of)


def _reads_from(graph: Graph, boxes: Boxes) -> Iterator[Pair]:
    initial = {(value.read.address, value.read.size): value.number for value in boxes.initial}
    for ref, number in boxes.of.items():
        event = graph[ref]
        for part in event.pieces if event.kind == "R" else ():
            source = boxes.of.get(part.write) if part.write else initial.get((part.address, part.size))
            if source is not None:
                yield source, number


def _coherence(graph: Graph, boxes: Boxes) -> Iterator[Pair]:
    for chain in graph.co:
        yield from pairwise(boxes.of[write] for write in chain.writes if write in boxes.of)


def _from_read(graph: Graph, boxes: Boxes) -> Iterator[Pair]:
    """Each read with the next write that is shown of those which overwrite what it read."""
    later: dict[tuple[int, int, EventRef | None], tuple[EventRef, ...]] = {}
    for chain in graph.co:
        for n, source in enumerate((None, *chain.writes)):
            later[chain.address, chain.size, source] = chain.writes[n:]
    for ref, number in boxes.of.items():
        event = graph[ref]
        for part in event.pieces if event.kind == "R" else ():
            after = later.get((part.address, part.size, part.write), ())
            yield from ((number, boxes.of[write]) for write in [w for w in after if w in boxes.of][:1])

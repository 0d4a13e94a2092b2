"""What a program says about its own accesses: whether it holds, and the annotation that changes what counts.

A confirming compare-exchange that finds what it expects, but sees another write than the load right before
it, stops its thread, and the execution does not count: the load could have seen that write.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.kat.meaning import terms
from mazurka.program import Annotation, Mode
from mazurka.reference.consistency import happens_before
from mazurka.reference.graph import Graph
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind

_HELP = (Annotation.HELPED_CAS, Annotation.HELPING_CAS)
_STRENGTH = {Mode.NA: 0, Mode.RLX: 0, Mode.REL: 0, Mode.ACQ: 1, Mode.ACQ_REL: 1, Mode.SC: 2}


def annotation_errors(graph: Graph, model: terms.Model, complete: bool) -> set[str]:
    """``annotation`` if one of the graph's annotations does not hold."""
    if all(label.annotation is None for label in graph.labels.values()):
        return set()
    earlier = Relations(graph, model.views).pairs(happens_before(model))
    found = [
        *_unordered(graph, earlier),
        *(event for event in graph.rf if not _read_holds(graph, event)),
        *(_vain(graph) if complete else ()),
    ]
    return {"annotation"} if found else set()


def _unordered(graph: Graph, earlier: set[tuple[EventId, EventId]]) -> Iterator[EventId]:
    """Final writes that are not the last, and local ones that another thread reads too soon."""
    for write, label in graph.labels.items():
        if label.kind is Kind.WRITE and label.annotation is Annotation.FINAL_WRITE:
            others = (w for cell in graph.cells(write) for w in graph.writes(cell) if w != write)
            yield from (w for w in others if (w, write) not in earlier)
        if label.kind is Kind.WRITE and label.annotation is Annotation.LOCAL_WRITE:
            readers = (r for r in graph.rf if write in graph.sources(r) and r[0] != write[0])
            yield from (r for r in readers if (write, r) not in earlier)


def _read_holds(graph: Graph, read: EventId) -> bool:
    """Whether a helped compare-exchange that failed was helped, and a confirming one confirms something."""
    label = graph.labels[read]
    if label.annotation is Annotation.HELPED_CAS and graph.value(read) != label.expected:
        return any(
            other.annotation in _HELP and (other.address, other.expected, other.value) == _asked(graph, read)
            for event, other in graph.labels.items()
            if other.kind is Kind.READ and graph.rmw_write(event) is not None
        )
    if label.annotation is Annotation.CONFIRMING_CAS:
        mine = [e for e in graph.thread(read[0]) if e[1] < read[1] and e in graph.rf]
        same = [e for e in mine if graph.labels[e].address == label.address]
        return bool(same) and graph.value(same[-1]) == label.expected
    return True


def _asked(graph: Graph, read: EventId) -> tuple[int, int | None, int]:
    label = graph.labels[read]
    return label.address, label.expected, label.value


def _vain(graph: Graph) -> Iterator[EventId]:
    """Helping compare-exchanges that did what no helped one asked for."""
    labels = graph.labels.items()
    helped = {
        _asked(graph, e) for e, label in labels if label.annotation is Annotation.HELPED_CAS and e in graph.rf
    }
    for event, label in labels:
        helps = label.annotation is Annotation.HELPING_CAS and event in graph.rf
        if helps and graph.rmw_write(event) is not None and _asked(graph, event) not in helped:
            yield event


def is_unconfirmed(graph: Graph, read: EventId) -> bool:
    """Whether a confirming compare-exchange sees another write than the load right before it."""
    label, load = graph.labels[read], (read[0], read[1] - 1)
    if label.annotation is not Annotation.CONFIRMING_CAS or read not in graph.rf or load not in graph.rf:
        return False
    before = graph.labels[load]
    return (
        graph.value(read) == label.expected
        and not before.exclusive
        and before.use is None
        and (before.address, before.size) == (label.address, label.size)
        and _STRENGTH[before.mode] <= _STRENGTH[label.mode]
        and graph.rf[load] != graph.rf[read]
    )

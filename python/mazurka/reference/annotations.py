"""What a program says about its own accesses: whether it holds, and the annotations that change what counts.

A confirming compare-exchange that finds what it expects, but sees another write than the load right before
it, stops its thread, and the execution does not count: the load could have seen that write. So does a helping
compare-exchange that finds what it expects, if the thread that it helps can do the same (``link``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from mazurka.kat.meaning import terms
from mazurka.program import Annotation, Mode
from mazurka.reference.consistency import happens_before
from mazurka.reference.graph import Graph
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import Ending, EventId, Kind, Label

Step: TypeAlias = Label | Ending

_HELP = (Annotation.HELPED_CAS, Annotation.HELPING_CAS)
_RELEASES = (Mode.REL, Mode.ACQ_REL, Mode.SC)
_STRENGTH = {Mode.NA: 0, Mode.RLX: 0, Mode.REL: 0, Mode.ACQ: 1, Mode.ACQ_REL: 1, Mode.SC: 2}


def annotation_errors(
    graph: Graph, model: terms.Model, complete: bool, left: Mapping[EventId, Step]
) -> set[str]:
    """``annotation`` if one of the graph's annotations does not hold.

    ``left`` has the helping compare-exchanges that stopped, each with what follows the link.
    """
    if all(label.annotation is None for label in graph.labels.values()):
        return set()
    earlier = Relations(graph, model.views).pairs(happens_before(model))
    found = [
        *_unordered(graph, earlier),
        *(event for event in graph.rf if not _read_holds(graph, event)),
        *(_vain(graph) if complete else ()),
        *(event for event, step in left.items() if not _is_left_to_helped(graph, event, step)),
        *_taken_back(graph),
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


def _is_left_to_helped(graph: Graph, helping: EventId, step: Step) -> bool:
    """Whether the thread that a helping compare-exchange left its work to does it, from the same write."""
    label = graph.labels[helping]
    if (
        not isinstance(step, Label)
        or step.annotation is not Annotation.HELPED_CAS
        or (step.address, step.expected, step.value) != (label.address, label.expected, label.value)
    ):
        return False
    link = link_of(graph, helping)
    assert link is not None, "it has stopped"
    helped = (link[0], link[1] + 1)
    succeeds = helped in graph.rf and graph.rmw_write(helped) is not None
    return not succeeds or graph.rf[helped] == graph.rf[helping]


def _taken_back(graph: Graph) -> Iterator[EventId]:
    """Helped and helping compare-exchanges after which the variable got its old value back."""
    for event, label in graph.labels.items():
        write = graph.rmw_write(event) if label.annotation in _HELP and event in graph.rf else None
        if write is not None:
            writes = graph.writes(graph.cells(write)[0])
            later = writes[writes.index(write) + 1 :]
            yield from (w for w in later if graph.labels[w].value == label.expected)


def link_of(graph: Graph, helping: EventId) -> EventId | None:
    """What the thread did that a helping compare-exchange need not help, because it can go on by itself.

    The thread that helps has acquired the value that it would write, from the release by which another
    thread replaced something; and that thread had acquired the write that the helping one sees. A link is
    followed by the helped compare-exchange, which can come in the place of the helping one.
    """
    label = graph.labels[helping]
    if label.annotation is not Annotation.HELPING_CAS or graph.value(helping) != label.expected:
        return None
    seen = [read for read in _reads_before(graph, helping) if graph.value(read) == label.value][-1:]
    link = graph.rf[seen[0]] if seen else None
    if not isinstance(link, tuple) or link[0] == helping[0] or not _acquires(graph, seen[0]):
        return None
    write, source = graph.labels[link], graph.rf[helping]
    if write.use is not None or not write.exclusive or write.mode not in _RELEASES:
        return None
    known = (r for r in _reads_before(graph, link) if graph.rf[r] == source and _acquires(graph, r))
    return link if source is None or any(known) else None


def _reads_before(graph: Graph, event: EventId) -> list[EventId]:
    """What a thread has read before an event, other than synchronisation objects."""
    mine = (e for e in graph.thread(event[0]) if e[1] < event[1] and e in graph.rf)
    return [e for e in mine if graph.labels[e].use is None]


def _acquires(graph: Graph, read: EventId) -> bool:
    return _STRENGTH[graph.read_mode(read)] > 0


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

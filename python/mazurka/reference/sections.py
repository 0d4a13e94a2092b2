"""Runs an atomic section to its end, in every way (Mixer §5).

Where it reads bytes that it does not know yet, its read becomes wider: each new cell is taken from every
write that is there. What it reads decides how it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mazurka.reference.graph import Graph
from mazurka.reference.machine import Machine
from mazurka.reference.running.labels import INIT, EventId, Kind, Label


def run_section(machine: Machine, graph: Graph, read: EventId) -> Iterator[Graph]:
    """The graph with all that a section reads, from its read on, which is the newest event of its thread.

    If the section ends and has written something, its write is added, without a place in co.
    """
    thread, index = read
    step = machine.step(graph, thread)
    if not isinstance(step, Label) or step.scattered is None:
        yield graph  # it has written nothing, or does not end
    elif step.kind is Kind.WRITE:
        yield graph.add((thread, index + 1), step)
    elif step.scattered:
        for wider in widenings(graph, read, step):
            yield from run_section(machine, wider, read)
    else:
        yield graph  # the next section begins


def widenings(graph: Graph, read: EventId, label: Label) -> Iterator[Graph]:
    """The graph in which the read of a section has more bytes, which it takes from any writes.

    What it reads already stays. A new byte in a cell with one of these has the same source: otherwise the
    write that has them both would be torn.
    """
    known = graph.sources_by_byte(read)
    rest = graph.restrict(set(graph.order) - {read}).add(read, label)
    wider = replace(rest, order=graph.order)
    options: list[list[EventId | None]] = []
    for cell, end in wider.spans(read):
        taken = [known[at] for at in range(cell, end) if at in known]
        options.append(taken[:1] or [INIT, *wider.writes(cell)])
    yield from (wider.set_rf(read, writes) for writes in wider.products(read, options))
